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


def measure(tasks, sizes, repetitions, folder) -> Section:
    """F1, half of the examples for testing: seconds, and what the C chosen reaches."""
    generated = documents(sizes.sparse_rows, sizes.sparse_features, topic_share=_TOPIC_SHARE)
    rows, targets = [], []
    for task in (generated, tasks.ijcnn1):
        if task is not None:
            own, ratio = _of_task(task, repetitions)
            rows += own
            named = f"{task.name}: paths of all folds over the largest C alone"
            targets.append(Target.at_most(named, _RATIO_ASKED, ratio, "×"))
    return Section(
        "C by cross-validation",
        f"F1 on half of {generated.describe()}, and of ijcnn1 if it is at hand; {_FOLDS} folds, "
        f"{MultivariateSVCCV().Cs} values of C and more while the last is best, each to a gap of "
        f"{MultivariateSVCCV().candidate_tol:g} whether C is the largest or one of all; F1 is that "
        "of the other half.",
        ("data", "", "value"),
        rows,
        targets,
    )


def _of_task(task, repetitions):
    """Rows of one task, and the seconds of paths over those of their ends alone."""
    train, test = (np.arange(start, len(task.positive), 2) for start in (0, 1))
    X, y = task.X[train], task.positive[train]
    splits = list(StratifiedKFold(_FOLDS).split(X, y))
    chosen = MultivariateSVCCV(cv=splits).fit(X, y)
    candidate = Candidate(C_convention="scaled", tol=chosen.candidate_tol)

    def paths(Cs):
        candidates = [{"C": C} for C in Cs]
        for fold, other in splits:
            candidate.path_decisions(X[fold], y[fold], X[other], candidates)

    (whole, _), (every, _), (largest, _) = median_seconds(
        repetitions,
        lambda: MultivariateSVCCV(cv=splits).fit(X, y),
        lambda: paths(chosen.Cs_),
        lambda: paths(chosen.Cs_[-1:]),
    )
    threshold = OperatingPointClassifier(LogisticRegression(max_iter=1000), "f1", cv=splits)
    rows = []
    for what, classifier in (
        (f"F1 of the C chosen, {chosen.C_:.3g} in units of the data", chosen),
        ("F1 of C = 1 in these units", MultivariateSVC(C_convention="scaled").fit(X, y)),
        ("F1 of LIBLINEAR's C = 1", MultivariateSVC(C=1, C_convention="liblinear").fit(X, y)),
        ("F1 of a logistic regression with a threshold", threshold.fit(X, y)),
    ):
        rows.append((what, f1_score(task.positive[test], classifier.predict(task.X[test]))))
    rows += [
        ("seconds of the paths of all folds", every),
        ("seconds of the folds at the largest C alone", largest),
        ("seconds of the paths and the last fit", whole),
    ]
    return [(task.name, what, significant(value)) for what, value in rows], every / largest
