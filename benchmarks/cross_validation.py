"""C by cross-validation, against the fits at the largest C alone."""

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold

from benchmarks.report import Section, Target, significant
from benchmarks.tasks import documents
from benchmarks.timing import median_seconds
from beyond_accuracy.estimators import (
    MultivariateSVC,
    MultivariateSVCCV,
    OperatingPointClassifier,
)
from beyond_accuracy.estimators.multivariate_svc_cv import Candidate

_RATIO_ASKED = 1.5
_FOLDS = 5
# Fewer words on the topic than in the sparse task, which a good C separates without an error.
_TOPIC_SHARE = 0.08
_MEASURES = ("f1", "prbep", "roc_area", "average_precision")


def measure(tasks, sizes, repetitions, folder) -> Section:
    """Half of the data for testing: seconds of four measures, and F1 that the C chosen reaches."""
    generated = documents(sizes.sparse_rows, sizes.sparse_features, topic_share=_TOPIC_SHARE)
    rows, targets = [], []
    for task in (generated, tasks.ijcnn1):
        if task is not None:
            halves = _half(task, 0), _half(task, 1)
            splits = list(StratifiedKFold(_FOLDS).split(*halves[0]))
            for name in _MEASURES:
                seconds, ratio = _seconds(*halves[0], name, splits, repetitions)
                rows += [(task.name, *row) for row in seconds]
                named = f"{task.name}, {name}: paths of all folds over the largest C alone"
                targets.append(Target.at_most(named, _RATIO_ASKED, ratio, "×"))
            rows += [(task.name, "f1", *row) for row in _f1_of_classifiers(*halves, splits)]
    return Section(
        "C by cross-validation",
        f"Half of {generated.describe()}, and of ijcnn1 if it is at hand; {_FOLDS} folds, "
        f"{MultivariateSVCCV().Cs} values of C and more while the last is best, each to a gap of "
        f"{MultivariateSVCCV().candidate_tol:g} whether C is the largest or one of all; F1 is that "
        "of the other half.",
        ("data", "measure", "", "value"),
        rows,
        targets,
    )


def _half(task, start):
    rows = np.arange(start, len(task.positive), 2)
    return task.X[rows], task.positive[rows]


def _seconds(X, y, measure, splits, repetitions):
    """Rows of one measure, and the seconds of paths over those of their ends alone.

    Also those of `MultivariateSVC` there, whose gap is a tenth of the candidates'.
    """
    chosen = MultivariateSVCCV(measure, cv=splits).fit(X, y)

    def paths(Cs):
        candidate = Candidate(measure, C_convention="scaled", tol=chosen.candidate_tol)
        candidates = [{"C": C} for C in Cs]
        for fold, other in splits:
            candidate.path_decisions(X[fold], y[fold], X[other], candidates)

    def largest_by_default():
        for fold, _ in splits:
            MultivariateSVC(measure, C=chosen.Cs_[-1], C_convention="scaled").fit(X[fold], y[fold])

    (whole, _), (every, _), (largest, _), (default, _) = median_seconds(
        repetitions,
        lambda: MultivariateSVCCV(measure, cv=splits).fit(X, y),
        lambda: paths(chosen.Cs_),
        lambda: paths(chosen.Cs_[-1:]),
        largest_by_default,
    )
    rows = [
        ("values of C", len(chosen.Cs_)),
        ("seconds of the paths of all folds", significant(every)),
        ("seconds of the folds at the largest C alone", significant(largest)),
        ("the same by MultivariateSVC, to its default gap", significant(default)),
        ("seconds of the paths and the last fit", significant(whole)),
    ]
    return [(measure, *row) for row in rows], every / largest


def _f1_of_classifiers(train, test, splits):
    threshold = OperatingPointClassifier(LogisticRegression(max_iter=1000), "f1", cv=splits)
    chosen = MultivariateSVCCV(cv=splits).fit(*train)
    rows = []
    for what, classifier in (
        (f"F1 of the C chosen, {chosen.C_:.3g} in units of the data", chosen),
        ("F1 of C = 1 in these units", MultivariateSVC(C_convention="scaled").fit(*train)),
        ("F1 of LIBLINEAR's C = 1", MultivariateSVC(C=1, C_convention="liblinear").fit(*train)),
        ("F1 of a logistic regression with a threshold", threshold.fit(*train)),
    ):
        X, y = test
        rows.append((what, significant(f1_score(y, classifier.predict(X)))))
    return rows
