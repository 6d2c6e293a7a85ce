"""Oracles that find the most violated labelling, for each family of losses.

A labelling is a vector of predicted labels or a ranking. The most violated labelling belongs to the
most violated constraint of a multivariate SVM. An oracle takes scores with the positives first. It
has three methods:

- `search(scores)` returns a labelling with `value` and `loss`.
- `slope(labelling, scores, direction)` returns the derivative of the value along a direction.
- `weights(labelling, scores, out)` returns weights such that value = loss + weights @ scores. All
  weights are integer multiples of `scale`, and the integers fit `weight_type`.

`make_oracle` in `beyond_accuracy.solvers.multivariate_svm` chooses the oracle for a loss.
"""
