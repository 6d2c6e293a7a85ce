"""
How the multivariate SVM is solved
==================================

Follow the duality gap of a multivariate SVM for F1, and draw the search that each iteration makes.
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
# A multivariate SVM minimizes ½‖w‖² + C·ξ, where ξ bounds the loss of all predictions at once.
# There is one constraint per labelling of the n examples, so there are 2ⁿ. The solver adds the most
# violated constraint in each iteration. The constraints so far give a lower bound on the objective,
# and any w gives an upper bound. The fit ends if the gap between both is small enough (dotted
# line).

primal = np.minimum.accumulate([each.primal for each in model.history_])
dual = np.maximum.accumulate([each.dual for each in model.history_])
figure, axes = plt.subplots(layout="constrained")
axes.semilogy((primal - dual) / primal)
axes.axhline(model.tol, color="0.6", linestyle=":")
axes.set(xlabel="Iteration", ylabel="Relative duality gap")

# %%
# The most violated labelling
# ---------------------------
# F1 depends on two numbers: how many positives are labelled negative, and how many negatives are
# labelled positive. For each pair, the most violated labelling takes the positives with the lowest
# scores and the negatives with the highest scores. The picture shows the violation for every pair.
# The dot is the largest one. The solver finds it from bounds on parts of the picture, without
# computing all pairs.

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
