"""Operating points against other packages, on the same scores; those not installed are said so."""

from importlib.util import find_spec

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score

from benchmarks.operating_points import _Scores
from benchmarks.report import Section, significant
from benchmarks.timing import median_seconds
from beyond_accuracy.estimators import (
    MultiLabelOperatingPointClassifier,
    OperatingPointClassifier,
    ReweightedClassifier,
)

_MODULES = {
    "optimal_cutoffs": "optimal-classification-cutoffs",
    "xcolumns": "xcolumns",
    "imblearn": "imbalanced-learn",
}
_LABELS = 20


class _Marginals(_Scores):
    """Its features are the probabilities."""

    def predict_proba(self, X):
        return X


def measure(tasks, sizes, repetitions, folder) -> Section:
    """One row a problem and package: objective on the same scores, and seconds."""
    rng = np.random.default_rng(0)
    n = min(sizes.large_rows, 20_000)
    rows = [
        *_binary(rng, n, repetitions),
        *_several_classes(rng, n, repetitions),
        *_several_labels(rng, n, repetitions),
        *_resampling(rng, n, repetitions),
    ]
    return Section(
        "Operating points against other packages",
        f"{n:,} rows. F1 is that on the scores on which the decisions were chosen, but for "
        "re-sampling, where it is that on as many new rows.",
        ("problem", "package", "objective", "seconds"),
        rows,
    )


def _compare(problem, repetitions, own, rivals):
    """Rows; `own` and each rival, by module and method, return the objective reached."""
    present = {key: run for key, run in rivals.items() if find_spec(key[0])}
    for run in (own, *present.values()):
        run()
    timed = median_seconds(repetitions, own, *present.values())
    found = dict(zip((None, *present), timed, strict=True))
    rows = [(problem, "this package", f"{found[None][1]:.6f}", significant(found[None][0]))]
    for key in rivals:
        name = f"{_MODULES[key[0]]}, {key[1]}"
        if key not in present:
            rows.append((problem, name, "not installed", ""))
            continue
        seconds, value = found[key]
        rows.append((problem, name, f"{value:.6f}", significant(seconds)))
    return rows


def _binary(rng, n, repetitions):
    scores = rng.random(n)
    y = (rng.random(n) < scores**3).astype(int)
    X = scores[:, None]
    model = OperatingPointClassifier(_Scores().fit(X, y), "f1", cv="prefit")

    def rival():
        from optimal_cutoffs import get_optimal_threshold

        threshold = float(np.ravel(get_optimal_threshold(y, scores, metric="f1").thresholds)[0])
        return f1_score(y, scores > threshold)

    return _compare(
        "F1, one threshold",
        repetitions,
        lambda: model.fit(X, y).best_score_,
        {("optimal_cutoffs", "auto"): rival},
    )


def _several_classes(rng, n, repetitions, m=5):
    n = min(n, 2_000)
    y = rng.choice(m, size=n, p=np.arange(m, 0, -1) / (m * (m + 1) / 2))
    logits = 1.5 * rng.normal(size=(n, m)) + rng.normal(size=m)
    logits[np.arange(n), y] += 2.0
    scores = np.exp(logits)
    scores /= scores.sum(axis=1, keepdims=True)
    fitted = _Marginals().fit(scores, y)
    model = ReweightedClassifier(fitted, scoring="f1_macro", cv="prefit")

    def rival():
        from optimal_cutoffs import get_optimal_threshold

        found = get_optimal_threshold(y, scores, metric="f1", method="coord_ascent")
        return f1_score(y, np.argmax(scores - found.thresholds, axis=1), average="macro")

    return _compare(
        f"macro-F1 of {m} classes, {n:,} rows",
        repetitions,
        lambda: model.fit(scores, y).best_score_,
        {("optimal_cutoffs", "coord_ascent"): rival},
    )


def _several_labels(rng, n, repetitions):
    marginals = rng.random((n, _LABELS)) ** np.linspace(1, 6, _LABELS)
    Y = (rng.random(marginals.shape) < marginals).astype(int)
    fitted = _Marginals().fit(marginals, Y)
    model = MultiLabelOperatingPointClassifier(fitted, "macro_f1", cv="prefit")

    def rival():
        from xcolumns.frank_wolfe import find_classifier_using_fw
        from xcolumns.metrics import macro_f1_score_on_conf_matrix as macro_f1

        classifier = find_classifier_using_fw(Y, marginals, macro_f1, k=0, max_iters=20, seed=0)
        predicted = classifier.predict(marginals, seed=0)
        return f1_score(Y, predicted, average="macro", zero_division=0)

    return _compare(
        f"macro-F1 of {_LABELS} labels",
        repetitions,
        lambda: model.fit(marginals, Y).best_score_,
        {("xcolumns", "Frank-Wolfe"): rival},
    )


def _resampling(rng, n, repetitions):
    y = (rng.random(2 * n) < 0.03).astype(int)
    X = rng.normal(size=(2 * n, 10)) + 0.5 * y[:, None]
    train, test = slice(0, n), slice(n, None)

    def own(estimator=None):
        model = OperatingPointClassifier(estimator or LogisticRegression(), "f1", cv=5)
        return f1_score(y[test], model.fit(X[train], y[train]).predict(X[test]))

    def sampled(name):
        from imblearn import over_sampling, under_sampling
        from imblearn.pipeline import make_pipeline

        sampler = getattr(over_sampling, name, None) or getattr(under_sampling, name)
        return own(make_pipeline(sampler(random_state=0), LogisticRegression()))

    samplers = ("RandomOverSampler", "SMOTE", "RandomUnderSampler")
    return _compare(
        "F1 on new rows, logistic regression and threshold",
        repetitions,
        own,
        {("imblearn", name): lambda name=name: sampled(name) for name in samplers},
    )
