"""Reports of Li, Tsang and Zhou, Optimization of Performance Measures by Adaptation (2013)."""

from beyond_accuracy.reporting.li2013.claims import VALUE_CLAIMS
from beyond_accuracy.reporting.li2013.claims_of_distance import values_of_capo_star
from beyond_accuracy.reporting.li2013.claims_of_sweeps import SWEEP_CLAIMS, TIMED_CLAIMS
from beyond_accuracy.reporting.li2013.figure1 import FIGURE1_CAPTION, figure1
from beyond_accuracy.reporting.li2013.figure2 import FIGURE2_CAPTION, figure2
from beyond_accuracy.reporting.li2013.figure3 import (
    FIGURE3_CAPTION,
    FIGURE3_SECONDS_CAPTION,
    figure3,
    figure3_seconds,
)
from beyond_accuracy.reporting.li2013.figure4 import (
    FIGURE4_CAPTION,
    FIGURE4_SECONDS_CAPTION,
    figure4,
    figure4_seconds,
)
from beyond_accuracy.reporting.li2013.figure5 import (
    FIGURE5_CAPTION,
    FIGURE5_SECONDS_CAPTION,
    figure5,
    figure5_seconds,
)
from beyond_accuracy.reporting.li2013.methods import COMPARISONS
from beyond_accuracy.reporting.li2013.table1 import table1
from beyond_accuracy.reporting.li2013.table2 import table2
from beyond_accuracy.reporting.li2013.table3 import table3
from beyond_accuracy.reporting.li2013.table4 import table4
from beyond_accuracy.reporting.li2013.table5 import table5
from beyond_accuracy.reporting.li2013.table_core_vector_machine import (
    table_core_vector_machine,
)
from beyond_accuracy.reporting.li2013.table_cross_fitting import table_cross_fitting
from beyond_accuracy.reporting.li2013.table_differences import table_differences
from beyond_accuracy.reporting.li2013.table_matching_B import table_matching_B
from beyond_accuracy.reporting.li2013.table_tests import table_tests, table_tests_by_measure
from beyond_accuracy.reporting.papers import PaperDefinition

TABLES = (
    table1,
    table2,
    table3,
    table4,
    table5,
    table_tests,
    table_tests_by_measure,
    table_differences,
    table_cross_fitting,
    table_core_vector_machine,
    table_matching_B,
)
CLAIMS = (*VALUE_CLAIMS, *SWEEP_CLAIMS, values_of_capo_star)
FIGURES = {
    figure1: FIGURE1_CAPTION,
    figure2: FIGURE2_CAPTION,
    figure3: FIGURE3_CAPTION,
    figure3_seconds: FIGURE3_SECONDS_CAPTION,
    figure4: FIGURE4_CAPTION,
    figure4_seconds: FIGURE4_SECONDS_CAPTION,
    figure5: FIGURE5_CAPTION,
    figure5_seconds: FIGURE5_SECONDS_CAPTION,
}
TIMED_FIGURES = (figure3_seconds, figure4_seconds, figure5_seconds)

DEFINITION = PaperDefinition(
    title="Efficient Optimization of Performance Measures by Classifier Adaptation",
    citation=(
        "N. Li, I. W. Tsang, Z.-H. Zhou, Efficient Optimization of Performance Measures by "
        "Classifier Adaptation, IEEE TPAMI 35(6), 2013."
    ),
    comparisons=COMPARISONS,
    tables={table.__name__: table for table in TABLES},
    figures={figure.__name__: figure for figure in FIGURES},
    claims={function.__name__: function for function in CLAIMS},
    figure_captions={figure.__name__: caption for figure, caption in FIGURES.items()},
    timed=(
        table3.__name__,
        table4.__name__,
        *(figure.__name__ for figure in TIMED_FIGURES),
        *TIMED_CLAIMS,
    ),
)
