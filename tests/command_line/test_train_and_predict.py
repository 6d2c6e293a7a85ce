import bz2
import gzip
import json
import lzma

import numpy as np
import pytest
from sklearn.datasets import dump_svmlight_file
from sklearn.metrics import accuracy_score, f1_score, roc_auc_score

from beyond_accuracy.command_line.model_file import read_model
from beyond_accuracy.estimators import MultivariateSVC


@pytest.mark.parametrize(
    ("options", "parameters"),
    [
        (["--measure", "f1", "-C", "10"], {"measure": "f1", "C": 10}),
        ([], {"measure": "f1", "C": None}),
        (
            ["--measure", "recall_at_2p", "--at-most-k", "-C", "3", "--no-intercept"],
            {"measure": "recall_at_2p", "at_most_k": True, "C": 3, "fit_intercept": False},
        ),
        (
            ["--measure", "roc_area", "-C", "5", "--tol", "1e-2", "--no-line-search"],
            {"measure": "roc_area", "C": 5, "tol": 1e-2, "line_search": False},
        ),
    ],
)
def test_training_equals_the_estimator(run, train_file, arrays, tmp_path, options, parameters):
    X, y = arrays
    if "tol" not in parameters:
        # Rounding in the text file changes the solver's path, but not the optimum.
        options, parameters = [*options, "--tol", "1e-9"], {**parameters, "tol": 1e-9}
    model_path, output = tmp_path / "model.json", tmp_path / "predictions.txt"
    status, out, err = run("train", *options, train_file, model_path)
    assert (status, out) == (0, "")
    assert "iterations, primal" in err
    expected = MultivariateSVC(**parameters).fit(X, y)
    model = read_model(model_path)
    np.testing.assert_allclose(model.coefficients, expected.coef_[0], atol=1e-3)
    assert model.objective == pytest.approx(expected.objective_, rel=1e-8)
    assert model.classes == (-1, 1)

    status, out, _ = run("predict", train_file, model_path, output)
    assert (status, out) == (0, "")
    decision = np.loadtxt(output)
    np.testing.assert_allclose(decision, expected.decision_function(X), atol=1e-2)
    status, out, _ = run("predict", train_file, model_path)
    assert out == output.read_text()


def test_measures_of_the_predictions(run, train_file, arrays, tmp_path):
    X, y = arrays
    model_path = tmp_path / "model.json"
    run("train", "-C", 10, "--measure", "f2", train_file, model_path)
    _, out, err = run("predict", train_file, model_path)
    values = dict(line.split(": ") for line in err.splitlines())
    decision = np.array(out.split(), dtype=float)
    predicted = np.where(decision > 0, 1, -1)
    assert list(values)[0] == "f2"
    assert float(values["f1"]) == pytest.approx(f1_score(y, predicted), abs=1e-6)
    assert float(values["accuracy"]) == pytest.approx(accuracy_score(y, predicted), abs=1e-6)
    assert float(values["roc_area"]) == pytest.approx(roc_auc_score(y, decision), abs=1e-6)
    assert run("predict", "--quiet", train_file, model_path)[2] == ""


def test_files_without_labels_give_decision_values_alone(run, train_file, arrays, tmp_path):
    X, y = arrays
    run("train", train_file, tmp_path / "model.json")
    unlabelled = tmp_path / "unlabelled.svm"
    dump_svmlight_file(X, np.zeros(len(y)), str(unlabelled), zero_based=False)
    labelled = run("predict", train_file, tmp_path / "model.json")
    assert run("predict", unlabelled, tmp_path / "model.json") == (0, labelled[1], "")


def test_measures_that_need_both_classes_are_undefined_on_one(run, train_file, write, tmp_path):
    run("train", train_file, tmp_path / "model.json")
    status, _, err = run("predict", write("1 1:1\n1 2:1\n"), tmp_path / "model.json")
    assert status == 0
    assert "roc_area: undefined" in err


def test_the_larger_label_is_positive(run, write, arrays, tmp_path):
    X, y = arrays
    path = tmp_path / "seven.svm"
    dump_svmlight_file(X, np.where(y > 0, 7, 3), str(path), zero_based=False)
    run("train", "--tol", "1e-9", path, tmp_path / "model.json")
    model = read_model(tmp_path / "model.json")
    assert model.classes == (3, 7)
    expected = MultivariateSVC(tol=1e-9).fit(X, y)
    np.testing.assert_allclose(model.coefficients, expected.coef_[0], atol=1e-3)


def test_features_of_test_data_may_be_more_or_fewer(run, write, train_file, tmp_path):
    run("train", train_file, tmp_path / "model.json")
    model = read_model(tmp_path / "model.json")
    _, out, _ = run("predict", write("1 2:3\n-1 1:1 9000:5\n"), tmp_path / "model.json")
    expected = model.coefficients[[1, 0]] * [3, 1] + model.intercept
    np.testing.assert_allclose(np.array(out.split(), dtype=float), expected, rtol=1e-12)


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress])
def test_compressed_data_gives_the_same_model(run, train_file, tmp_path, compress):
    packed = tmp_path / "packed"
    packed.write_bytes(compress(train_file.read_bytes()))
    assert run("train", train_file, tmp_path / "plain.json")[0] == 0
    assert run("train", packed, tmp_path / "packed.json")[0] == 0
    assert (tmp_path / "plain.json").read_bytes() == (tmp_path / "packed.json").read_bytes()


def test_a_model_that_did_not_converge_is_written_with_status_3(run, train_file, tmp_path):
    model_path = tmp_path / "model.json"
    status, _, err = run(
        "train", "--quiet", "--tol", "1e-9", "--max-iter", 8, train_file, model_path
    )
    assert status == 3
    assert err.startswith("beyond-accuracy: warning: stopped after 8 iterations")
    content = json.loads(model_path.read_text())
    assert (content["converged"], content["n_iter"]) == (False, 8)
    assert content["dual_gap"] > 1e-9


def test_classes_that_overlap_altogether_are_reported(run, write, tmp_path):
    overlapping, apart = write("1 1:1\n-1 1:1\n" * 5), write("1 1:1\n-1 1:-1\n" * 5, "apart.svm")
    for data, warned in ((overlapping, True), (apart, False)):
        status, _, err = run("train", "-C", "1e-9", data, tmp_path / "model.json")
        assert status == 0
        warning = "w = 0 is optimal for every -C: predictions are arbitrary; choose a threshold"
        assert (warning in err) == warned


def test_an_early_end_is_not_called_an_optimum(run, train_file, tmp_path):
    early = ("--no-line-search", "--max-iter", 1, "-C", 1000)
    status, _, err = run("train", *early, train_file, tmp_path / "model.json")
    assert status == 3
    assert "stopped after 1 iterations" in err
    assert "is optimal" not in err
