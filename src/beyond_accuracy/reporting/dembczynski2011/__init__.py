"""Reports of Dembczyński et al., An Exact Algorithm for F-Measure Maximization (2011)."""

from beyond_accuracy.reporting.dembczynski2011.claims import CLAIMS
from beyond_accuracy.reporting.dembczynski2011.figures import (
    FIGURE_CAPTIONS,
    figure1_centre,
    figure1_left,
    figure1_right,
    figure_calibration,
    figure_propositions,
)
from beyond_accuracy.reporting.dembczynski2011.intervals import label_intervals
from beyond_accuracy.reporting.dembczynski2011.table1 import table1
from beyond_accuracy.reporting.dembczynski2011.table_calibration import table_calibration
from beyond_accuracy.reporting.dembczynski2011.table_data_sets import table_data_sets
from beyond_accuracy.reporting.dembczynski2011.table_readings import table_readings
from beyond_accuracy.reporting.dembczynski2011.tables import (
    table1_seconds,
    table_exact,
    table_f_beta,
    table_gradient_boosting,
    table_significance,
)
from beyond_accuracy.reporting.papers import PaperDefinition

DEFINITION = PaperDefinition(
    title="An Exact Algorithm for F-Measure Maximization",
    citation=(
        "K. Dembczyński, W. Waegeman, W. Cheng, E. Hüllermeier, An Exact Algorithm for F-Measure "
        "Maximization, Advances in Neural Information Processing Systems 24 (NIPS), 2011."
    ),
    tables={
        "table_data_sets": table_data_sets,
        "table1": table1,
        "table_readings": table_readings,
        "table1_seconds": table1_seconds,
        "table_significance": table_significance,
        "table_exact": table_exact,
        "table_f_beta": table_f_beta,
        "table_calibration": table_calibration,
        "table_gradient_boosting": table_gradient_boosting,
    },
    figures={
        "figure1_left": figure1_left,
        "figure1_centre": figure1_centre,
        "figure1_right": figure1_right,
        "figure_propositions": figure_propositions,
        "figure_calibration": figure_calibration,
    },
    claims=CLAIMS,
    figure_captions=FIGURE_CAPTIONS,
    intervals=label_intervals,
    timed=(
        "table1_seconds",
        "figure1_right",
        "gfm_is_drastically_faster_than_meuf",
    ),
)
