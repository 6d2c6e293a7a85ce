"""
Macro-F1 of several classes
===========================

Weight the class probabilities of a classifier so that macro-F1, the mean F1 per class, is high.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import train_test_split

from beyond_accuracy import ReweightedClassifier

X, y = make_classification(
    6000, 12, n_informative=6, n_classes=4, weights=[0.7, 0.18, 0.08, 0.04], random_state=0
)
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)
models = {
    "most probable class": LogisticRegression(max_iter=1000),
    "weights for macro-F1": ReweightedClassifier(
        LogisticRegression(max_iter=1000), scoring="f1_macro"
    ),
}

# %%
# The rare classes gain, and the frequent one loses little. The classifier and its probabilities are
# the same for both rules.

figure, axes = plt.subplots(layout="constrained")
for number, (name, model) in enumerate(models.items()):
    values = f1_score(y_test, model.fit(X_train, y_train).predict(X_test), average=None)
    print(f"{name}: macro-F1 {values.mean():.3f}")
    axes.bar(np.arange(4) + 0.4 * number - 0.2, values, width=0.4, label=name)
shares = np.bincount(y) / len(y)
names = [f"class {label}\n{share:.0%} of rows" for label, share in enumerate(shares)]
axes.set_xticks(range(4), names)
axes.set(ylabel="F1 on test data")
axes.legend()
plt.show()
