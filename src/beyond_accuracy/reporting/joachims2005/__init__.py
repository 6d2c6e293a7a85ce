"""Reports of Joachims, A Support Vector Method for Multivariate Performance Measures (2005)."""

from beyond_accuracy.reporting.joachims2005.claims import CLAIMS
from beyond_accuracy.reporting.joachims2005.figures import FIGURE_CAPTIONS, figure1
from beyond_accuracy.reporting.joachims2005.methods import FREQUENCY_EDGES, PAIR
from beyond_accuracy.reporting.joachims2005.table1 import table1
from beyond_accuracy.reporting.joachims2005.table2 import table2
from beyond_accuracy.reporting.joachims2005.table_at_most_k import table_at_most_k
from beyond_accuracy.reporting.joachims2005.table_methods import table_methods
from beyond_accuracy.reporting.joachims2005.tables import (
    table2_per_class,
    table_iterations,
)
from beyond_accuracy.reporting.papers import PaperDefinition

DEFINITION = PaperDefinition(
    title="A Support Vector Method for Multivariate Performance Measures",
    citation=(
        "T. Joachims, A Support Vector Method for Multivariate Performance Measures, "
        "International Conference on Machine Learning (ICML), 2005."
    ),
    pair=PAIR,
    frequency_edges=FREQUENCY_EDGES,
    tables={
        "table1": table1,
        "table2": table2,
        "table2_per_class": table2_per_class,
        "table_methods": table_methods,
        "table_iterations": table_iterations,
        "table_at_most_k": table_at_most_k,
    },
    figures={"figure1": figure1},
    claims=CLAIMS,
    figure_captions=FIGURE_CAPTIONS,
)
