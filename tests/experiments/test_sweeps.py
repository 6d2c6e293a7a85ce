"""Sweeps, the matching B and the choice of auxiliaries: against fits of their own."""

import dataclasses
import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification

from beyond_accuracy.datasets.prepared import PreparedDataSet, save_prepared, save_unavailable
from beyond_accuracy.estimators import CAPOClassifier, CoreVectorMachine, MultivariateSVC
from beyond_accuracy.experiments import auxiliary_selection, matching_penalty, sweeps
from beyond_accuracy.experiments.auxiliary_selection import run_auxiliary_selection
from beyond_accuracy.experiments.kernel_methods import examples_to_compare_on
from beyond_accuracy.experiments.matching_penalty import run_matching_penalty
from beyond_accuracy.experiments.seeds import derive_seed
from beyond_accuracy.experiments.sweeps import run_sweep
from beyond_accuracy.measures import get_measure

MACHINE = {"estimator": "beyond_accuracy.estimators.CoreVectorMachine", "grid": {}}
TOLERANCE = {"tol": 1e-6}
METHODS = {
    "linear": {
        "estimator": "beyond_accuracy.estimators.MultivariateSVC",
        "parameters": TOLERANCE,
        "grid": {"C": [1.0]},
    },
    "capo": {
        "estimator": "beyond_accuracy.estimators.CAPOClassifier",
        "auxiliaries": {"machine": MACHINE},
        "parameters": TOLERANCE,
        "grid": {"C": [1.0]},
    },
    "kernel": {
        "estimator": "beyond_accuracy.estimators.MultivariateSVC",
        "parameters": {"kernel": "rbf", **TOLERANCE},
        "grid": {"C": [1.0], "gamma": [1.0]},
    },
}


@pytest.fixture(scope="module")
def data():
    X, y = make_classification(
        260, 6, n_informative=4, weights=[0.7], class_sep=0.8, random_state=5
    )
    y = np.where(y > 0, 1, -1).astype(np.int8)
    record = {"status": "ok", "name": "d", "task": "binary"}
    return PreparedDataSet(
        "d", "binary", X[:180], y[:180], X[180:], y[180:], ("no", "yes"), record=record
    )


@pytest.fixture(scope="module")
def folder(data, tmp_path_factory):
    path = tmp_path_factory.mktemp("prepared") / "d"
    save_prepared(path, data)
    return path


@pytest.fixture
def unavailable(tmp_path):
    record = {"name": "d", "status": "unavailable", "reason": "no source", "how_to_get": ""}
    save_unavailable(tmp_path / "missing", record)
    return tmp_path / "missing"


@pytest.fixture
def sweep(tmp_path):
    def run(folder, name="by_C", chosen=None, budget=None, **settings):
        files = {kind: tmp_path / f"{kind}.parquet" for kind in ("rows", "seconds")}
        run_sweep(
            folder,
            sweep=name,
            data_set="d",
            settings={"methods": ["linear", "capo"], "C": [0.5, 5.0], **settings},
            methods=METHODS,
            measures=["f1", "roc_area"],
            budget=budget,
            chosen=chosen or {},
            **files,
        )
        return pd.read_parquet(files["rows"]), pd.read_parquet(files["seconds"])

    return run


def capo(C, B=1.0, measure="f1"):
    return CAPOClassifier([CoreVectorMachine()], measure, C=C, B=B, tol=1e-6)


def value(data, model, measure="f1", rows=slice(None)):
    model.fit(data.X_train[rows], data.y_train[rows] > 0)
    return get_measure(measure).score(data.y_test > 0, model.decision_function(data.X_test))


def test_values_are_those_of_single_fits_at_svm_perfs_C(sweep, folder, data):
    rows, seconds = sweep(folder)
    assert len(rows) == 8
    assert (rows["status"] == "ok").all()
    assert list(rows.columns) == list(sweeps.COLUMNS)
    for row in rows.itertuples():
        model = (
            MultivariateSVC(row.measure, C=row.C, tol=1e-6)
            if row.method == "linear"
            else capo(row.C, measure=row.measure)
        )
        assert row.value == pytest.approx(value(data, model, row.measure), abs=0.02)
    keys = ["data_set", "task", "measure", "method", "C", "B", "train_fraction", "n_train"]
    assert seconds[keys].equals(rows[keys])
    apart = seconds.groupby("method")["auxiliary_cpu_seconds"].max()
    assert apart["linear"] == 0
    assert apart["capo"] > 0


def test_B_and_training_size(sweep, folder, data):
    rows, _ = sweep(folder, "by_B", methods=["capo"], measures=["f1"], B=[0.1, 100.0], C=[1.0])
    assert rows["value"].tolist() == pytest.approx(
        [value(data, capo(1.0, B)) for B in (0.1, 100.0)], abs=0.02
    )
    rows, _ = sweep(
        folder, "by_training_size", methods=["capo"], measures=["f1"], train_fraction=[0.5, 1.0]
    )
    assert set(rows["n_train"]) == {90, 180}
    half = examples_to_compare_on(data.y_train > 0, 90)
    first = rows.query("train_fraction == 0.5 and C == 5")["value"].item()
    assert first == pytest.approx(value(data, capo(5.0), rows=half), abs=0.02)


