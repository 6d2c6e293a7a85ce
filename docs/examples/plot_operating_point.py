"""
A threshold under a constraint
==============================

Find the threshold with the highest recall among all thresholds with a precision of at least 0.8.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

from beyond_accuracy import OperatingPointClassifier
from beyond_accuracy.operating_points import OperatingPointDisplay

X, y = make_classification(4000, 20, weights=[0.9], class_sep=1.5, random_state=0)
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)
model = OperatingPointClassifier(
    LogisticRegression(), "recall", constraints="precision >= 0.8", n_resamples=200, random_state=0
).fit(X_train, y_train)
low, high = model.score_interval_
print(f"recall on out-of-fold scores: {model.best_score_:.3f}")
print(f"95 % interval for new data: {low:.3f} to {high:.3f}")

# %%
# The picture shows precision and recall of all thresholds on test data. The constraint does not
# hold in the grey region. The bold part of the curve contains the thresholds of 95 % of the
# bootstrap samples.
#
# On new data, the precision may be below the limit. ``confidence=0.9`` chooses a threshold at which
# the constraint holds there with this probability.

OperatingPointDisplay.from_estimator(model, X_test, y_test)
plt.show()
