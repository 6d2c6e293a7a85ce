"""Cheng et al., Efficient Optimization of F-Measure with Cost-Sensitive SVM, 2016."""

from beyond_accuracy.papers.cheng2016.claims import CLAIMS, TIMED_CLAIMS
from beyond_accuracy.papers.cheng2016.comparisons import table_comparisons, table_iterations
from beyond_accuracy.papers.cheng2016.figures import FIGURES
from beyond_accuracy.papers.cheng2016.names import COLLECTIONS, METHODS
from beyond_accuracy.papers.cheng2016.tables import table2, table3, table3_seconds
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
        "table2": table2,
        "table3": table3,
        "table3_seconds": table3_seconds,
        "table_iterations": table_iterations,
        "table_comparisons": table_comparisons,
    },
    figures=FIGURES,
    claims=CLAIMS,
    timed=("table3_seconds", "figure2_seconds", *TIMED_CLAIMS),
)
