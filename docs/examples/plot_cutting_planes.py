"""
How the multivariate SVM is solved
==================================

A multivariate SVM minimizes ½‖w‖² + C·ξ, where ξ bounds the loss of *all* predictions at once: one
constraint for each of the 2ⁿ labellings of n examples (Joachims 2005, optimization problem 3). The
solver keeps a model of that risk, a maximum of planes, and adds the plane of one labelling in each
iteration: the one whose constraint is violated most.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification

from beyond_accuracy import MultivariateSVC
from beyond_accuracy.measures import get_measure

X, y = make_classification(2000, 20, weights=[0.9], flip_y=0.05, random_state=0)
model = MultivariateSVC("f1", C=10.0, tol=1e-4).fit(X, y)

# %%
# The duality gap
# ---------------
# The model lies below the risk, so that its minimum is a lower bound; the objective at any w is an
# upper one. Their difference certifies the result, whatever the path to it: a fit ends when the gap
# is below ``tol``, relative to the objective.

primal = np.minimum.accumulate([each.primal for each in model.history_])
dual = np.maximum.accumulate([each.dual for each in model.history_])
figure, axes = plt.subplots(layout="constrained")
axes.semilogy((primal - dual) / primal)
axes.axhline(model.tol, color="0.6", linestyle=":")
axes.set(xlabel="Iteration", ylabel="Relative duality gap")

# %%
# The most violated labelling
# ---------------------------
# A measure of the contingency table depends on a labelling by two numbers alone: how many positives
# are labelled negative, and how many negatives positive. Given both, the labelling that violates
# most takes the positives with the lowest scores and the negatives with the highest. There are P·N
# such pairs; here is what each adds to the loss. The solver finds the largest by bounds on parts of
# this picture, in time that grows with n, not with P·N.

scores = model.decision_function(X)
positives, negatives = np.sort(scores[y == 1]), np.sort(scores[y == 0])[::-1]
n_positives = len(positives)
missed, wrong = np.ogrid[: n_positives + 1, : len(negatives) + 1]
f1 = get_measure("f1").table_function
loss = 100 * (1 - f1(n_positives - missed, wrong, missed, len(negatives) - wrong))
# A positive that is labelled negative takes its score from the sum, a negative adds its own.
changes = np.append(0, np.cumsum(-positives))[:, None] + np.append(0, np.cumsum(negatives))
violation = loss + 100 / len(y) * changes
best = np.unravel_index(violation.argmax(), violation.shape)

figure, axes = plt.subplots(layout="constrained")
picture = axes.pcolormesh(violation, rasterized=True)
axes.plot(best[1], best[0], "o", color="white", markeredgecolor="black")
axes.set(xlabel="Negatives labelled positive", ylabel="Positives labelled negative")
figure.colorbar(picture, label="Loss and difference of scores, in percent")
plt.show()
