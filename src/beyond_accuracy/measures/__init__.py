"""What is optimized: every measure once, with its score for testing and its loss for training.

A new one is one entry: of binary decisions in `registry`, of label vectors in `multilabel`, of
classes in `multiclass`.
"""

from beyond_accuracy.measures.registry import (
    MEASURE_NAMES,
    Measure,
    contingency_measure,
    get_measure,
)

__all__ = ["MEASURE_NAMES", "Measure", "contingency_measure", "get_measure"]
