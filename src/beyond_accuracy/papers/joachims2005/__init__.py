"""Joachims, A Support Vector Method for Multivariate Performance Measures, ICML 2005."""

from beyond_accuracy.papers.joachims2005.claims import CLAIMS
from beyond_accuracy.papers.joachims2005.figures import FIGURES
from beyond_accuracy.papers.joachims2005.names import COLLECTIONS, FREQUENCY_EDGES, METHODS
from beyond_accuracy.papers.joachims2005.table2 import table2
from beyond_accuracy.papers.joachims2005.tables import (
    table1,
    table2_per_class,
    table_at_most_k,
    table_iterations,
    table_methods,
)
from beyond_accuracy.reporting import Paper

PAPER = Paper(
    id="joachims2005",
    title="A Support Vector Method for Multivariate Performance Measures",
    citation=(
        "T. Joachims, A Support Vector Method for Multivariate Performance Measures, "
        "International Conference on Machine Learning (ICML), 2005."
    ),
    data_sets=COLLECTIONS,
    methods=METHODS,
    frequency_edges=FREQUENCY_EDGES,
    tables={
        "table1": table1,
        "table2": table2,
        "table2_per_class": table2_per_class,
        "table_methods": table_methods,
        "table_iterations": table_iterations,
        "table_at_most_k": table_at_most_k,
    },
    figures=FIGURES,
    claims=CLAIMS,
)
