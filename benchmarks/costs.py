"""Decisions under costs per row, on the four data sets with such costs inside empulse 0.13.

`pip install empulse==0.13 lightgbm`, then `python -m benchmarks.costs` prints a table. Each number
is the mean over 5 random splits into halves of at most 20,000 rows. Costs are divided by the cost
of the better constant prediction, and seconds by those of empulse's classifier.
"""

import time
import warnings

import numpy as np
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from beyond_accuracy import OperatingPointClassifier, ReweightedClassifier

_SPLITS = 5
_MOST_ROWS = 20_000
_BUDGET = 0.1
_COLUMNS = ("one threshold", "row by row", "isotonic", "budget", "empulse", "seconds / empulse's")
_LOADERS = {
    "churn": "load_churn_tv_subscriptions",
    "bank": "load_upsell_bank_telemarketing",
    "pakdd": "load_credit_scoring_pakdd",
    "vub": "load_vub_credit_scoring",
}


def load(name):
    """Return dense features, the target and costs[row, true, predicted] by empulse's defaults."""
    from empulse import datasets

    data = getattr(datasets, _LOADERS[name])(backend="pandas")
    known = data.instance_costs
    costs = np.zeros((len(data.target), 2, 2))
    if name == "churn":
        for (true, predicted), key in zip(np.ndindex(2, 2), ("tn", "fp", "fn", "tp"), strict=True):
            costs[:, true, predicted] = known[f"{key}_cost"]
    elif name == "bank":
        costs[:, :, 1] = 1.0
        costs[:, 1, 0] = np.maximum(0.02463333 * 0.25 * known["balance"], 1.0)
    else:
        costs[:, 0, 1], costs[:, 1, 0] = known["fp_cost"], 0.75 * known["cl"]
    numbers = make_column_selector(dtype_include="number")
    encode = make_column_transformer(
        (make_pipeline(SimpleImputer(), StandardScaler()), numbers),
        (
            OneHotEncoder(handle_unknown="ignore", max_categories=20, sparse_output=False),
            make_column_selector(dtype_exclude="number"),
        ),
        sparse_threshold=0,
    )
    X, y = encode.fit_transform(data.data), np.asarray(data.target)
    rows = np.random.default_rng(0).permutation(len(y))[:_MOST_ROWS]
    return X[rows], y[rows], costs[rows]


def _one_split(classifier, X, y, costs, train, test):
    """Return one number for each of `_COLUMNS`."""

    def cost(predicted):
        paid = costs[test][np.arange(len(test)), y[test]]
        return paid[np.arange(len(test)), predicted].mean() / paid.mean(axis=0).min()

    def fit(model):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return model.fit(X[train], y[train], cost_matrix=costs[train])

    one = fit(OperatingPointClassifier(classifier, "cost")).predict(X[test])
    start = time.process_time()
    by_row = fit(ReweightedClassifier(classifier, "expected_cost")).predict(X[test], costs[test])
    seconds = time.process_time() - start
    isotonic = ReweightedClassifier(classifier, "expected_cost", calibrate="isotonic")
    rival, rival_seconds = _empulse(classifier, X, y, costs, train, test)
    limited = OperatingPointClassifier(
        classifier,
        "cost",
        constraints=f"predicted_positives <= {int(_BUDGET * len(test))}",
        batch_size=len(test),
    )
    return (
        cost(one),
        cost(by_row),
        cost(fit(isotonic).predict(X[test], costs[test])),
        cost(fit(limited).predict_batch(X[test], costs[test])),
        cost(rival),
        seconds / rival_seconds,
    )


def _empulse(classifier, X, y, costs, train, test):
    from empulse.models import CSThresholdClassifier

    def by_keyword(rows):
        keys = ("tn_cost", "fp_cost", "fn_cost", "tp_cost")
        return dict(zip(keys, costs[rows].reshape(-1, 4).T, strict=True))

    start = time.process_time()
    rival = CSThresholdClassifier(classifier, calibrator=None)
    rival.fit(X[train], y[train], **by_keyword(train))
    return rival.predict(X[test], **by_keyword(test)), time.process_time() - start


def main() -> None:
    """Print one row per data set and classifier."""
    from lightgbm import LGBMClassifier

    boosting = LGBMClassifier(n_jobs=1, random_state=0, verbose=-1)
    classifiers = {"lr": LogisticRegression(max_iter=1000), "lightgbm": boosting}
    print(f"| data | classifier | {' | '.join(_COLUMNS)} |")
    print(f"|---|---{'|--:' * len(_COLUMNS)}|")
    for name in _LOADERS:
        X, y, costs = load(name)
        for label, classifier in classifiers.items():
            splits = StratifiedShuffleSplit(_SPLITS, test_size=0.5, random_state=0).split(X, y)
            values = [_one_split(classifier, X, y, costs, *rows) for rows in splits]
            cells = " | ".join(f"{value:.3f}" for value in np.mean(values, axis=0))
            print(f"| {name} | {label} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