def test_oracle_calls_grow_with_C_and_end_at_the_limit(sweep, folder):
    rows, _ = sweep(folder, "oracle_calls_by_C", C=[0.01, 1.0, 100.0], max_iter=2000)
    assert (rows["status"] == "ok").all()
    assert rows["value"].isna().all()
    for _, group in rows.groupby(["method", "measure"]):
        assert group["oracle_calls"].is_monotonic_increasing
        assert (group["oracle_calls"] == group["n_iter"] + 1).all()
    rows, _ = sweep(folder, "oracle_calls_by_C", C=[100.0], max_iter=2)
    assert (rows["status"] == "timeout").all()
    assert rows["reason"].str.startswith("2 iterations do not reach").all()


def test_kernel_takes_the_width_that_was_chosen(sweep, folder, data, tmp_path):
    fits = pd.DataFrame(
        {"measure": ["f1"], "status": ["ok"], "selected": [json.dumps({"C": 9, "gamma": 0.3})]}
    )
    fits.to_parquet(tmp_path / "fits.parquet")
    rows, _ = sweep(
        folder, methods=["kernel"], C=[2.0], chosen={"kernel": tmp_path / "fits.parquet"}
    )
    found = rows.set_index("measure")
    model = MultivariateSVC("f1", C=2.0, kernel="rbf", gamma=0.3, tol=1e-6)
    assert found.loc["f1", "value"] == pytest.approx(value(data, model), abs=0.02)
    assert found.loc["roc_area", "status"] == "failed"
    assert "has chosen no width" in found.loc["roc_area", "reason"]


def test_no_data_and_no_budget_give_rows(sweep, folder, unavailable):
    rows, seconds = sweep(unavailable)
    assert (rows["status"] == "unavailable").all()
    assert len(rows) == 8
    assert seconds.empty
    rows, _ = sweep(folder, budget=10.0)
    assert (rows["status"] == "timeout").all()


@pytest.fixture
def match(tmp_path):
    def run(folder, **settings):
        output = tmp_path / "matching.parquet"
        run_matching_penalty(
            folder,
            data_set="d",
            settings={"auxiliaries": ["machine"], "C": 1.0, "tol": 1e-6, **settings},
            methods={"machine": MACHINE},
            measures=["f1", "roc_area"],
            output=output,
        )
        return pd.read_parquet(output)

    return run


def test_at_the_matching_B_the_weight_is_one(match, folder, data):
    rows = match(folder, C=5.0)
    assert list(rows.columns) == list(matching_penalty.COLUMNS)
    assert rows["measure"].tolist() == ["f1", "roc_area"]
    assert rows["matching_B"].notna().any()
    for row in rows.dropna(subset="matching_B").itertuples():
        model = capo(5.0, row.matching_B, row.measure).fit(data.X_train, data.y_train > 0)
        assert model.auxiliary_coef_[0, 0] == pytest.approx(1.0, abs=0.02)


def test_where_no_B_matches_the_number_is_missing(match, folder, unavailable):
    rows = match(folder, C=1e-8)
    assert rows["matching_B"].isna().all()
    assert (rows["status"] == "ok").all()
    assert (match(unavailable)["status"] == "unavailable").all()


SETTINGS = {
    "kernels": ["rbf", "laplacian"],
    "widths": [0.25, 1, 4],
    "parameters": {"C": 1.0},
    "rows": 90,
    "C": [0.01, 1.0],
    "tol": 1e-3,
    "max_iter": 1000,
}


@pytest.fixture
def select(tmp_path):
    def run(folder):
        output = tmp_path / "selection.parquet"
        run_auxiliary_selection(
            folder,
            paper="p",
            data_set="d",
            settings=SETTINGS,
            measures=["f1", "roc_area"],
            folds=3,
            seed=1,
            output=output,
        )
        return pd.read_parquet(output)

    return run


def test_default_auxiliaries_are_those_of_width_one(select, folder, data):
    rows = select(folder)
    assert list(rows.columns) == list(auxiliary_selection.COLUMNS)
    assert (rows["n_candidates"] == 6).all()
    default = rows[rows["which"] == "default"].set_index("measure")
    assert (default["auxiliaries"] == "rbf 1, laplacian 1").all()
    machines = [
        CoreVectorMachine(
            kernel=kernel, random_state=derive_seed(1, "p", "d", "auxiliary_selection", kernel, "1")
        )
        for kernel in SETTINGS["kernels"]
    ]
    for measure, row in default.iterrows():
        expected = np.mean([value(data, machine, measure) for machine in machines])
        assert row["auxiliary_value"] == pytest.approx(expected, abs=1e-9)
        model = CAPOClassifier(machines, measure, C=row["C"] * 1.8)
        assert row["capo_value"] == pytest.approx(value(data, model, measure), abs=0.03)


def test_selection_never_sees_the_test_set(select, folder, data, tmp_path):
    other = dataclasses.replace(data, X_test=-data.X_test, y_test=data.y_test[::-1])
    save_prepared(tmp_path / "d", other)
    one, two = select(folder), select(tmp_path / "d")
    assert one[["auxiliaries", "C"]].equals(two[["auxiliaries", "C"]])
    assert not one["capo_value"].equals(two["capo_value"])


def test_selection_without_data_gives_rows(select, unavailable):
    rows = select(unavailable)
    assert len(rows) == 4
    assert (rows["status"] == "unavailable").all()
