"""Searches for the most violated labelling, for each family of losses.

A search object ("oracle") takes scores with the positives first. It has three methods:

- `search(scores)` returns a labelling with `value` and `loss`.
- `slope(labelling, scores, direction)` returns the derivative of the value along a direction.
- `weights(labelling, scores, out)` returns weights such that value = loss + weights @ scores. All
  weights are integer multiples of `scale`, and the integers fit `weight_type`.

`make_oracle` in `beyond_accuracy.solvers.multivariate_svm` chooses the search for a loss.
"""
