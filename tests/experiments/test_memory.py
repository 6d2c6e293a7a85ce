import time

import numpy as np
import pytest
import scipy.sparse
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from beyond_accuracy_pipeline.experiments.experiment import Clock
from beyond_accuracy_pipeline.experiments.memory import ResultMemory

X = np.arange(12.0).reshape(6, 2)
SQUARE = np.array([[0.0, 1.0], [0.0, 2.0]])


def counted():
    calls = []

    def function(*arguments):
        calls.append(arguments)
        return len(calls)

    return function, calls


@pytest.mark.parametrize(
    ("same", "other"),
    [
        (X.copy(), X + 1),
        (1, 1.0),
        (scipy.sparse.csr_matrix(SQUARE), scipy.sparse.csr_matrix(SQUARE).T),
        ([X, 1], [X, 2]),
        ({"a": X}, {"b": X}),
        (DecisionTreeClassifier(max_depth=2), DecisionTreeClassifier(max_depth=3)),
        (StratifiedKFold(3, shuffle=True, random_state=1), StratifiedKFold(3)),
    ],
)
def test_equal_arguments_share_a_result(same, other):
    import copy

    function, calls = counted()
    remembered = ResultMemory().cache(function)
    assert remembered(same) == remembered(copy.deepcopy(same)) == 1
    assert remembered(other) == 2
    assert len(calls) == 2


def test_fitted_estimators_are_told_apart():
    function, calls = counted()
    remembered = ResultMemory().cache(function)
    one, other = StandardScaler().fit(X), StandardScaler().fit(X * 2)
    remembered(one), remembered(other), remembered(one)
    assert len(calls) == 2


def test_a_method_pays_once_for_what_another_has_computed():
    def slow(value):
        time.sleep(0.05)
        return value

    shared = ResultMemory()
    first, second = ResultMemory(shared), ResultMemory(shared)
    clocks = [Clock(first), Clock(second)]
    for memory, clock in zip((first, second), clocks, strict=True):
        for _ in range(2):
            assert clock.time("stage", "task", "measure", memory.cache(slow), 3) == 3
    assert first.saved_wall_seconds == 0.0
    computed, recalled = ([row["wall_seconds"] for row in clock.rows] for clock in clocks)
    assert min(computed[0], recalled[0]) >= 0.05
    assert 0.05 <= second.saved_wall_seconds <= computed[0]
    assert max(computed[1], recalled[1]) < 0.05


def test_results_can_count_again():
    shared = ResultMemory()
    ResultMemory(shared).cache(time.sleep)(0.02)
    second = ResultMemory(shared)
    for _ in range(2):
        second.count_again()
        second.cache(time.sleep)(0.02)
    assert second.saved_wall_seconds >= 0.04


def test_what_a_function_takes_from_the_memory_counts_among_its_seconds():
    shared = ResultMemory()
    ResultMemory(shared).cache(time.sleep)(0.05)

    def outer(memory):
        memory.cache(time.sleep)(0.05)

    second, third = ResultMemory(shared), ResultMemory(shared)
    for memory in (second, third):
        start = time.perf_counter()
        memory.cache(outer, ignore=["memory"])(memory=memory)
        assert time.perf_counter() - start < 0.05
        assert memory.saved_wall_seconds >= 0.05
