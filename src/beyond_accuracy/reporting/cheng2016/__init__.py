"""Reports of Cheng et al., Efficient Optimization of F-Measure with Cost-Sensitive SVM (2016)."""

from beyond_accuracy.reporting.cheng2016.claims import CLAIMS, TIMED_CLAIMS
from beyond_accuracy.reporting.cheng2016.figure1 import FIGURE1_CAPTION, figure1
from beyond_accuracy.reporting.cheng2016.figure2 import (
    FIGURE2_CAPTION,
    FIGURE2_SECONDS_CAPTION,
    figure2,
    figure2_seconds,
)
from beyond_accuracy.reporting.cheng2016.methods import FURTHER_PAIRS, PAIR
from beyond_accuracy.reporting.cheng2016.table2 import table2
from beyond_accuracy.reporting.cheng2016.table3 import table3
from beyond_accuracy.reporting.cheng2016.table3_seconds import table3_seconds
from beyond_accuracy.reporting.cheng2016.table_comparisons import table_comparisons
from beyond_accuracy.reporting.cheng2016.table_iterations import table_iterations
from beyond_accuracy.reporting.papers import PaperDefinition

DEFINITION = PaperDefinition(
    title="Efficient Optimization of F-Measure with Cost-Sensitive SVM",
    citation=(
        "F. Cheng et al., Efficient Optimization of F-Measure with Cost-Sensitive SVM, "
        "Mathematical Problems in Engineering, 2016."
    ),
    pair=PAIR,
    further_pairs=FURTHER_PAIRS,
    tables={
        "table2": table2,
        "table3": table3,
        "table3_seconds": table3_seconds,
        "table_iterations": table_iterations,
        "table_comparisons": table_comparisons,
    },
    figures={"figure1": figure1, "figure2": figure2, "figure2_seconds": figure2_seconds},
    claims=CLAIMS,
    figure_captions={
        "figure1": FIGURE1_CAPTION,
        "figure2": FIGURE2_CAPTION,
        "figure2_seconds": FIGURE2_SECONDS_CAPTION,
    },
    timed=("table3_seconds", "figure2_seconds", *TIMED_CLAIMS),
)
