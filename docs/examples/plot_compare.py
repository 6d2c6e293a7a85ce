"""
Compare classifiers
===================

Find out which classifier is best for F1, and whether a tuned threshold is enough.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from beyond_accuracy import compare

X, y = load_breast_cancer(return_X_y=True)
models = {
    "naive Bayes": GaussianNB(),
    "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
    "tree": DecisionTreeClassifier(min_samples_leaf=10, random_state=0),
}
comparison = compare(models, X, y, measures=["f1"], pos_label=0)  # 0: malignant
print(comparison.recommendation["f1"])

# %%
# Lines are 95 % intervals from five outer folds. The recommended method is the first in the list
# that is as good as the best one. ``comparison.to_html`` writes a page with these results.

table = comparison.table[::-1]
figure, axes = plt.subplots(figsize=(6.4, 3.2), layout="constrained")
colours = ["tab:blue" if chosen else "0.6" for chosen in table["recommended"]]
names = [f"{row.method}, {row.variant}" for row in table.itertuples()]
axes.hlines(names, table["low"], table["high"], color=colours)
axes.scatter(table["value"], names, color=colours)
axes.set(xlabel="F1")
plt.show()
