"""
Three F-measures of several labels
==================================

Choose the labels of each row for one of three F1 measures, from the same classifier.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import train_test_split
from sklearn.multioutput import MultiOutputClassifier

from beyond_accuracy import MultiLabelOperatingPointClassifier

rng = np.random.default_rng(0)
X = rng.normal(size=(4000, 20))
# Ten labels, from frequent to rare.
scores = X @ rng.normal(scale=0.3, size=(20, 10)) - np.linspace(0.5, 4, 10)
Y = (scores + rng.logistic(size=scores.shape) > 0).astype(int)
X_train, X_test, Y_train, Y_test = train_test_split(X, Y, random_state=0)
base = MultiOutputClassifier(LogisticRegression())
measures = {"f1_instance": "samples", "f1_macro": "macro", "f1_micro": "micro"}
rules = {"probability above 1/2": base}
for objective in measures:
    rules[f"tuned for {objective}"] = MultiLabelOperatingPointClassifier(base, objective)

values = np.empty((len(rules), len(measures)))
for row, model in enumerate(rules.values()):
    predicted = model.fit(X_train, Y_train).predict(X_test)
    for column, average in enumerate(measures.values()):
        values[row, column] = f1_score(Y_test, predicted, average=average, zero_division=1)

# %%
# The picture shows F1 on test data. Each measure is the mean over rows (instance), the mean over
# labels (macro), or F1 of all decisions together (micro). In each column, the highest value is the
# one of the rule that was tuned for the measure.

figure, axes = plt.subplots(figsize=(6.4, 3.2), layout="constrained")
axes.imshow(values / values.max(axis=0), cmap="Blues", vmin=0.6, vmax=1.4, aspect="auto")
axes.set_xticks(range(3), list(measures))
axes.set_yticks(range(len(rules)), list(rules))
for (row, column), value in np.ndenumerate(values):
    best = value == values[:, column].max()
    weight = "bold" if best else "normal"
    axes.text(column, row, f"{value:.3f}", ha="center", va="center", weight=weight)
plt.show()
