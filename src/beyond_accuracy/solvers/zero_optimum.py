"""Advice for fits whose optimum is w = 0."""

from beyond_accuracy.measures import get_measure
from beyond_accuracy.measures.losses import (
    AveragePrecisionLoss,
    PartialRocAreaLoss,
    RocAreaLoss,
    TopLoss,
)


def advice_at_zero(measure) -> str:
    """Return advice for a measure for which w = 0 is optimal, whatever C is."""
    other = 'train on another measure, such as "roc_area", or change the features'
    loss = get_measure(measure).loss
    if isinstance(loss, RocAreaLoss | PartialRocAreaLoss | AveragePrecisionLoss):
        return "change the features, or take a kernel or another classifier"
    if isinstance(loss, TopLoss):
        return f"rank by another classifier; {other}"
    objective = f'"{measure}"' if isinstance(measure, str) else "the measure"
    return (
        "choose a threshold of another classifier, as OperatingPointClassifier("
        f"LogisticRegression(), {objective}) does; {other}"
    )
