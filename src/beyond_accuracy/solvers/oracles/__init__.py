"""Oracles that evaluate the training loss of a multivariate SVM, one class per family of losses.

A labelling is a vector of predicted labels or a ranking. An oracle takes the scores of all
examples, positives first, and finds the most violated labelling: the one that maximizes its loss
plus a linear function of the scores. It has three methods:

- `search(scores)` returns this labelling, with its `value` (the maximum) and `loss`.
- `slope(labelling, scores, direction)` returns the derivative of the value along a direction.
- `weights(labelling, scores, out)` returns weights such that value = loss + weights @ scores. All
  weights are integer multiples of `scale`, and the integers fit `weight_type`.

`make_oracle` in `beyond_accuracy.solvers.multivariate_svm` chooses the oracle for a loss.
"""
