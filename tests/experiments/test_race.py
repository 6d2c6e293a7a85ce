"""Races between candidates find the same winners as a comparison of all values."""

import json
from typing import Any

import numpy as np
import pytest

from beyond_accuracy_pipeline.experiments.race import race

from .binary_runs import binary_data, run_binary

MULTIVARIATE = {
    "estimator": "beyond_accuracy.estimators.MultivariateSVC",
    "parameters": {"kernel": "rbf", "n_components": 60, "tol": 1e-2},
    "grid": {"C": [0.001, 1.0, 100.0], "gamma": [0.01, 0.1, 10.0]},
    "extend_grid": {"C": "both", "gamma": "both"},
    "max_extensions": 2,
}
COST_MODEL = {
    **MULTIVARIATE,
    "estimator": "beyond_accuracy_pipeline.reproduction.KernelCostModelSVC",
    "parameters": {},
    "grid": {"C": [0.001, 1.0, 100.0], "j": [1, 4], "gamma": [0.01, 0.1, 10.0]},
}


def raced(
    full: np.ndarray, paths: list[list[int]], goes_on: bool, best: np.ndarray
) -> tuple[np.ndarray, int]:
    """Return the values that a race finds, and how many values it asks for."""
    values = np.full_like(full, np.nan)
    asked = []

    def validate(part: int, chosen: list[int]) -> None:
        values[:, part, chosen] = full[:, part, chosen]
        asked.extend(chosen)
        if goes_on:
            for path in paths:
                own = [i for i in path if i in chosen]
                assert own == path[: len(own)]

    race(values, paths, goes_on, best, validate)
    return values, len(asked)


@pytest.mark.parametrize("goes_on", [False, True])
def test_the_highest_means_are_found(goes_on):
    rng = np.random.default_rng(0)
    paths = [[2, 0, 1], [3], [7, 6, 5, 4]]
    for _ in range(300):
        # Few distinct values, so that ties occur.
        full = rng.integers(0, 5, (2, 4, 8)) / 4
        best = rng.choice([-np.inf, 0.6], 2)
        values, n_asked = raced(full, paths, goes_on, best)
        assert n_asked <= full[0].size
        for measure in range(2):
            means = full[measure].mean(axis=0)
            found = np.nan_to_num(values[measure].mean(axis=0), nan=-np.inf)
            if means.max() >= best[measure]:
                assert (found == means.max()).tolist() == (means == means.max()).tolist()
            assert set(found[np.isfinite(found)]) <= set(means)


def test_what_is_far_behind_is_given_up_after_one_part():
    full = np.full((1, 5, 4), 0.1)
    full[:, :, 2] = 0.95
    assert raced(full, [[0], [1], [2], [3]], False, np.array([-np.inf]))[1] == 4 + 4
    assert raced(full, [[0, 1, 2, 3]], True, np.array([-np.inf]))[1] == 4 * 5
    assert raced(full, [[0], [1], [2], [3]], False, np.array([0.99]))[1] == 4 + 1
    full[:, 1] = np.nan
    assert raced(full, [[0], [1], [2], [3]], False, np.array([-np.inf]))[1] == 4 * 5


@pytest.mark.parametrize("method", [MULTIVARIATE, COST_MODEL])
def test_a_race_chooses_as_a_comparison_of_all(method):
    data = binary_data(400, 250, 5, weights=[0.7], class_sep=1.5, random_state=2)
    paper: dict[str, Any] = {"measures": ["accuracy", "f1", "roc_area"], "selection": {"folds": 4}}
    plain, fast = (
        run_binary(data, {**method, **options}, paper, seed=3)
        for options in ({}, {"selection_rows": 250})
    )
    for one, other in zip(plain.fits, fast.fits, strict=True):
        assert json.loads(one["selected"]) == json.loads(other["selected"])
        assert one["grid_limit"] == other["grid_limit"]
        assert (plain.arrays[one["measure"]] == fast.arrays[one["measure"]]).all()
