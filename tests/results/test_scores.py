"""Scores of a job's fits are read as they were written."""

import numpy as np
import pytest

from beyond_accuracy_pipeline.results.scores import Scores, read_scores, write_scores


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "set" / "job.npz"
    decisions = np.array([[0.5, -1.0], [np.nan, 2.0]])
    write_scores(
        path,
        {"a": Scores(("one", "two"), {"f1": decisions, "y_test": decisions > 0}), "a.b": Scores()},
    )
    return path


def test_a_fit_has_its_own_arrays(path):
    scores = read_scores(path, "a")
    assert scores.tasks == ("one", "two")
    assert sorted(scores.arrays) == ["f1", "y_test"]
    np.testing.assert_array_equal(scores.row("f1", "one"), [0.5, -1.0])


def test_bytes_do_not_depend_on_the_time(path):
    again = path.with_name("again.npz")
    write_scores(again, {name: read_scores(path, name) for name in ("a", "a.b")})
    assert again.read_bytes() == path.read_bytes()
