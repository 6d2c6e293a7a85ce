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
each example. The training of a multivariate SVM does not, for these reasons:

=============================  =====  =======  =====================================================
measure                        score  train    weights in training
=============================  =====  =======  =====================================================
accuracy                       yes    yes      sum over examples: `CostSensitiveSVC` takes them
balanced_accuracy              yes    yes      the same
recall                         yes    yes      the same
roc_area                       yes    yes      repeat rows; weights per pair are not built
f1, f<beta>, jaccard           yes    yes      repeat rows; else the search is a knapsack problem
precision                      yes    yes      the same
prbep                          yes    yes      the same
precision_at_<k>               yes    yes      the same
recall_at_<k>                  yes    yes      the same
partial_roc_area_<a>_<b>       yes    yes      the same
average_precision              yes    yes      repeat rows; else orders of a class are not by score
recall_at_precision_<p>        yes    no       `OperatingPointClassifier` with constraints
precision_at_recall_<r>        yes    no       the same
any other `table_measure`      yes    yes      repeat rows; not trained if its loss is None
=============================  =====  =======  =====================================================

If a measure is not a sum over examples, the search for the most violated labelling needs examples
of equal weight: then it flips the highest scores. With other weights it may be better to flip a
light example than a heavy one with a higher score.
"""

from beyond_accuracy.measures.registry import (
    MEASURE_NAMES,
    Measure,
    contingency_measure,
    get_measure,
)

__all__ = ["MEASURE_NAMES", "Measure", "contingency_measure", "get_measure"]
