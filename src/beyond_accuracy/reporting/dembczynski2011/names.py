"""What the paper compares, how its reports call it, and what is printed for it."""

from collections.abc import Mapping

from beyond_accuracy.published import published_table

PAPER = "dembczynski2011"
PCC, BR = "pcc", "br"
PCC_UNSCALED, BR_UNSCALED = "pcc_unscaled", "br_unscaled"
PCC_BOOSTING, BR_BOOSTING = "pcc_gradient_boosting", "br_gradient_boosting"
MODELS = {
    PCC: "PCC",
    BR: "BR",
    PCC_BOOSTING: "PCC, gradient boosting",
    BR_BOOSTING: "BR, gradient boosting",
}

THRESHOLD = "marginal_threshold"
INFERENCES = {
    THRESHOLD: "H",
    "gfm": "GFM",
    "gfm_threshold": "GFM-T",
    "meuf_approx": "MEUF approx",
    "meuf": "MEUF",
}

# The eight rows of Table 1, as printed.
ROWS = (
    *((PCC, inference) for inference in INFERENCES),
    *((BR, inference) for inference in (THRESHOLD, "meuf_approx", "meuf")),
)
TAILORED = tuple(row for row in ROWS if row[1] != THRESHOLD)
FAMILY = {"gfm": "GFM", "gfm_threshold": "GFM", "meuf_approx": "MEUF", "meuf": "MEUF"}

# The published files name data sets as the paper does.
PUBLISHED_NAMES = {"yeast-multilabel": "yeast"}

MEASURES = {
    "hamming_loss": "Hamming loss",
    "f1_macro": "Macro-F",
    "f1_micro": "Micro-F",
    "f1_instance": "F-measure",
    "f0.5_instance": "F½",
    "f2_instance": "F2",
}
PRINTED_MEASURES = ("hamming_loss", "f1_macro", "f1_micro", "f1_instance")
F_MEASURE = "f1_instance"

# An F-measure agrees with the printed one up to this.
TOLERANCE = 0.02


def row_label(model: str, inference: str) -> str:
    """How tables call a model with an inference method."""
    return f"{MODELS[model]} {INFERENCES[inference]}"


def published_values() -> Mapping[tuple[str, str, str, str], float]:
    """Values of Table 1 by (data set, measure, model, inference); those not printed are absent."""
    rows = published_table(PAPER, "table1") or []
    return {
        (row["data_set"], row["measure"], row["model"], row["inference"]): float(row["value"])
        for row in rows
        if row["value"]
    }


def published_sizes() -> Mapping[tuple[str, str], float]:
    """Sizes of the data sets as printed, by (data set, quantity)."""
    rows = published_table(PAPER, "datasets") or []
    return {(row["data_set"], row["quantity"]): float(row["value"]) for row in rows if row["value"]}


def published_name(data_set: str) -> str:
    """What the paper calls a data set."""
    return PUBLISHED_NAMES.get(data_set, data_set)
