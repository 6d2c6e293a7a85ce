"""Pattern search along the axes of the weights, where one changed weight costs O(n) to evaluate."""

import numpy as np
from numba import njit

from beyond_accuracy.reweighting.objective import TIE_FACTOR, average_costs, fractional_costs

_MESH_TOLERANCE = 1e-6
_POLLS_PER_WEIGHT = 100
_EVALUATIONS_PER_WEIGHT = 2000
# Sums of other terms are had by subtraction only if that leaves more than this share of a term.
_SHARE_LEFT = 0.01
_ROUNDING = 1e-12
# Changed sums are computed anew after so many changes, since each of them adds rounding.
_CHANGES = 64


@njit(cache=True, nogil=True)
def pattern_search(values, starts, costs, fractional, weights):
    """Improve `weights`, whose largest is 1; returns them, their objective and the evaluations.

    The mesh begins at 1. The axes are polled in turn, upwards and downwards to no less than 0; the
    first better point is taken and doubles the mesh, none halves it, down to 1e-6, within 100·m
    polls and 2000·m evaluations.
    """
    m, n = values.shape
    weights = weights.copy()
    point = np.empty((1, m))
    found = np.empty(1)
    state = np.empty((4, n))
    value = _refresh(values, starts, costs, fractional, weights, state, point, found)
    # The weights that the sums were last computed of, and the changes since.
    summed = weights.copy()
    n_changes = 0
    mesh = 1.0
    n_evaluations = 1
    for _ in range(_POLLS_PER_WEIGHT * m):
        if mesh < _MESH_TOLERANCE or n_evaluations >= _EVALUATIONS_PER_WEIGHT * m:
            break
        improved = False
        for k in range(2 * m):
            j = k // 2
            moved = max(weights[j] + (mesh if k % 2 == 0 else -mesh), 0.0)
            if moved == weights[j]:
                continue
            n_evaluations += 1
            if not fractional:
                trial = _with_one_changed(values, starts, costs, state, j, moved)
            elif moved > _SHARE_LEFT * summed[j]:
                trial = _share_with_one_changed(
                    values, starts, costs, state, j, moved - weights[j]
                )  # fmt: skip
            else:
                point[0] = weights
                point[0, j] = moved
                fractional_costs(values, starts, costs, point, found)
                trial = found[0]
            if trial < value - _ROUNDING * value:
                n_changes += 1
                if fractional and n_changes < _CHANGES and moved > _SHARE_LEFT * summed[j]:
                    _change_terms(values, starts, costs, state, j, moved - weights[j])
                    weights[j], value = moved, trial
                else:
                    weights[j] = moved
                    value = _refresh(
                        values, starts, costs, fractional, weights, state, point, found
                    )
                    summed[:] = weights
                    n_changes = 0
                improved = True
                break
        mesh = 2.0 * mesh if improved else 0.5 * mesh
    value = _refresh(values, starts, costs, fractional, weights, state, point, found)
    return weights, value, n_evaluations


@njit(cache=True, nogil=True)
def _refresh(values, starts, costs, fractional, weights, state, point, found):
    """Recompute what the trials need, and the objective."""
    point[0] = weights
    if fractional:
        _sum_terms(values, starts, costs, weights, state)
        fractional_costs(values, starts, costs, point, found)
    else:
        _find_two_largest(values, weights, state)
        average_costs(values, starts, costs, point, found)
    return found[0]


@njit(cache=True, nogil=True)
def _find_two_largest(values, weights, state):
    """Into `state`: largest product and its class, second largest and its class."""
    m, n = values.shape
    for i in range(n):
        state[0, i] = weights[0] * values[0, i]
        state[1, i] = 0.0
        state[2, i] = -1.0
        state[3, i] = 0.0
    factor = 1.0
    for j in range(1, m):
        factor *= TIE_FACTOR
        weight = weights[j] * factor
        for i in range(n):
            product = weight * values[j, i]
            if product > state[0, i]:
                state[2, i], state[3, i] = state[0, i], state[1, i]
                state[0, i], state[1, i] = product, j
            elif product > state[2, i]:
                state[2, i], state[3, i] = product, j


@njit(cache=True, nogil=True)
def _with_one_changed(values, starts, costs, state, j, moved):
    """Average cost if weight j is `moved`."""
    m, n = values.shape
    weight = moved
    for _ in range(j):
        weight *= TIE_FACTOR
    total = 0.0
    for label in range(m):
        of_label = slice(starts[label], starts[label + 1])
        scores = values[j, of_label]
        first, first_class = state[0, of_label], state[1, of_label]
        second, second_class = state[2, of_label], state[3, of_label]
        price = costs[label, j]
        for i in range(len(scores)):
            product = weight * scores[i]
            is_top = first_class[i] == j
            other = second[i] if is_top else first[i]
            other_class = second_class[i] if is_top else first_class[i]
            wins = product > other or (product == other and j < other_class)
            total += price if wins else costs[label, int(other_class)]
    return total / n


@njit(cache=True, nogil=True)
def _sum_terms(values, starts, costs, weights, state):
    """Into `state`: Σ_j w_j·S_ij·cost and Σ_j w_j·S_ij."""
    m, _ = values.shape
    state[:2] = 0.0
    for label in range(m):
        of_label = slice(starts[label], starts[label + 1])
        paid, mass = state[0, of_label], state[1, of_label]
        for j in range(m):
            scores = values[j, of_label]
            price = weights[j] * costs[label, j]
            for i in range(len(scores)):
                paid[i] += price * scores[i]
                mass[i] += weights[j] * scores[i]


@njit(cache=True, nogil=True)
def _change_terms(values, starts, costs, state, j, change):
    """Add to the sums what weight j gains by `change`."""
    for label in range(values.shape[0]):
        of_label = slice(starts[label], starts[label + 1])
        paid, mass = state[0, of_label], state[1, of_label]
        scores = values[j, of_label]
        price = change * costs[label, j]
        for i in range(len(scores)):
            paid[i] += price * scores[i]
            mass[i] += change * scores[i]


@njit(cache=True, nogil=True)
def _share_with_one_changed(values, starts, costs, state, j, change):
    """Expected cost if weight j is changed by `change`."""
    m, n = values.shape
    total = 0.0
    for label in range(m):
        of_label = slice(starts[label], starts[label + 1])
        paid, mass, share = state[0, of_label], state[1, of_label], state[2, of_label]
        scores = values[j, of_label]
        price = change * costs[label, j]
        for i in range(len(scores)):
            changed = mass[i] + change * scores[i]
            share[i] = (paid[i] + price * scores[i]) / (changed if changed > 0.0 else 1.0)
            share[i] = share[i] if changed > 0.0 else costs[label, 0]
        # Four sums, since each addition would have to wait for the one before.
        sums = (0.0, 0.0, 0.0, 0.0)
        whole = len(share) - len(share) % 4
        for i in range(0, whole, 4):
            sums = (
                sums[0] + share[i],
                sums[1] + share[i + 1],
                sums[2] + share[i + 2],
                sums[3] + share[i + 3],
            )
        total += (sums[0] + sums[1]) + (sums[2] + sums[3]) + share[whole:].sum()
    return total / n
