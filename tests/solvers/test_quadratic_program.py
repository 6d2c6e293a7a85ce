"""The simplex quadratic program against its optimality conditions."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from beyond_accuracy.solvers.quadratic_program import QuadraticProgram


def growing(planes, offsets):
    """Yield the program and its planes after each added plane."""
    qp = QuadraticProgram(len(planes) + 1)
    all_planes = np.vstack([np.zeros(planes.shape[1]), planes])
    for n, (plane, offset) in enumerate(zip(planes, offsets, strict=True), start=1):
        qp.add(all_planes[:n] @ plane, plane @ plane, offset)
        yield qp, all_planes[: n + 1]


def violation(qp, planes, bound):
    """Return the Frank–Wolfe gap, recomputed from the planes, and the objective."""
    alpha = qp.alpha[: len(planes)]
    offsets = qp.offsets[: len(planes)]
    assert (alpha >= 0).all()
    assert alpha.sum() == pytest.approx(bound, rel=1e-9)
    w = alpha @ planes
    gradient = offsets - planes @ w
    return bound * gradient.max() - alpha @ gradient, offsets @ alpha - 0.5 * w @ w


@settings(max_examples=150)
@given(
    st.integers(1, 40),
    st.integers(1, 20),
    st.sampled_from([0.01, 1.0, 100.0]),
    st.sampled_from([1e-3, 1.0, 1e4]),
    st.booleans(),
    st.integers(0, 2**31),
)
def test_optimal_after_every_plane(m, d, scale, bound, degenerate, seed):
    """Duplicates, and more planes than dimensions, make the Gram matrix singular."""
    rng = np.random.default_rng(seed)
    planes = scale * rng.normal(size=(m, d))
    if degenerate:
        planes[m // 2 :] = planes[: m - m // 2]
    offsets = np.abs(rng.normal(size=m)) * 50
    for qp, known in growing(planes, offsets):
        qp.solve(bound)
        gap, objective = violation(qp, known, bound)
        rounding = 1e-14 * bound * (offsets.max() + bound * (known**2).sum(1).max())
        assert gap <= 1e-9 * abs(objective) + rounding
        alpha = qp.alpha[: len(known)]
        gradient = qp.offsets[: len(known)] - known @ (alpha @ known)
        assert_allclose(qp.gradient[: len(known)], gradient, rtol=0, atol=1e3 * rounding / bound)


def test_keeps_the_solution_when_planes_are_dropped_and_the_bound_changes():
    rng = np.random.default_rng(5)
    planes, offsets = rng.normal(size=(30, 6)), rng.uniform(1, 3, size=30)
    *_, (qp, known) = growing(planes, offsets)
    qp.solve(1.0)
    _, before = violation(qp, known, 1.0)
    kept = np.union1d([0], np.flatnonzero(qp.alpha[:31]))
    qp.keep(kept)
    qp.solve(1.0)
    _, after = violation(qp, known[kept], 1.0)
    assert after == pytest.approx(before, rel=1e-12)
    qp.solve(7.0)
    gap, objective = violation(qp, known[kept], 7.0)
    assert gap <= 1e-9 * objective


@settings(max_examples=150)
@given(
    st.integers(1, 3).flatmap(
        lambda d: st.lists(
            st.tuples(
                st.lists(st.integers(-2, 2), min_size=d, max_size=d),
                st.integers(0, 4),
                st.integers(0, 3),
            ),
            min_size=1,
            max_size=8,
        )
    )
)
@example([([1], 1, 1), ([2], 2.5, 1)])
def test_a_zero_plane_without_weight_may_enter_planes_that_depend_on_it(drawn):
    """Outputs ±1 of auxiliaries give such planes: dropping one must not need weight of plane 0."""
    planes, offsets, weights = (np.array(each, dtype=float) for each in zip(*drawn, strict=True))
    *_, (qp, known) = growing(planes, offsets)
    weights[0] += 1.0
    qp.alpha[: len(known)] = [0.0, *(weights / weights.sum())]
    qp.solve(1.0)
    gap, _ = violation(qp, known, 1.0)
    assert gap <= 1e-9
