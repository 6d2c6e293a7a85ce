"""Studies on a data set against direct fits, and cells without a value."""

import dataclasses
import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_blobs
from sklearn.svm import LinearSVC

from beyond_accuracy.estimators import CAPOClassifier, MultivariateSVC, TargetCostSVC
from beyond_accuracy.measures import get_measure
from beyond_accuracy_pipeline.configuration.studies import BinaryStudies, LabelStudies
from beyond_accuracy_pipeline.datasets.prepared import PreparedDataSet, save_prepared
from beyond_accuracy_pipeline.experiments.seeds import derive_seed
from beyond_accuracy_pipeline.experiments.studies import sweeps
from beyond_accuracy_pipeline.experiments.studies.run import STUDIES, run_study
from beyond_accuracy_pipeline.experiments.tasks import stratified_sample
from beyond_accuracy_pipeline.reproduction import CoreVectorMachine
from beyond_accuracy_pipeline.reproduction.libcvm.kernels import libcvm_gamma
from beyond_accuracy_pipeline.results.columns import FIT_COLUMNS, STUDY_COLUMNS
from beyond_accuracy_pipeline.results.frames import write_study
from beyond_accuracy_pipeline.results.layout import study_file

from .binary_runs import binary_data

MACHINE = {
    "estimator": "beyond_accuracy_pipeline.reproduction.CoreVectorMachine",
    "parameters": {"random_state": 0},
    "grid": {},
}
TOLERANCE = {"tol": 1e-6}
SIGNS = {"real_valued": False, "cross_fit": False}
LINEAR = {
    "estimator": "beyond_accuracy.estimators.MultivariateSVC",
    "parameters": TOLERANCE,
    "grid": {"C": [1.0]},
}
CAPO = {
    **LINEAR,
    "estimator": "beyond_accuracy.estimators.CAPOClassifier",
    "auxiliaries": {"machine": MACHINE},
    "parameters": {**SIGNS, **TOLERANCE},
}
KERNEL = {
    **LINEAR,
    "parameters": {"kernel": "rbf", **TOLERANCE},
    "grid": {"C": [1.0], "gamma": [1.0]},
}
SWEEP = {
    "methods": {"linear": LINEAR, "capo": CAPO},
    "measures": ["f1", "roc_area"],
    "C": [0.5, 5.0],
    "B": [1.0],
    "train_fraction": [1.0],
    "budget": None,
    "algorithm_1": False,
}
SETTINGS = {
    "by_C": SWEEP,
    "oracle_calls_by_C": {**SWEEP, "algorithm_1": True, "max_iter": 2000},
    "auxiliary_selection": {
        "measures": ["f1", "roc_area"],
        "auxiliaries": {
            "rbf": MACHINE,
            "laplacian": {**MACHINE, "parameters": {"kernel": "laplacian", "random_state": 3}},
        },
        "widths": [0.25, 1, 4],
        "rows": 90,
        "C": [0.01, 1.0],
        "tol": 1e-3,
        "max_iter": 1000,
        "folds": 3,
    },
    "learnable": {"measures": ["f1"]},
    "error_rate": {"C": 1.0, "tol": 1e-6},
}


@pytest.fixture(scope="module")
def data():
    return binary_data(260, 180, n_informative=4, weights=[0.7], class_sep=0.8, random_state=5)


@pytest.fixture
def study(tmp_path):
    """Return a function that runs a study on a data set and returns its rows and its seconds."""

    def run(name, data, fits=(), keys=(), state=1, **settings):
        save_prepared(tmp_path / "d", data)
        first, files = (
            {part: study_file(tmp_path, "p", name, "d", part, of) for part in ("rows", "seconds")}
            for of in (1, state)
        )
        given = {**SETTINGS.get(name, {}), **settings}
        stream, prepared_folder = (state, "p"), tmp_path / "d"
        arguments = {"data_set": "d", "seed_and_paper": stream, "prepared": prepared_folder}
        arguments |= {"fits": fits, "keys": keys}
        earlier = tuple(first.values()) if state > 1 else None
        run_study(name, given, **arguments, **files, earlier=earlier)
        frames = {part: pd.read_parquet(file) for part, file in files.items()}
        for part, frame in frames.items():
            assert list(frame.columns) == list(STUDY_COLUMNS[name].get(part, []))
        return list(frames.values())

    return run


