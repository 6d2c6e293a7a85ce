"""
A budget of positive predictions
================================

Find as many positives as possible, if at most 100 of 1,000 rows can be checked.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

from beyond_accuracy import OperatingPointClassifier

X, y = make_classification(4000, weights=[0.85], flip_y=0.05, random_state=0)
X_train, X_new, y_train, y_new = train_test_split(X, y, train_size=3000, stratify=y, random_state=0)
budgets = np.arange(25, 401, 25)
found, used = [], []
for budget in budgets:
    model = OperatingPointClassifier(
        LogisticRegression(), "f1", constraints=f"predicted_positives <= {budget}", batch_size=1000
    ).fit(X_train, y_train)
    batch = model.predict_batch(X_new)
    used.append(batch.sum())
    found.append(y_new[batch == 1].sum())
at = list(budgets).index(100)
print(f"{used[at]} rows checked, {found[at]} of {y_new.sum()} positives found")

# %%
# The picture shows the same for other budgets. The F1 threshold leaves a part of a large budget
# unused, because most of the further rows are negative.

figure, axes = plt.subplots(layout="constrained")
axes.plot(budgets, used, "o-", label="rows checked")
axes.plot(budgets, found, "o-", label="positives found")
axes.axhline(y_new.sum(), color="0.6", linestyle=":", label="all positives")
axes.axvline(100, color="0.6", linewidth=1)
axes.set(xlabel="Budget", ylabel="Rows")
axes.legend()
plt.show()
