"""Li, Tsang, Zhou, Optimization of Performance Measures by Classifier Adaptation, TPAMI 2013."""

from beyond_accuracy.papers.li2013.claims import VALUE_CLAIMS
from beyond_accuracy.papers.li2013.claims_of_distance import values_of_capo_star
from beyond_accuracy.papers.li2013.claims_of_studies import STUDY_CLAIMS, TIMED_CLAIMS
from beyond_accuracy.papers.li2013.comparisons import (
    table5,
    table_core_vector_machine,
    table_cross_fitting,
    table_differences,
    table_matching_B,
)
from beyond_accuracy.papers.li2013.figures import FIGURES
from beyond_accuracy.papers.li2013.names import COLLECTIONS, METHODS
from beyond_accuracy.papers.li2013.table2 import table2
from beyond_accuracy.papers.li2013.tables import table1, table3, table4
from beyond_accuracy.papers.li2013.tests import table_tests, table_tests_by_measure
from beyond_accuracy.reporting import Paper

PAPER = Paper(
    id="li2013",
    title="Efficient Optimization of Performance Measures by Classifier Adaptation",
    citation=(
        "N. Li, I. W. Tsang, Z.-H. Zhou, Efficient Optimization of Performance Measures by "
        "Classifier Adaptation, IEEE TPAMI 35(6), 2013."
    ),
    data_sets=COLLECTIONS,
    methods=METHODS,
    tables={
        "table1": table1,
        "table2": table2,
        "table3": table3,
        "table4": table4,
        "table5": table5,
        "table_tests": table_tests,
        "table_tests_by_measure": table_tests_by_measure,
        "table_differences": table_differences,
        "table_cross_fitting": table_cross_fitting,
        "table_core_vector_machine": table_core_vector_machine,
        "table_matching_B": table_matching_B,
    },
    figures=FIGURES,
    claims={
        function.__name__: function
        for function in (*VALUE_CLAIMS, *STUDY_CLAIMS, values_of_capo_star)
    },
    timed=(
        "table3",
        "table4",
        "figure3_seconds",
        "figure4_seconds",
        "figure5_seconds",
        *TIMED_CLAIMS,
    ),
)
