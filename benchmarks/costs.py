"""Decisions under costs per row, on the four data sets with such costs inside empulse 0.13.

`pip install empulse==0.13 lightgbm`, then `python -m benchmarks.costs > after.json`. Run it with
the sources of another version first in PYTHONPATH for `before.json`. `python -m benchmarks.costs
before.json after.json` prints the table of both. Costs are divided by the cost of the better
constant prediction. At most 20,000 random rows of a set are taken.
"""

import json
import sys
import time
import warnings

import numpy as np
import sklearn
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedShuffleSplit, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import beyond_accuracy
from beyond_accuracy import OperatingPointClassifier, ReweightedClassifier
from beyond_accuracy.operating_points.objectives import expected_savings

_SPLITS = 5
_MOST_ROWS = 20_000
_BUDGET = 0.1
_MATRIX = np.array([[0.0, 1.0], [5.0, 0.0]])
_COLUMNS = {
    "one threshold": "one threshold",
    "row by row": "row by row",
    "sigmoid": "row by row, sigmoid",
    "isotonic": "row by row, isotonic",
    "budget": "budget",
    "sorted savings": "budget by sorted savings",
    "`cross_val_score`": "cross_val_score",
    "`GridSearchCV`": "its cost",
    "time / empulse's": "seconds over empulse's",
}
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


def classifiers():
    """Return the classifiers that are made to decide by costs."""
    from lightgbm import LGBMClassifier

    boosting = LGBMClassifier(n_jobs=1, random_state=0, verbose=-1)
    return {"lr": LogisticRegression(max_iter=1000), "lightgbm": boosting}


def measure(name) -> dict:
    """Return means over splits into halves, by classifier and quantity."""
    X, y, costs = load(name)
    found = {}
    for label, classifier in classifiers().items():
        splits = StratifiedShuffleSplit(_SPLITS, test_size=0.5, random_state=0).split(X, y)
        each = [_one_split(classifier, X, y, costs, *rows) for rows in splits]
        found[label] = {key: float(np.mean([row[key] for row in each])) for key in each[0]}
        found[label] |= _searches(classifier, X, y, costs)
    return found


def _one_split(classifier, X, y, costs, train, test):
    def cost(predicted):
        paid = costs[test][np.arange(len(test)), y[test]]
        return paid[np.arange(len(test)), predicted].mean() / paid.mean(axis=0).min()

    found = {}
    one = OperatingPointClassifier(classifier, "cost")
    found["one threshold"] = cost(_fit(one, X, y, costs, train).predict(X[test]))
    for calibrate in (None, "sigmoid", "isotonic"):
        by_row = ReweightedClassifier(classifier, "expected_cost")
        if calibrate is not None and "calibrate" not in by_row.get_params(deep=False):
            continue
        if calibrate is not None:
            by_row.set_params(calibrate=calibrate)
        start = time.process_time()
        predicted = _fit(by_row, X, y, costs, train).predict(X[test], costs[test])
        name = "row by row" if calibrate is None else f"row by row, {calibrate}"
        found[name] = cost(predicted)
        if calibrate is None:
            found["seconds"] = time.process_time() - start
    found["empulse"], found["seconds of empulse"] = _empulse(classifier, X, y, costs, train, test)
    found["empulse"] = cost(found["empulse"])
    found["seconds over empulse's"] = found["seconds"] / found["seconds of empulse"]
    budget = int(_BUDGET * len(test))
    limited = OperatingPointClassifier(
        classifier,
        "cost",
        constraints=f"predicted_positives <= {budget}",
        batch_size=len(test),
    )
    limited = _fit(limited, X, y, costs, train)
    found["budget"] = cost(limited.predict_batch(X[test], costs[test]))
    savings = expected_savings(limited.estimator_.predict_proba(X[test])[:, 1], costs[test])
    best = np.argsort(-savings, kind="stable")[:budget]
    called = np.zeros(len(test), dtype=int)
    called[best[savings[best] > 0]] = 1
    found["budget by sorted savings"] = cost(called)
    return found


def _fit(model, X, y, costs, rows):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X[rows], y[rows], cost_matrix=costs[rows])


def _empulse(classifier, X, y, costs, train, test):
    from empulse.models import CSThresholdClassifier

    def by_keyword(rows):
        keys = ("tn_cost", "fp_cost", "fn_cost", "tp_cost")
        return dict(zip(keys, costs[rows].reshape(-1, 4).T, strict=True))

    start = time.process_time()
    rival = CSThresholdClassifier(classifier, calibrator=None)
    rival.fit(X[train], y[train], **by_keyword(train))
    return rival.predict(X[test], **by_keyword(test)), time.process_time() - start


def _searches(classifier, X, y, costs):
    """Return the cross-validated cost under costs per row, and the choices of a search."""
    found = {}
    scorer = getattr(beyond_accuracy, "cost_scorer", lambda: None)()
    with sklearn.config_context(enable_metadata_routing=True), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = ReweightedClassifier(classifier, "expected_cost", cv="resubstitution")
        model.set_fit_request(cost_matrix=True)
        scores = cross_val_score(model, X, y, scoring=scorer, cv=3, params={"cost_matrix": costs})
    constant = costs[np.arange(len(y)), y].mean(axis=0).min()
    found["cross_val_score"] = float(-scores.mean() / constant)
    if isinstance(classifier, LogisticRegression):
        found |= _selection(classifier, X, y)
    return found


def _selection(classifier, X, y):
    """Return C that a search by default chooses under class costs, and the cost of its choice."""
    search = GridSearchCV(
        OperatingPointClassifier(classifier, _MATRIX),
        {"estimator__C": [1e-4, 1e-2, 1.0]},
        cv=3,
    )
    chosen, costs = [], []
    for train, test in StratifiedShuffleSplit(_SPLITS, test_size=0.5, random_state=0).split(X, y):
        search.fit(X[train], y[train])
        paid = _MATRIX[y[test], search.predict(X[test])].mean()
        chosen.append(search.best_params_["estimator__C"])
        costs.append(paid / _MATRIX[y[test]].mean(axis=0).min())
    return {"C of GridSearchCV": float(np.median(chosen)), "its cost": float(np.mean(costs))}


def table(before, after) -> str:
    """Return both runs as a table in Markdown; a cell holds one value if nothing changed."""
    head = ["data", "classifier", *_COLUMNS]
    lines = [f"| {' | '.join(head)} |", f"|---|---{'|--:' * len(_COLUMNS)}|"]
    for name, found in after.items():
        for label, new in found.items():
            old = before[name][label]
            cells = (_cell(old.get(key), new.get(key)) for key in _COLUMNS.values())
            lines.append(f"| {name} | {label} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(old, new):
    old, new = ("" if value is None else f"{value:.3f}" for value in (old, new))
    return new if old in ("", new) else f"{old} → {new}"


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1].endswith(".json"):
        runs = []
        for path in sys.argv[1:]:
            with open(path, encoding="utf-8") as file:
                runs.append(json.load(file))
        print(table(*runs))
    else:
        print(json.dumps({name: measure(name) for name in sys.argv[1:] or _LOADERS}, indent=1))
