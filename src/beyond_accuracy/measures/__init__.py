"""Performance measures: scores for tests, losses for training, and values on bootstrap resamples.

Each measure is defined once. To add a measure, add one entry to a module:

- `registry` for binary decisions;
- `threshold_measures` for binary decisions, if the measure has no training loss;
- `multilabel` for label sets;
- `multiclass` for predicted classes.

Macro-F1 averages F1 over classes. Three conventions for absent classes are in use:

===========================================================  =====================================
function                                                     averages over
===========================================================  =====================================
`multilabel.macro_f_beta_of_all_labels` ("f1_macro")         all labels; an absent one counts as 0
`multiclass.macro_f1_of_true_classes` ("f1_macro")           classes with a true example
`multiclass.macro_f1_of_true_or_predicted_classes`           classes that are true or predicted
("macro_f1_loss" is 1 minus it)
===========================================================  =====================================

The score of every measure of binary decisions takes `sample_weight`, the number of repetitions of
each example. Training with weights depends on the measure:

- "accuracy", "balanced_accuracy" and "recall" are sums over examples: `CostSensitiveSVC` takes
  weights.
- "recall_at_precision_<p>" and "precision_at_recall_<r>" have no training loss:
  `OperatingPointClassifier` takes weights and constraints.
- For all other measures, repeat rows. The search for the most violated labelling flips the highest
  scores, which is right for examples of equal weight only. With other weights it may be better to
  flip a light example than a heavy one with a higher score. For average precision, even the order
  of a class would not be by score; for the ROC area, weights per pair are not built.
"""

from beyond_accuracy.measures.registry import (
    MEASURE_NAMES,
    Measure,
    contingency_measure,
    get_measure,
)

__all__ = ["MEASURE_NAMES", "Measure", "contingency_measure", "get_measure"]
