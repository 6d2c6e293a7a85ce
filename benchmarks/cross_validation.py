"""C by cross-validation, against the fits at the largest C alone."""

import numpy as np
from sklearn.model_selection import StratifiedKFold

from benchmarks.report import Section, Target, significant
from benchmarks.tasks import documents
from benchmarks.timing import median_seconds
from beyond_accuracy.estimators import MultivariateSVC, MultivariateSVCCV
from beyond_accuracy.measures import get_measure

_RATIO_ASKED = 1.5
_FOLDS = 5
# Fewer words on the topic than in the sparse task, which a good C separates without an error.
_TOPIC_SHARE = 0.08


def measure(tasks, sizes, repetitions, folder) -> Section:
    """F1 on documents, half of them for testing: seconds, and what the C chosen reaches."""
    task = documents(sizes.sparse_rows, sizes.sparse_features, topic_share=_TOPIC_SHARE)
    train, test = (np.arange(start, len(task.positive), 2) for start in (0, 1))
    X, y = task.X[train], task.positive[train]
    splits = list(StratifiedKFold(_FOLDS).split(X, y))
    model = MultivariateSVCCV(cv=splits)
    MultivariateSVC().fit(X[:100], np.arange(100) < 10)

    def paths():
        return model.fit(X, y)

    def largest():
        parameters = {"C": model.Cs_[-1], "C_convention": "scaled"}
        for fold, _ in splits:
            MultivariateSVC(**parameters, tol=model.candidate_tol).fit(X[fold], y[fold])

    ((_, fitted),) = median_seconds(1, paths)
    (together, _), (alone, _) = median_seconds(repetitions, paths, largest)
    rows = []
    for what, classifier in (
        (f"chosen: C = {fitted.C_:.3g} in units of the data", fitted),
        ("C = 1 in these units", MultivariateSVC(C_convention="scaled").fit(X, y)),
        ("C = n/100, the default", MultivariateSVC().fit(X, y)),
    ):
        decisions = classifier.decision_function(task.X[test])
        reached = get_measure("f1").score(task.positive[test], decisions)
        rows.append((what, significant(reached)))
    rows += [
        ("seconds of the choice and the last fit", significant(together)),
        ("seconds of the folds at the largest C alone", significant(alone)),
    ]
    ratio = together / alone
    target = Target.at_most("cross-validation over the largest C alone", _RATIO_ASKED, ratio, "×")
    return Section(
        "C by cross-validation",
        f"F1 on half of {task.describe()}; {_FOLDS} folds, {len(fitted.Cs_)} values of C, each "
        f"fold to a gap of {model.candidate_tol:g} in both; F1 is that of the other half.",
        ("", "value"),
        rows,
        [target],
    )
