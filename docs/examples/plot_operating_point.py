"""
A threshold under a constraint
==============================

Recall at a precision of at least 0.8, for a classifier that was trained for something else. The
region where the constraint does not hold is grey; the bold part of the curve is where the threshold
would lie in 95 of 100 resamples of the out-of-fold scores.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

from beyond_accuracy import OperatingPointClassifier
from beyond_accuracy.operating_points import OperatingPointDisplay

X, y = make_classification(4000, 20, weights=[0.9], flip_y=0.05, random_state=0)
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)
model = OperatingPointClassifier(
    LogisticRegression(), "recall", constraints="precision >= 0.8", n_resamples=200, random_state=0
).fit(X_train, y_train)
OperatingPointDisplay.from_estimator(model, X_test, y_test)
plt.show()

# %%
# On the out-of-fold scores the constraint holds; on new data it may fail. ``confidence`` asks for a
# threshold at which it holds there with a stated probability.
print(f"recall {model.best_score_:.3f}, of which 95 % intervals {model.score_interval_}")
