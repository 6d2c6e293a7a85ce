"""Joachims, A Support Vector Method for Multivariate Performance Measures, ICML 2005."""

from beyond_accuracy.papers.joachims2005 import tables
from beyond_accuracy.papers.joachims2005.claims import CLAIMS
from beyond_accuracy.papers.joachims2005.figures import FIGURES
from beyond_accuracy.papers.joachims2005.names import COLLECTIONS, FREQUENCY_EDGES, METHODS
from beyond_accuracy.reporting import Paper
from beyond_accuracy.reporting.readings import table_readings

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
        "table1": tables.table1,
        "table2": tables.table2,
        "table2_per_class": tables.table2_per_class,
        "table_methods": tables.table_methods,
        "table_iterations": tables.table_iterations,
        "table_error_rate": tables.table_error_rate,
        "table_oracle_thresholds": tables.table_oracle_thresholds,
        "table_readings": table_readings,
    },
    figures=FIGURES,
    claims=CLAIMS,
)
