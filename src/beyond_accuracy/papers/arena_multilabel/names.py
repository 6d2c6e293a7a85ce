"""What is compared, on what, and how reports call it."""

from beyond_accuracy.reporting.arena.recommendation import Contestants

DATA_SETS = (
    "scene", "yeast-multilabel", "enron", "mediamill-reduced", "generated-text-multilabel",
)  # fmt: skip

METHODS = {
    "br": "BR",
    "efp": "EFP",
    "pcc": "PCC",
}

CONTESTANTS = Contestants(
    simple_first=(
        "BR, marginal_threshold",
        "BR, meuf",
        "EFP, gfm",
        "PCC, marginal_threshold",
        "PCC, meuf",
        "PCC, gfm",
    ),
    thresholds=("BR, marginal_threshold",),
)
"""Decisions of binary relevance first, then those that need models of label vectors."""
