"""Cheng et al., Efficient Optimization of F-Measure with Cost-Sensitive SVM, 2016."""

from beyond_accuracy.papers.cheng2016 import tables
from beyond_accuracy.papers.cheng2016.claims import CLAIMS
from beyond_accuracy.papers.cheng2016.figures import FIGURES
from beyond_accuracy.papers.cheng2016.names import COLLECTIONS, METHODS
from beyond_accuracy.reporting import Paper

PAPER = Paper(
    id="cheng2016",
    title="Efficient Optimization of F-Measure with Cost-Sensitive SVM",
    citation=(
        "F. Cheng et al., Efficient Optimization of F-Measure with Cost-Sensitive SVM, "
        "Mathematical Problems in Engineering, 2016."
    ),
    data_sets=COLLECTIONS,
    methods=METHODS,
    tables={
        "table2": tables.table2,
        "table3": tables.table3,
        "table3_seconds": tables.table3_seconds,
        "table_iterations": tables.table_iterations,
        "table_comparisons": tables.table_comparisons,
    },
    figures=FIGURES,
    claims=CLAIMS,
    timed=(
        *("table3_seconds", "figure2_seconds", "fastest_on_all_but_news20"),
        *("bm_nls_cs_is_faster_than_svm_perf", "speed_ups_of_hundreds"),
    ),
)