def test_every_study_has_settings_a_function_and_columns():
    """To add a study, write one entry in each; see "Add a study" in config/README.md."""
    settings = [*BinaryStudies.model_fields, *LabelStudies.model_fields]
    assert sorted(settings) == sorted(STUDIES) == sorted(STUDY_COLUMNS)


def test_columns_that_a_study_does_not_declare_are_refused(tmp_path):
    row = {"data_set": "d", "task": "yes", "share": 0.5}
    with pytest.raises(ValueError, match=r"'line_search' returned columns \[share\] that STUDY"):
        write_study(tmp_path / "rows.parquet", [row], "line_search")


def test_the_study_of_the_guide_runs(data, repository):
    guide = (repository / "config/README.md").read_text(encoding="utf-8")
    names = {}
    exec(guide.split("## Add a study")[1].split("```python\n")[1].split("```")[0], names)
    rows, seconds = names["always_positive"](data, {}, (1, "p"))
    assert rows == [{"data_set": "d", "task": "yes", "precision": (data.y_test > 0).mean()}]
    assert seconds == []


def capo(C, B=1.0, measure="f1"):
    machine = CoreVectorMachine(random_state=0)
    return CAPOClassifier([machine], measure, C=C, B=B, tol=1e-6, **SIGNS)


def value(data, model, measure="f1", rows=slice(None)):
    model.fit(data.X_train[rows], data.y_train[rows] > 0)
    return get_measure(measure).score(data.y_test > 0, model.decision_function(data.X_test))


def test_convergence_follows_what_a_method_has_chosen(study, data, tmp_path):
    """Compare with the optimum of the objective with the chosen costs."""
    chosen = {"t": 0.6, "C": 0.5, "mu": 0.05}
    fits = pd.DataFrame(
        [
            {"fit": "k1", "method": "bm_ls_cs", "selected": json.dumps(chosen)},
            # The same method under another reading.
            {"fit": "k2", "method": "bm_ls_cs", "selected": '{"t": 0.3, "C": 7}'},
            {"fit": "k3", "method": "other", "selected": '{"t": 0.1, "C": 9}'},
        ]
    ).assign(task="yes", status="ok")
    file = tmp_path / "fits.parquet"
    fits.reindex(columns=list(FIT_COLUMNS)).to_parquet(file)
    settings = {"t": 0.2, "C": [1.0], "mu": 0.1, "tol": 1e-3, "max_iter": 1000}
    settings |= {"liblinear_rounds": [10, 1000], "selected_by": "bm_ls_cs"}
    rows, _ = study("convergence", data, fits=[file], keys=["k1", "k3"], **settings)
    own = rows[rows["selected"]]
    assert set(zip(own["t"], own["C"], strict=True)) == {(0.6, 0.5)}
    assert set(rows.loc[~rows["selected"], "t"]) == {0.2}
    optimum = TargetCostSVC(0.6, C=0.5, tol=1e-8).fit(data.X_train, data.y_train > 0).objective_
    last = own.groupby("method")["primal"].last()
    assert len(last) == 3
    assert last.tolist() == pytest.approx([optimum] * 3, rel=1e-3)
    assert own["bound"].nunique() == 1
    assert optimum * (1 - 2e-5) <= own["bound"].iloc[0] <= optimum * (1 + 1e-9)


def test_values_are_those_of_single_fits_at_svm_perfs_C(study, data):
    rows, seconds = study("by_C", data)
    assert len(rows) == 8
    assert (rows["status"] == "ok").all()
    for row in rows.itertuples():
        model = MultivariateSVC(row.measure, C=row.C, tol=1e-6)
        if row.method == "capo":
            model = capo(row.C, measure=row.measure)
        assert row.value == pytest.approx(value(data, model, row.measure), abs=0.02)
    keys = ["data_set", "task", "measure", "method", "C", "B", "train_fraction", "n_train"]
    assert seconds[keys].equals(rows[keys])
    apart = seconds.groupby("method")["auxiliary_cpu_seconds"].max()
    assert apart["linear"] == 0
    assert apart["capo"] > 0


def test_B_and_training_size(study, data):
    only = {"methods": {"capo": CAPO}, "measures": ["f1"]}
    rows, _ = study("by_C", data, **only, B=[0.1, 100.0], C=[1.0])
    assert rows["value"].tolist() == pytest.approx(
        [value(data, capo(1.0, B)) for B in (0.1, 100.0)], abs=0.02
    )
    rows, _ = study("by_C", data, **only, train_fraction=[0.5, 1.0])
    assert set(rows["n_train"]) == {90, 180}
    half = stratified_sample(data.y_train > 0, 90)
    first = rows.query("train_fraction == 0.5 and C == 5")["value"].item()
    assert first == pytest.approx(value(data, capo(5.0), rows=half), abs=0.02)


