"""Multi-class arena: a comparison of decision rules for the scores of today's classifiers."""

from beyond_accuracy_pipeline.reporting.arena.paper import arena
from beyond_accuracy_pipeline.reporting.arena.recommendation import Contestants

# From simple to elaborate: a simpler method is preferred to an equally good one.
METHODS = {
    "lr": "LR",
    "lr_expected_cost": "LR, least expected cost",
    "hgb": "HGB, calibrated",
    "hgb_expected_cost": "HGB, calibrated, least expected cost",
    "lr_sequential": "LR, LF",
    "lr_meta_class": "LR, MetaClass",
    "lr_coordinate_descent": "LR, coordinate descent",
    "hgb_sequential": "HGB, LF",
    "hgb_meta_class": "HGB, MetaClass",
    "hgb_coordinate_descent": "HGB, coordinate descent",
}

PAPER = arena(
    "arena_multiclass",
    "Arena, several classes",
    "The arena of several classes: which decision rule",
    data_sets=(
        "balance-scale", "car", "cmc", "dermatology", "ecoli", "glass", "page-blocks", "segment",
        "splice-weka", "vehicle", "vowel", "waveform-5000", "wine-weka",
    ),
    methods=METHODS,
    contestants=Contestants(simple_first=tuple(METHODS)),
)  # fmt: skip
