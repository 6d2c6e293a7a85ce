"""Multi-label arena: a comparison of models and decision rules on multi-label data sets."""

from beyond_accuracy_pipeline.reporting.arena.paper import arena
from beyond_accuracy_pipeline.reporting.arena.recommendation import Contestants

BINARY_RELEVANCE = ("BR", "BR on HGB")
THRESHOLDS = ("macro_f1_thresholds", "micro_f1_threshold")

PAPER = arena(
    "arena_multilabel",
    "Arena, several labels",
    "The arena of label vectors: which decision for which measure",
    data_sets=(
        "scene",
        "yeast-multilabel",
        "enron",
        "mediamill-reduced",
        "generated-text-multilabel",
    ),
    methods={"br": "BR", "br_hgb": "BR on HGB", "efp": "EFP", "pcc": "PCC"},
    # Decisions of binary relevance first, then decisions that need models of label vectors.
    contestants=Contestants(
        simple_first=(
            *(
                f"{model}, {decision}"
                for model in BINARY_RELEVANCE
                for decision in ("marginal_threshold", *THRESHOLDS, "meuf")
            ),
            "EFP, gfm",
            "PCC, marginal_threshold",
            "PCC, meuf",
            "PCC, gfm",
        ),
        plain=tuple(f"{model}, marginal_threshold" for model in BINARY_RELEVANCE),
        tuned=tuple(
            f"{model}, {decision}" for model in BINARY_RELEVANCE for decision in THRESHOLDS
        ),
    ),
)
