"""What is compared, on what, and how reports call it."""

from beyond_accuracy_pipeline.reporting.arena.recommendation import Contestants

DATA_SETS = (
    "scene", "yeast-multilabel", "enron", "mediamill-reduced", "generated-text-multilabel",
)  # fmt: skip

METHODS = {
    "br": "BR",
    "br_hgb": "BR on HGB",
    "efp": "EFP",
    "pcc": "PCC",
}

CONTESTANTS = Contestants(
    simple_first=(
        "BR, marginal_threshold",
        "BR, macro_f1_thresholds",
        "BR, micro_f1_threshold",
        "BR, meuf",
        "BR on HGB, marginal_threshold",
        "BR on HGB, macro_f1_thresholds",
        "BR on HGB, micro_f1_threshold",
        "BR on HGB, meuf",
        "EFP, gfm",
        "PCC, marginal_threshold",
        "PCC, meuf",
        "PCC, gfm",
    ),
    plain=("BR, marginal_threshold", "BR on HGB, marginal_threshold"),
    tuned=tuple(
        f"{model}, {decision}"
        for model in ("BR", "BR on HGB")
        for decision in ("macro_f1_thresholds", "micro_f1_threshold")
    ),
)
"""Decisions of binary relevance first, then those that need models of label vectors."""
