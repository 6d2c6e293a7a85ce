"""Operating points against other packages, on the same scores.

`uv run --group rivals python -m benchmarks rivals` prints this table alone.
"""

import os
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, get_scorer
from sklearn.model_selection import (
    KFold,
    StratifiedKFold,
    TunedThresholdClassifierCV,
    cross_val_predict,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.report import Section, bold, significant
from benchmarks.tasks import MIRROR_VARIABLE, read_data_set
from benchmarks.timing import median_seconds
from beyond_accuracy.estimators import (
    MultiLabelOperatingPointClassifier,
    OperatingPointClassifier,
    ReweightedClassifier,
)
from beyond_accuracy.measures.operating_curve import RankedExamples
from beyond_accuracy.operating_points import best_operating_point, make_objective

_MODULES = {
    "optimal_cutoffs": "optimal-classification-cutoffs",
    "xcolumns": "xcolumns",
    "imblearn": "imbalanced-learn",
    "sklearn": "scikit-learn",
}
_LABELS = 20
_BUDGETS = (None, 1, 3)
_FOLDS = 5
_MEASURES = ("f1", "balanced_accuracy", "accuracy")


class _Marginals(ClassifierMixin, BaseEstimator):
    """Classifier whose features are the probabilities."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return X


def measure(tasks, sizes, repetitions, folder) -> Section:
    """Measure each problem and package: objective on the same scores, and seconds."""
    rng = np.random.default_rng(0)
    n = min(sizes.large_rows, 20_000)
    # With one division into halves, chance decides between two thresholds.
    divisions = 2 if sizes.quick else 10
    rows = [
        *_thresholds(sizes.large_rows, repetitions),
        *_binary(rng, n, repetitions),
        *_several_classes(rng, n, repetitions),
        *_several_labels(rng, n, repetitions),
        *_resampling(rng, n, divisions, repetitions),
        *_folds_of_breast_cancer(divisions, repetitions),
        *_classes_of_digits(repetitions),
    ]
    if "ijcnn1" in tasks:
        task, some = tasks["ijcnn1"], slice(20_000)
        y = task.positive[some].astype(int)
        rows += _tuned(task.name, task.X[some], y, divisions, repetitions)
    if os.environ.get(MIRROR_VARIABLE):
        for name in ("yeast-multilabel", "scene"):
            rows += _labels_of(read_data_set(name), repetitions)
    return Section(
        "Operating points against other packages",
        f"Generated data of {n:,} rows, and real data. The objective is measured on the scores "
        "that chose the decisions. Where the problem says so, it is the mean on new rows of "
        f"{divisions} divisions into halves. Seconds are spent on the choice, and on new rows "
        "also on fits and predictions; computing the objective is not timed. Folds are the same. "
        "Under a budget of k labels per row, xcolumns predicts exactly k and this package at most "
        "k: this freedom explains a part of the difference. `OperatingPointClassifier` compares "
        "all thresholds on given scores, `TunedThresholdClassifierCV` 100 of them. "
        f"The better value is bold. {_versions()}",
        (
            "problem", "rival", "rival, s", "this package, s", "rival, objective",
            "this package, objective",
        ),
        rows,
    )  # fmt: skip


def _versions():
    found = []
    for name in _MODULES.values():
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"{name} is not installed")
    return "; ".join(found) + "."


def _compare(problem, repetitions, quality, own, rivals):
    """Return one row per installed rival.

    `rivals` maps (module, method) to a function. `quality` judges the results of the functions
    after the clock has stopped.
    """
    present = {key: run for key, run in rivals.items() if find_spec(key[0])}
    for run in (own, *present.values()):
        run()
    (ours, result), *timed = median_seconds(repetitions, own, *present.values())
    reached = f"{quality(result):.6f}"
    return [
        (
            problem,
            f"{_MODULES[module]}, {method}",
            *bold((significant(theirs), significant(ours)), min),
            *bold((f"{quality(other):.6f}", reached), max),
        )
        for (module, method), (theirs, other) in zip(present, timed, strict=True)
    ]


def _thresholds(n, repetitions):
    """Return rows for n thresholds; scikit-learn compares 100 of them."""
    rng = np.random.default_rng(0)
    scores = rng.random(n)
    y = (rng.random(n) < scores**3).astype(int)
    X = np.column_stack([1 - scores, scores])
    fitted = _Marginals().fit(X, y)
    rows = []
    for name in _MEASURES:
        own = OperatingPointClassifier(fitted, name, cv="prefit")
        tuned = TunedThresholdClassifierCV(fitted, scoring=name, cv="prefit", refit=False)
        rows += _compare(
            f"{name}, one of {n:,} thresholds",
            repetitions,
            lambda model, name=name: get_scorer(name)(model, X, y),
            lambda own=own: own.fit(X, y),
            {("sklearn", "100 thresholds"): lambda tuned=tuned: tuned.fit(X, y)},
        )
    return rows


def _f1_on(scores, y, average="binary"):
    """Return a judge of a rule: F1 of its decisions on the scores."""
    return lambda rule: f1_score(y, rule(scores), average=average, zero_division=0)


def _binary(rng, n, repetitions):
    scores = rng.random(n)
    y = (rng.random(n) < scores**3).astype(int)
    return _compare(
        "F1, one threshold",
        repetitions,
        _f1_on(scores[:, None], y),
        lambda: _own_rule(y, scores),
        {("optimal_cutoffs", "auto"): lambda: _their_rule(y, scores)},
    )


def _own_rule(y, scores):
    """Return the rule of the function, as the rival is one; the classifier adds checks."""
    positive = y == 1
    objective = make_objective("f1", None, positive)
    return _above(best_operating_point(RankedExamples(positive, scores), objective).threshold)


def _their_rule(y, scores):
    return _above(float(np.ravel(_their_thresholds(y, scores))[0]))


def _above(threshold):
    return lambda X: X[:, 0] > threshold


def _their_thresholds(y, scores, **options):
    import optimal_cutoffs

    # Versions before the second, which are those for Python 3.11, call it otherwise.
    older = not hasattr(optimal_cutoffs, "optimize_thresholds")
    name = "get_optimal_threshold" if older else "optimize_thresholds"
    return getattr(optimal_cutoffs, name)(y, scores, metric="f1", **options).thresholds


def _several_classes(rng, n, repetitions, m=5):
    n = min(n, 2_000)
    y = rng.choice(m, size=n, p=np.arange(m, 0, -1) / (m * (m + 1) / 2))
    logits = 1.5 * rng.normal(size=(n, m)) + rng.normal(size=m)
    logits[np.arange(n), y] += 2.0
    scores = np.exp(logits)
    scores /= scores.sum(axis=1, keepdims=True)
    return _macro_f1(f"macro-F1 of {m} classes, {n:,} rows", scores, y, repetitions)


def _classes_of_digits(repetitions):
    X, y = load_digits(return_X_y=True)
    cv = StratifiedKFold(_FOLDS, shuffle=True, random_state=0)
    scores = cross_val_predict(GaussianNB(), X, y, cv=cv, method="predict_proba")
    problem = "macro-F1 of the ten classes of digits, naive Bayes, out-of-fold scores"
    return _macro_f1(problem, scores, y, repetitions)


def _macro_f1(problem, scores, y, repetitions):
    fitted = _Marginals().fit(scores, y)
    model = ReweightedClassifier(fitted, scoring="f1_macro", shrinkage=0.0, cv="prefit")

    def rival():
        thresholds = _their_thresholds(y, scores, method="coord_ascent")
        return lambda new: np.argmax(new - thresholds, axis=1)

    return _compare(
        problem,
        repetitions,
        _f1_on(scores, y, "macro"),
        lambda: model.fit(scores, y).predict,
        {("optimal_cutoffs", "coord_ascent"): rival},
    )


def _several_labels(rng, n, repetitions):
    marginals = rng.random((n, _LABELS)) ** np.linspace(1, 6, _LABELS)
    Y = (rng.random(marginals.shape) < marginals).astype(int)
    return _macro_f1_of_labels(f"{_LABELS} labels", marginals, Y, repetitions)


def _labels_of(data, repetitions):
    scaled = make_pipeline(StandardScaler(), LogisticRegression(max_iter=200))
    cv = KFold(_FOLDS, shuffle=True, random_state=0)
    X, Y = np.nan_to_num(np.asarray(data.X_train)), np.asarray(data.y_train)
    marginals = cross_val_predict(OneVsRestClassifier(scaled), X, Y, cv=cv, method="predict_proba")
    what = f"the {Y.shape[1]} labels of {data.name}, logistic regression, out-of-fold scores"
    return _macro_f1_of_labels(what, marginals, Y, repetitions)


def _macro_f1_of_labels(what, marginals, Y, repetitions):
    """Return rows with and without a budget of labels per row."""
    fitted = _Marginals().fit(marginals, Y)
    rows = []
    for budget in _BUDGETS:
        model = MultiLabelOperatingPointClassifier(
            fitted, "f1_macro", cv="prefit", labels_per_row=budget
        )

        def own(model=model):
            return model.fit(marginals, Y).predict

        def rival(budget=budget):
            from xcolumns.frank_wolfe import find_classifier_using_fw
            from xcolumns.metrics import macro_f1_score_on_conf_matrix as macro_f1

            k = budget or 0
            found = find_classifier_using_fw(Y, marginals, macro_f1, k=k, max_iters=20, seed=0)
            return lambda new: found.predict(new, seed=0)

        # xcolumns takes the top k of each row, whatever they gain; here labels have to gain.
        limit = "" if budget is None else f", at most {budget} a row (xcolumns: exactly {budget})"
        problem = f"macro-F1 of {what}{limit}"
        quality = _f1_on(marginals, Y, "macro")
        rows += _compare(problem, repetitions, quality, own, {("xcolumns", "Frank-Wolfe"): rival})
    return rows


def _folds_of_breast_cancer(divisions, repetitions):
    X, y = load_breast_cancer(return_X_y=True)
    return _tuned("breast cancer", StandardScaler().fit_transform(X), 1 - y, divisions, repetitions)


def _tuned(name, X, y, divisions, repetitions):
    """Return rows of a threshold over folds: on new rows, and on pooled scores of the folds."""
    cv = StratifiedKFold(_FOLDS, shuffle=True, random_state=0)
    classifier = LogisticRegression(max_iter=1000)
    own = OperatingPointClassifier(classifier, "f1", cv=cv)
    tuned = TunedThresholdClassifierCV(classifier, scoring="f1", cv=cv)
    rows = _compare(
        f"F1 on new rows of {name}, logistic regression, {_FOLDS} folds",
        repetitions,
        _f1_on_new_rows(y, divisions),
        lambda: _on_new_rows(own, X, y, divisions),
        {("sklearn", "TunedThresholdClassifierCV"): lambda: _on_new_rows(tuned, X, y, divisions)},
    )
    pooled = cross_val_predict(classifier, X, y, cv=cv, method="predict_proba")[:, 1]
    return rows + _compare(
        f"F1 on out-of-fold scores of {name}",
        repetitions,
        _f1_on(pooled[:, None], y),
        lambda: _own_rule(y, pooled),
        {("optimal_cutoffs", "auto"): lambda: _their_rule(y, pooled)},
    )


def _divisions(n, divisions):
    """Yield random halves to fit to and to predict, as rows of ijcnn1 are a time series."""
    for seed in range(divisions):
        order = np.random.default_rng(seed).permutation(n)
        yield order[::2], order[1::2]


def _on_new_rows(model, X, y, divisions):
    """Return predictions for one half of the rows by a fit to the other, for each division."""
    return [
        model.fit(X[train], y[train]).predict(X[test])
        for train, test in _divisions(len(y), divisions)
    ]


def _f1_on_new_rows(y, divisions):
    """Return a judge of the predictions of `_on_new_rows`: the mean of F1."""

    def quality(predictions):
        halves = zip(_divisions(len(y), divisions), predictions, strict=True)
        return np.mean([f1_score(y[test], predicted) for (_, test), predicted in halves])

    return quality


def _resampling(rng, n, divisions, repetitions):
    y = (rng.random(2 * n) < 0.03).astype(int)
    X = rng.normal(size=(2 * n, 10)) + 0.5 * y[:, None]

    def own(estimator=None):
        model = OperatingPointClassifier(estimator or LogisticRegression(), "f1", cv=5)
        return _on_new_rows(model, X, y, divisions)

    def sampled(name):
        from imblearn import over_sampling, under_sampling
        from imblearn.pipeline import make_pipeline

        sampler = getattr(over_sampling, name, None) or getattr(under_sampling, name)
        return own(make_pipeline(sampler(random_state=0), LogisticRegression()))

    samplers = ("RandomOverSampler", "SMOTE", "RandomUnderSampler")
    return _compare(
        "F1 on new rows, logistic regression and threshold",
        repetitions,
        _f1_on_new_rows(y, divisions),
        own,
        {("imblearn", name): lambda name=name: sampled(name) for name in samplers},
    )
