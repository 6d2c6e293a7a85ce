"""What is optimized: every measure once, with its score for testing and its loss for training.

A new one is one entry: of binary decisions in `registry`, of label vectors in `multilabel`, of
classes in `multiclass`.

Every measure of binary decisions takes `sample_weight` where it scores: a weight is a number of
repetitions. A multivariate SVM takes none where it trains, for these reasons:

=============================  =====  =======  =====================================================
measure                        score  train    weights in training
=============================  =====  =======  =====================================================
accuracy                       yes    yes      sum over examples: `CostSensitiveSVC` takes them
balanced_accuracy              yes    yes      the same
recall                         yes    yes      the same
roc_area                       yes    yes      repeat rows; a weight a pair would do, is not made
f1, f<beta>, jaccard           yes    yes      repeat rows; else the search is a knapsack problem
precision                      yes    yes      the same
prbep                          yes    yes      the same
precision_at_<k>               yes    yes      the same
recall_at_<k>                  yes    yes      the same
partial_roc_area_<a>_<b>       yes    yes      the same
average_precision              yes    yes      repeat rows; else orders of a class are not by score
recall_at_precision_<p>        yes    yes      repeat rows; or a threshold by constraints
precision_at_recall_<r>        yes    yes      the same
=============================  =====  =======  =====================================================

Where a measure is no sum, the search for the most violated labelling relies on examples that count
the same: then the labelling flips those of the highest scores. With weights that are no numbers of
copies it may be better to flip a light example than a heavy one of a higher score.
"""

from beyond_accuracy.measures.registry import (
    MEASURE_NAMES,
    Measure,
    contingency_measure,
    get_measure,
)

__all__ = ["MEASURE_NAMES", "Measure", "contingency_measure", "get_measure"]
