"""The exact choice of a threshold against scikit-learn's, on the same scores."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import TunedThresholdClassifierCV

from benchmarks.report import Section, Target, significant
from benchmarks.timing import median_seconds
from beyond_accuracy.estimators import OperatingPointClassifier

_RATIO_ASKED = 30
_MEASURES = ("f1", "balanced_accuracy", "accuracy")


class _Scores(ClassifierMixin, BaseEstimator):
    """Its one feature is the probability of the positive class."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.column_stack([1 - X[:, 0], X[:, 0]])


def measure(tasks, sizes, repetitions, folder) -> Section:
    """One row a measure: seconds of the choice and the objective reached."""
    n = sizes.large_rows
    rng = np.random.default_rng(0)
    scores = rng.random(n)
    y = (rng.random(n) < scores**3).astype(int)
    X = scores[:, None]
    fitted = _Scores().fit(X, y)
    rows, targets = [], []
    for name in _MEASURES:
        exact = OperatingPointClassifier(fitted, name, cv="prefit")
        grid = TunedThresholdClassifierCV(fitted, scoring=name, cv="prefit", refit=False)
        (ours, chosen), (theirs, tuned) = median_seconds(
            repetitions, lambda exact=exact: exact.fit(X, y), lambda grid=grid: grid.fit(X, y)
        )
        ratio = theirs / ours
        rows.append(
            (
                name,
                significant(theirs),
                significant(ours),
                f"{significant(ratio)}×",
                f"{tuned.best_score_:.7f}",
                f"{chosen.best_score_:.7f}",
            )
        )
        targets += [
            Target(
                f"{name}: choosing one of {n:,} thresholds, time against scikit-learn's 100",
                f"{_RATIO_ASKED}×",
                f"{significant(ratio)}×",
                ratio >= _RATIO_ASKED,
            ),
            Target(
                f"{name}: the objective against scikit-learn's",
                "never lower",
                f"{chosen.best_score_ - tuned.best_score_:.2g} more",
                chosen.best_score_ >= tuned.best_score_,
            ),
        ]
    return Section(
        "Operating points",
        f"`OperatingPointClassifier` compares all thresholds on {n:,} scores, "
        '`TunedThresholdClassifierCV` 100 of them; both with cv="prefit" on the same scores.',
        ("measure", "scikit-learn, s", "this package, s", "ratio", "its best", "our best"),
        rows,
        targets,
    )
