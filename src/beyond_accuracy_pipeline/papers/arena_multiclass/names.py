"""What is compared, on what, and how reports call it."""

from beyond_accuracy_pipeline.reporting.arena.recommendation import Contestants

DATA_SETS = (
    "balance-scale", "car", "cmc", "dermatology", "ecoli", "glass", "page-blocks", "segment",
    "splice-weka", "vehicle", "vowel", "waveform-5000", "wine-weka",
)  # fmt: skip

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
"""From simple to elaborate: the order in which one is preferred to others as good."""

CONTESTANTS = Contestants(
    simple_first=tuple(METHODS),
)
