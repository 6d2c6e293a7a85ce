"""Paired statistics against enumeration and printed examples."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

from beyond_accuracy_pipeline.reporting.statistics import (
    Counts,
    count_signs,
    differences,
    holm,
    signed_rank_test,
)


def enumerated_p_value(difference: np.ndarray) -> float:
    """Return the two-tailed p-value of the signed-rank sum over all signs, without zeros."""
    difference = difference[difference != 0]
    ranks = rankdata(np.abs(difference))
    observed = ranks[difference > 0].sum()
    sums = np.array(
        [ranks[np.array(signs, dtype=bool)].sum() for signs in product((0, 1), repeat=len(ranks))]
    )
    tail = min((sums <= observed + 1e-9).mean(), (sums >= observed - 1e-9).mean())
    return min(1.0, 2 * tail)


@pytest.mark.parametrize("largest", [4, 1000], ids=["ties and zeros", "hardly any ties"])
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_signed_rank_test_equals_enumeration(largest, data):
    integers = st.lists(st.integers(-largest, largest), min_size=1, max_size=9)
    difference = np.array(data.draw(integers)) / 10
    test = signed_rank_test(difference + 0.5, np.full(len(difference), 0.5))
    expected = enumerated_p_value(difference) if difference.any() else 1.0
    assert test.p_value == pytest.approx(expected, abs=1e-12)
    assert test.n_nonzero == np.count_nonzero(difference)


def test_pratt_ranks_zeros_before_it_drops_them():
    difference = np.array([0, 0, 0, 0, 1, 2, 3, 4, -5, 6, 7, 8.0])
    dropped = signed_rank_test(difference, np.zeros(12))
    kept = signed_rank_test(difference, np.zeros(12), zero_method="pratt")
    # The eight nonzero differences have the ranks 5 to 12 instead of 1 to 8.
    signs = np.array(list(product((0, 1), repeat=8)))
    sums = signs @ np.arange(5, 13)
    expected = 2 * (sums >= sums.max() - 9).mean()
    assert kept.p_value == pytest.approx(expected)
    assert kept.p_value < dropped.p_value


def test_rounding_is_a_tie():
    assert differences([0.1 + 0.2], [0.3]).tolist() == [0.0]
    assert count_signs([0.1 + 0.2, 0.5, 0.5], [0.3, 0.4, 0.6]) == (1, 1, 1)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=9))
def test_swapping_the_methods_mirrors_everything(pairs):
    first, second = [list(side) for side in zip(*pairs, strict=True)] if pairs else ([], [])
    there, back = count_signs(first, second), count_signs(second, first)
    assert there == Counts(back.losses, back.wins, back.ties)
    assert there.wins + there.losses + there.ties == len(pairs)
    p_values = signed_rank_test(first, second).p_value, signed_rank_test(second, first).p_value
    assert p_values[0] == pytest.approx(p_values[1], nan_ok=True)


def test_holm_by_hand():
    # 0.01·4, then 0.02·3 = 0.06, then 0.03·2 = 0.06, then 0.04·1 raised to 0.06.
    assert holm([0.04, 0.01, 0.03, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert holm([0.9, 0.8]) == pytest.approx([1.0, 1.0])
    assert holm([0.02, np.nan, 0.01]) == pytest.approx([0.02, np.nan, 0.02], nan_ok=True)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_rejects_what_the_step_down_procedure_rejects(p_values):
    level = 0.05
    rejected = set()
    for step, index in enumerate(np.argsort(p_values, kind="stable")):
        if p_values[index] * (len(p_values) - step) > level:
            break
        rejected.add(index)
    assert set(np.flatnonzero(holm(p_values) <= level)) == rejected
