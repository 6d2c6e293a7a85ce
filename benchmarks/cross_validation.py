"""C by cross-validation: `MultivariateSVCCV` against `GridSearchCV`."""

import numpy as np
from sklearn.model_selection import GridSearchCV, StratifiedKFold

from benchmarks.report import Section, show, significant
from benchmarks.tasks import documents
from benchmarks.timing import median_seconds
from beyond_accuracy.estimators import MultivariateSVC, MultivariateSVCCV
from beyond_accuracy.measures import get_measure

_FOLDS = 5
# Fewer words on the topic than in the generated text, which a good C separates without an error.
_TOPIC_SHARE = 0.08
_MEASURES = ("f1", "prbep", "roc_area", "average_precision")


def measure(tasks, sizes, repetitions, folder) -> Section:
    """Measure the search over C for four measures; half of the data is for testing."""
    generated = documents(sizes.sparse_rows, sizes.sparse_features, topic_share=_TOPIC_SHARE)
    rows = []
    for task in (generated, tasks.get("ijcnn1")):
        if task is None:
            continue
        train, test = _halves(len(task.positive))
        for name in _MEASURES:
            rows.append((task.name, *_row(task, train, test, name, repetitions)))
            show(rows[-1])
    tol = MultivariateSVCCV().candidate_tol
    return Section(
        "C by cross-validation",
        f"A random half of the data, and C by {_FOLDS} folds. `MultivariateSVCCV` reuses the work "
        "of one C for the next, and tries more values while the largest is best. `GridSearchCV` "
        f"fits `MultivariateSVC` anew for each of the same values. All fits of folds have a gap of "
        f"{tol:g}; the last fit on the whole half has the default gap on both sides. The measure "
        "is that of the other half. The generated text has fewer words on the topic than above.",
        (
            "data", "measure", "values of C", "GridSearchCV, s", "this package, s", "ratio",
            "GridSearchCV, measure", "this package, measure",
        ),
        rows,
    )  # fmt: skip


def _halves(n):
    """Return random rows for training and testing, as rows of ijcnn1 are a time series."""
    order = np.random.default_rng(0).permutation(n)
    return np.sort(order[: n // 2]), np.sort(order[n // 2 :])


def _row(task, train, test, name, repetitions):
    X, y = task.X[train], task.positive[train]
    measure = get_measure(name)
    folds = StratifiedKFold(_FOLDS)
    path = MultivariateSVCCV(name, cv=folds)
    Cs = path.fit(X, y).Cs_

    def scorer(model, X, y):
        return measure.score(y, model.decision_function(X))

    def search():
        single = MultivariateSVC(name, C_convention="scaled", tol=path.candidate_tol)
        grid = GridSearchCV(single, {"C": Cs}, scoring=scorer, cv=folds, refit=False).fit(X, y)
        return single.set_params(C=grid.best_params_["C"], tol=path.tol).fit(X, y)

    (ours, chosen), (theirs, other) = median_seconds(repetitions, lambda: path.fit(X, y), search)
    scores = [scorer(model, task.X[test], task.positive[test]) for model in (other, chosen)]
    times = (significant(theirs), significant(ours), f"{significant(theirs / ours)}×")
    return (measure.label, f"{len(Cs)}", *times, *(f"{score:.4f}" for score in scores))