def test_oracle_calls_grow_with_C_and_end_at_the_limit(study, data):
    rows, _ = study("oracle_calls_by_C", data, C=[0.01, 1.0, 100.0])
    assert (rows["status"] == "ok").all()
    assert rows["value"].isna().all()
    for _, group in rows.groupby(["method", "measure"]):
        assert group["oracle_calls"].is_monotonic_increasing
        assert (group["oracle_calls"] == group["n_iter"] + 1).all()
    rows, _ = study("oracle_calls_by_C", data, C=[100.0], max_iter=2)
    assert (rows["status"] == "timeout").all()
    assert rows["reason"].str.startswith("2 iterations do not reach").all()


def test_kernel_takes_the_width_that_was_chosen(study, data, tmp_path):
    chosen = [json.dumps(parameters) for parameters in ({"C": 9, "gamma": 0.3}, {"C": 9})]
    fits = pd.DataFrame({"method": ["kernel", "linear"], "measure": "f1", "status": "ok"})
    fits = fits.assign(fit=fits["method"])
    fits.assign(selected=chosen).to_parquet(tmp_path / "fits.parquet")
    settings = {"methods": {"kernel": KERNEL}, "C": [2.0]}
    rows, _ = study("by_C", data, [tmp_path / "fits.parquet"], ["kernel", "linear"], **settings)
    rows = rows.set_index("measure")
    model = MultivariateSVC("f1", C=2.0, kernel="rbf", gamma=0.3, tol=1e-6)
    assert rows.loc["f1", "value"] == pytest.approx(value(data, model), abs=0.02)
    assert rows.loc["roc_area", "status"] == "failed"
    assert "has chosen no width" in rows.loc["roc_area", "reason"]


@pytest.mark.parametrize(
    ("name", "n_rows"), [("by_C", 8), ("oracle_calls_by_C", 8), ("auxiliary_selection", 4)]
)
def test_cells_without_a_value_have_a_status_and_a_reason(study, data, name, n_rows):
    absent = dataclasses.replace(data, y_train=np.full(180, -1, dtype=np.int8))
    missing = dataclasses.replace(data, X_test=np.full_like(data.X_test, np.nan))
    for given, status, reason in (
        (absent, "failed", "no positive example in the training part"),
        (missing, "failed", "missing or infinite"),
    ):
        rows, seconds = study(name, given)
        assert len(rows) == n_rows
        assert (rows["status"] == status).all()
        assert rows["reason"].str.contains(reason).all()
        assert seconds.empty


def test_budget_and_folds_end_a_study(study, data):
    rows, seconds = study("by_C", data, budget=10.0)
    assert (rows["status"] == "timeout").all()
    assert rows["reason"].str.contains("more than the budget of 1.0e").all()
    assert (rows["n_train"] == 180).all()
    assert seconds.empty
    rows, _ = study("auxiliary_selection", data, folds=100)
    assert (rows["status"] == "failed").all()
    assert rows["reason"].str.contains("than there are folds, 100").all()


def test_what_can_be_learned_is_learned_at_large_C(study):
    """Three classes on a line: no threshold separates the middle one."""
    X, y = make_blobs([60, 50, 40], centers=[[-4.0], [0.0], [4.0]], random_state=0)
    parts = X, y.astype(np.int64), X, y.astype(np.int64)
    record = {"status": "ok", "name": "d", "task": "multiclass"}
    rows, _ = study(
        "learnable", PreparedDataSet("d", "multiclass", *parts, ("a", "b", "c"), record=record)
    )
    assert rows["task"].tolist() == ["a", "b", "c"]
    assert rows["n_train_positives"].tolist() == [60, 50, 40]
    assert rows["learnable"].tolist() == [True, False, True]
    assert rows["learnable_without_intercept"].tolist() == [True, False, True]


