import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beyond_accuracy.command_line.model_file import Model, read_model, write_model
from beyond_accuracy.readers.errors import FileError

_FINITE = st.floats(allow_nan=False, allow_infinity=False)


def make_model(**changes):
    values = {
        "measure": "f1",
        "C": 2.5,
        "tol": 1e-3,
        "at_most_k": False,
        "fit_intercept": True,
        "classes": (-1.0, 1.0),
        "n_features": 3,
        "intercept": -0.25,
        "objective": 12.0,
        "dual_gap": 5e-4,
        "n_iter": 4,
        "converged": True,
        "coefficients": np.array([0.5, 0.0, -1.0]),
    }
    return Model(**{**values, **changes})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("models")


@given(
    coefficients=st.lists(st.one_of(st.just(0.0), _FINITE), max_size=20),
    intercept=_FINITE,
    low=st.floats(-1e9, 0),
)
def test_what_is_read_is_what_was_written(folder, coefficients, intercept, low):
    model = make_model(
        coefficients=np.array(coefficients, dtype=np.float64),
        n_features=len(coefficients),
        intercept=intercept,
        classes=(low, 1.0),
    )
    write_model(folder / "model.json", model)
    found = read_model(folder / "model.json")
    np.testing.assert_array_equal(found.coefficients, model.coefficients)
    for name in ("intercept", "classes", "C", "n_iter", "converged", "measure", "n_features"):
        assert getattr(found, name) == getattr(model, name)


def test_sparse_coefficients_count_from_1(folder):
    coefficients = np.zeros(1000)
    coefficients[[0, 41]] = 2.0, -3.0
    write_model(folder / "model.json", make_model(coefficients=coefficients, n_features=1000))
    content = json.loads((folder / "model.json").read_text())
    assert content["coefficients"] == {"indices": [1, 42], "values": [2.0, -3.0]}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "another"}, "not a valid model: expected JSON with"),
        ({"format_version": 2}, "format_version is 2, this program reads 1"),
        ({"coefficients": [1.0, 2.0]}, "found 2, n_features says 3"),
        ({"coefficients": [1.0, 10**400, 3.0]}, "not a valid model"),
        ({"coefficients": {"indices": [4], "values": [1]}}, "index 3 is out of bounds"),
        ({"coefficients": {"indices": [1]}}, "not a valid model: 'values'"),
        ({"intercept": float("nan")}, "finite numbers"),
        ({"n_features": 10**12}, "n_features: found 1000000000000"),
        ({"classes": [1, -1]}, "two rising labels"),
    ],
)
def test_every_fault_is_named(folder, change, said):
    path = folder / "model.json"
    write_model(path, make_model())
    content = json.loads(path.read_text())
    content.update(change)
    path.write_text(json.dumps(content))
    with pytest.raises(FileError, match=said) as caught:
        read_model(path)
    assert str(caught.value).startswith(f"{path}: ")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "model.json:1: not JSON"),
        (b'{\n"format": \n', "model.json:3: not JSON"),
        (b"[1, 2]", "not a valid model: expected JSON with"),
        (b"\xff\xfe\x00", "not a text file"),
        (
            b'{"format": "beyond-accuracy linear model", "format_version": 1, "C": 1}',
            "lacks at_most_k",
        ),
    ],
)
def test_files_that_are_no_model(folder, content, said):
    (folder / "model.json").write_bytes(content)
    with pytest.raises(FileError, match=said):
        read_model(folder / "model.json")


@pytest.mark.parametrize("measure", ["g7", "recall_at_" + "9" * 400])
def test_a_measure_unknown_to_this_version_is_named(run, folder, train_file, measure):
    write_model(folder / "model.json", make_model(measure=measure, n_features=3))
    status, out, err = run("predict", train_file, folder / "model.json")
    assert (status, out) == (1, "")
    assert err.startswith(f"beyond-accuracy: {folder / 'model.json'}: measure: ")
