"""Names and labels of data sets, models, inference methods and measures of the paper.

Models are PCC (probabilistic classifier chains), BR (binary relevance, one classifier per label)
and EFP (exact F-measure plug-in). Inference methods, such as GFM and MEUF, decide which labels to
predict. A row of Table 1 is a pair (model, inference method).
"""

from beyond_accuracy_pipeline.reporting.report import Report

DATA_SETS = ("scene", "yeast-multilabel", "enron", "mediamill")

PCC, BR, EFP = "pcc", "br", "efp"
PCC_BOOSTING, BR_BOOSTING = "pcc_gradient_boosting", "br_gradient_boosting"
MODELS = {
    PCC: "PCC",
    BR: "BR",
    EFP: "EFP",
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

Row = tuple[str, str]
"""A model and an inference method."""

# The eight rows of Table 1, as printed.
ROWS: tuple[Row, ...] = (
    *((PCC, inference) for inference in INFERENCES),
    *((BR, inference) for inference in (THRESHOLD, "meuf_approx", "meuf")),
)
TAILORED = tuple(row for row in ROWS if row[1] != THRESHOLD)
# The most useful methods that the paper does not have.
BEYOND: tuple[Row, ...] = (
    (EFP, "gfm"),
    (PCC_BOOSTING, "gfm"),
    (PCC_BOOSTING, "meuf"),
    (BR_BOOSTING, "meuf"),
)
FAMILY = {"gfm": "GFM", "gfm_threshold": "GFM", "meuf_approx": "MEUF", "meuf": "MEUF"}

HAMMING_LOSS = "hamming_loss"
MEASURES = {
    HAMMING_LOSS: "Hamming loss",
    "f1_macro": "Macro-F",
    "f1_micro": "Micro-F",
    "f1_instance": "F-measure",
    "f0.5_instance": "F½",
    "f2_instance": "F2",
}
F_MEASURE = "f1_instance"
PRINTED_MEASURES = (F_MEASURE, HAMMING_LOSS, "f1_macro", "f1_micro")

# Largest difference at which a value agrees with the printed one.
TOLERANCE = 0.02


def row_label(model: str, inference: str, between: str = " ") -> str:
    """Return the table label of a model with an inference method, such as "PCC GFM"."""
    return MODELS.get(model, model) + between + INFERENCES.get(inference, inference)


def measure_label(measure: str) -> str:
    return MEASURES.get(measure, measure)


def table_measures(report: Report) -> list[str]:
    """Return the measures that tables show.

    Measures in Table 1 of Dembczyński et al. (2011) come first, then measures that users added to
    the configuration.
    """
    return [name for name in PRINTED_MEASURES if name in report.measures] + [
        name for name in report.measures if name not in MEASURES
    ]


def table_rows(
    report: Report, rows: tuple[Row, ...] = ROWS, inferences: tuple[str, ...] = tuple(INFERENCES)
) -> list[Row]:
    """Return the rows of a table as pairs (model, inference method).

    First are the pairs in `rows` whose model is selected in the configuration. Then follow models
    that users added, each with its configured methods among `inferences`.
    """
    methods, selected = report.configuration["methods"], report.methods()
    return [row for row in rows if row[0] in selected] + [
        (model, inference)
        for model in report.methods(())
        for inference in inferences
        if inference in methods[model]["inference"]
    ]