def test_for_the_error_rate_both_svms_are_the_same(study, data):
    rows, _ = study("error_rate", data)
    [row] = rows.itertuples()
    assert row.objective_multivariate == pytest.approx(row.objective_ordinary, rel=1e-5)
    rival = LinearSVC(loss="hinge", C=1.0, tol=1e-8, max_iter=10**6, random_state=0)
    rival.fit(data.X_train, data.y_train > 0)
    w = np.append(rival.coef_[0], rival.intercept_)
    losses = np.maximum(0.0, 1.0 - data.y_train * rival.decision_function(data.X_train))
    assert row.objective_ordinary == pytest.approx(0.5 * w @ w + losses.sum(), rel=1e-5)
    assert row.distance <= 0.01 * row.norm
    assert (row.n_test, row.n_different) == (80, 0)
    model = MultivariateSVC("accuracy", C=1.0, C_convention="liblinear", tol=1e-6)
    model.fit(data.X_train, data.y_train > 0)
    assert row.objective_multivariate == pytest.approx(model.objective_, rel=1e-9)


def test_selected_auxiliaries_are_adapted(study, data):
    rows, _ = study("auxiliary_selection", data)
    width = libcvm_gamma(data.X_train)
    for row in rows[rows["which"] == "selected"].itertuples():
        machines = []
        for name, factor in (part.split() for part in row.auxiliaries.split(", ")):
            state = derive_seed(1, "p", "d", "auxiliary_selection", name, factor)
            if factor == "1":
                state = SETTINGS["auxiliary_selection"]["auxiliaries"][name]["parameters"][
                    "random_state"
                ]
            gamma = float(factor) * width
            machines.append(CoreVectorMachine(kernel=name, gamma=gamma, random_state=state))
        expected = np.mean([value(data, machine, row.measure) for machine in machines])
        assert row.auxiliary_value == pytest.approx(expected, abs=1e-9)
        model = CAPOClassifier(machines, row.measure, C=row.C * 1.8)
        assert row.capo_value == pytest.approx(value(data, model, row.measure), abs=0.03)


@pytest.mark.parametrize(("taken", "expected"), [([0.3, 0.1, 0.2], 0.2), ([0.6, 0.1, 0.2], 0.6)])
def test_seconds_are_medians_unless_the_fit_is_long(study, data, monkeypatch, taken, expected):
    class Clock:
        seconds = iter([9.0, *taken])

        def time(self, stage, task, measure, function, *arguments):
            self.rows = [{"stage": stage, "cpu_seconds": next(self.seconds)}]
            return function(*arguments)

    monkeypatch.setattr(sweeps, "Clock", Clock)
    only = {"methods": {"linear": LINEAR}, "measures": ["f1"], "C": [1.0]}
    _, seconds = study("oracle_calls_by_C", data, **only, repetitions=3)
    # The first fit, to few examples, loads compiled code.
    assert seconds["cpu_seconds"].tolist() == [expected]


def test_a_further_state_takes_over_what_is_not_random(study, data):
    """Only the random machine is fitted again; the other rows come from the first seed."""
    random = {**MACHINE, "parameters": {"epsilon": 0.1}}
    methods = {
        "first": {**CAPO, "auxiliaries": {"machine": random}},
        "linear": LINEAR,
        "settled": {**CAPO, "auxiliaries": {"machine": {**random, "stochastic": False}}},
    }
    settings = {"methods": methods, "measures": ["f1"]}
    rows, seconds = study("by_C", data, **settings)
    others, other_seconds = study("by_C", data, state=2, **settings)
    assert others["method"].tolist() == rows["method"].tolist() == [*rows["method"]]
    settled = rows["method"] != "first"
    pd.testing.assert_frame_equal(others[settled], rows[settled])
    pd.testing.assert_frame_equal(other_seconds[settled], seconds[settled])
    assert not others["value"][~settled].equals(rows["value"][~settled])
    assert (other_seconds["cpu_seconds"][~settled] != seconds["cpu_seconds"][~settled]).all()


def test_more_examples_than_beyond_the_budget_are_not_begun(study, data):
    settings = {"methods": {"linear": LINEAR}, "measures": ["f1"], "C": [1.0]}
    rows, seconds = study("by_C", data, **settings, train_fraction=[0.5, 1.0], budget=10.0)
    assert (rows["status"] == "timeout").all()
    assert rows["reason"][1] == "a fit to fewer examples went beyond the budget"
    assert seconds.empty


def test_selection_never_sees_the_test_set(data):
    other = dataclasses.replace(data, X_test=-data.X_test, y_test=data.y_test[::-1])
    select = STUDIES["auxiliary_selection"]
    rows, others = (
        pd.DataFrame(select(part, SETTINGS["auxiliary_selection"], (1, "p"))[0])
        for part in (data, other)
    )
    assert rows[["auxiliaries", "C"]].equals(others[["auxiliaries", "C"]])
    assert not rows["capo_value"].equals(others["capo_value"])
