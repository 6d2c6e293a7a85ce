"""
Costs that differ from row to row
=================================

Decide which payments to check, if a missed fraud costs its amount and a check costs 10.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

from beyond_accuracy import OperatingPointClassifier, ReweightedClassifier

X, fraud = make_classification(4000, weights=[0.9], flip_y=0.1, random_state=0)
amounts = np.random.default_rng(0).gamma(1.0, 80.0, len(fraud))
costs = np.zeros((len(fraud), 2, 2))  # costs[row, true, predicted]
costs[:, 1, 0] = amounts
costs[:, :, 1] = 10.0
train, test = train_test_split(np.arange(len(fraud)), stratify=fraud, random_state=0)

by_row = ReweightedClassifier(LogisticRegression(), "expected_cost")
checked = by_row.fit(X[train], fraud[train], cost_matrix=costs[train]).predict(X[test], costs[test])
one_threshold = OperatingPointClassifier(LogisticRegression(), costs[train].mean(axis=0))
above = one_threshold.fit(X[train], fraud[train]).predict(X[test])
for name, predicted in [("row by row", checked), ("one threshold", above)]:
    paid = costs[test][np.arange(len(test)), fraud[test], predicted]
    print(f"{name}: {paid.mean():.2f} per payment")

# %%
# Each point is a payment of the test data. Large payments are checked even if fraud is unlikely,
# and small ones are never checked. One threshold on the probability would be a vertical line.

probabilities = by_row.estimator_.predict_proba(X[test])[:, 1]
figure, axes = plt.subplots(layout="constrained")
for value, label in [(0, "not checked"), (1, "checked")]:
    rows = checked == value
    axes.loglog(probabilities[rows], amounts[test][rows], ".", markersize=4, label=label)
axes.axvline(one_threshold.best_threshold_, color="0.4", linestyle="--", label="one threshold")
axes.set(xlabel="Probability of fraud", ylabel="Amount", ylim=(1, None))
axes.legend()
plt.show()
