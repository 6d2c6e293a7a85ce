"""Dembczyński et al., An Exact Algorithm for F-Measure Maximization, NIPS 2011."""

from beyond_accuracy.papers.dembczynski2011.claims import CLAIMS
from beyond_accuracy.papers.dembczynski2011.figures import FIGURES
from beyond_accuracy.papers.dembczynski2011.names import DATA_SETS, MODELS
from beyond_accuracy.papers.dembczynski2011.table1 import table1, table_readings
from beyond_accuracy.papers.dembczynski2011.tables import (
    table1_seconds,
    table_calibration,
    table_data_sets,
    table_exact,
    table_f_beta,
    table_gradient_boosting,
    table_significance,
)
from beyond_accuracy.reporting import Paper

PAPER = Paper(
    id="dembczynski2011",
    title="An Exact Algorithm for F-Measure Maximization",
    citation=(
        "K. Dembczyński, W. Waegeman, W. Cheng, E. Hüllermeier, An Exact Algorithm for F-Measure "
        "Maximization, Advances in Neural Information Processing Systems 24 (NIPS), 2011."
    ),
    data_sets=DATA_SETS,
    methods=MODELS,
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
    figures=FIGURES,
    claims=CLAIMS,
    timed=(
        "table1_seconds",
        "figure1_right",
        "gfm_is_drastically_faster_than_meuf",
    ),
)
