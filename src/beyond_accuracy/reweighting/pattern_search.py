"""Pattern search along the axes of the class weights, where changing one weight costs O(n)."""

import numpy as np

from beyond_accuracy.compilation import Floats, Integers, compiled
from beyond_accuracy.reweighting.objective import copy_row, fractional_costs, sum_of
from beyond_accuracy.reweighting.score_blocks import (
    ScoreBlocks,
    block_costs,
    block_costs_of_class,
    tilt,
)

_MESH_TOLERANCE = 1e-6
_POLLS_PER_WEIGHT = 100
_EVALUATIONS_PER_WEIGHT = 2000
# Sums of other terms come from a subtraction only if more than this share of a term is left.
_SHARE_LEFT = 0.01
_ROUNDING = 1e-12
# A weight that falls by more than this share of itself has no useful bound.
_LARGEST_FALL = 0.9
# Updated sums are recomputed after this many changes, since each change adds rounding.
_CHANGES = 64


@compiled
def pattern_search(
    blocks: ScoreBlocks, values: Floats, starts: Integers, costs: Floats, fractional: bool,
    weights: Floats,
) -> tuple[Floats, float, int]:  # fmt: skip
    """Improve class weights by a pattern search, which changes one weight at a time.

    Return the weights, their objective, and the number of evaluations of the objective. If
    `fractional`, the objective is the expected cost of random predictions (see `fractional_costs`,
    which also explains `values`, `starts` and `costs`). Otherwise it is the average cost. `blocks`
    holds the same scores as `values`. The largest of the initial `weights` must be 1.

    A poll tries to raise and to lower each weight by the mesh size, not below 0. It ends with the
    first change that lowers the objective. The mesh size is 1 at first, doubled after a poll with
    such a change, and halved otherwise. The search ends at a mesh size below 1e-6, after 100·m
    polls, or after 2000·m evaluations.
    """
    m, n = values.shape
    weights = weights.copy()
    # One row of weights and its objective.
    point = np.empty((1, m))
    objective = np.empty(1)
    state = np.empty((5, n))
    # Costs of the blocks, and their costs at the trial point.
    tilted, paid, tried = np.empty(m), np.empty(len(blocks.counts)), np.empty(len(blocks.counts))
    # Moments of each weight that bound the objective along its axis, until the point changes.
    moments = np.empty((m, 4))
    has_moments = np.zeros(m, dtype=np.bool_)
    # Weights at which the sums were last computed, and the number of changes since.
    summed = np.empty(m)
    n_changes = 0
    stale = True
    value = 0.0
    mesh = 1.0
    n_evaluations = 1
    for n_polls in range(_POLLS_PER_WEIGHT * m + 1):
        finished = (
            n_polls == _POLLS_PER_WEIGHT * m
            or mesh < _MESH_TOLERANCE
            or n_evaluations >= _EVALUATIONS_PER_WEIGHT * m
        )
        if stale or finished:
            copy_row(weights, summed)
            copy_row(weights, point[0])
            if fractional:
                state[:2] = 0.0
                for j in range(m):
                    _change_terms(values, starts, costs, state, j, weights[j])
                _divide(state)
                fractional_costs(values, starts, costs, point, objective)
            else:
                tilt(weights, tilted)
                block_costs(blocks, costs, tilted, paid)
                objective[0] = sum_of(paid) / n
            value = objective[0]
            n_changes = 0
            stale = False
        if finished:
            break
        improved = False
        for k in range(2 * m):
            j = k // 2
            moved = max(weights[j] + (mesh if k % 2 == 0 else -mesh), 0.0)
            if moved == weights[j]:
                continue
            n_evaluations += 1
            if not fractional:
                copy_row(weights, point[0])
                point[0, j] = moved
                largest = tilted[j]
                tilt(point[0], tilted)
                largest = max(largest, tilted[j])
                copy_row(paid, tried)
                block_costs_of_class(blocks, costs, tilted, j, largest, tried)
                trial = sum_of(tried) / n
                tilt(weights, tilted)
            elif moved > _SHARE_LEFT * summed[j]:
                if not has_moments[j]:
                    _find_moments(values, starts, costs, state, j, moments[j])
                    has_moments[j] = True
                rise = _least_rise(moments[j], weights[j], moved - weights[j])
                if rise > n * _ROUNDING * value:
                    continue
                change = moved - weights[j]
                trial = _share_with_one_changed(values, starts, costs, state, j, change)
            else:
                if moved == 0.0:
                    rise = _least_rise_to_zero(values, starts, costs, state, j, weights[j])
                    if rise > n * _ROUNDING * value:
                        continue
                copy_row(weights, point[0])
                point[0, j] = moved
                fractional_costs(values, starts, costs, point, objective)
                trial = objective[0]
            if trial < value - _ROUNDING * value:
                n_changes += 1
                has_moments[:] = False
                if fractional and n_changes < _CHANGES and moved > _SHARE_LEFT * summed[j]:
                    _change_terms(values, starts, costs, state, j, moved - weights[j])
                    _divide(state)
                    value = trial
                else:
                    stale = True
                weights[j] = moved
                improved = True
                break
        mesh = 2.0 * mesh if improved else 0.5 * mesh
    return weights, value, n_evaluations


@compiled
def _change_terms(values, starts, costs, state, j, change):
    """Update Σ_j w_j·S_ij·cost_j and Σ_j w_j·S_ij in `state` for a change of w_j by `change`."""
    for label in range(values.shape[0]):
        of_label = slice(starts[label], starts[label + 1])
        paid, mass = state[0, of_label], state[1, of_label]
        scores = values[j, of_label]
        price = change * costs[label, j]
        for i in range(len(scores)):
            paid[i] += price * scores[i]
            mass[i] += change * scores[i]


@compiled
def _divide(state):
    """Write 1/Σ_j w_j·S_ij and the expected cost per example into `state`; NaN if the sum is 0."""
    paid, mass, inverse, share = state[0], state[1], state[3], state[4]
    for i in range(len(paid)):
        inverse[i] = 1.0 / mass[i] if mass[i] > 0.0 else np.nan
        share[i] = paid[i] * inverse[i]


# The order of the sums is free, which allows vectorization: no result depends on their rounding.
@compiled(fastmath={"reassoc", "nsz"})
def _find_moments(values, starts, costs, state, j, moments):
    """Write Σ_i a·r, Σ_i a·r², Σ_i a⁺·r³ and Σ_i a⁻·r³ into `moments`, for `_least_rise`.

    For example i, r is S_ij / Σ_k w_k·S_ik, and a is the cost of class j minus the expected cost.
    a⁺ and a⁻ are the positive and negative parts of a.
    """
    first = second = third = absolute = 0.0
    for label in range(values.shape[0]):
        of_label = slice(starts[label], starts[label + 1])
        scores, inverse, share = values[j, of_label], state[3, of_label], state[4, of_label]
        price = costs[label, j]
        for i in range(len(scores)):
            ratio = scores[i] * inverse[i]
            once = (price - share[i]) * ratio
            twice = once * ratio
            thrice = twice * ratio
            first += once
            second += twice
            third += thrice
            absolute += abs(thrice)
    moments[0], moments[1] = first, second
    moments[2], moments[3] = 0.5 * (absolute + third), 0.5 * (absolute - third)


@compiled
def _least_rise(moments, weight, change):
    """Return a lower bound on the rise of n times the expected cost for a change of `weight`.

    The rise is Σ_i a·x/(1 + x) with x = r·change ≥ −1, and x/(1 + x) is x − x² + x³/(1 + x). See
    `_find_moments` for a and r.
    """
    upto_second = change * moments[0] - change**2 * moments[1]
    if change > 0.0:
        return upto_second - change**3 * moments[3]
    if -change > _LARGEST_FALL * weight:
        return -np.inf
    return upto_second + change**3 * moments[2] / (1.0 + change / weight)


@compiled(fastmath={"reassoc", "nsz"})
def _least_rise_to_zero(values, starts, costs, state, j, weight):
    """Return a lower bound on the rise of n times the expected cost if `weight` becomes 0.

    If the products of the other classes are too small for an exact subtraction, the bound assigns
    the example to the cheapest of these classes.
    """
    total = 0.0
    for label in range(values.shape[0]):
        of_label = slice(starts[label], starts[label + 1])
        scores, inverse, share = values[j, of_label], state[3, of_label], state[4, of_label]
        price = costs[label, j]
        # Without any product an example is predicted as class 0.
        lowest = costs[label, 0]
        for k in range(values.shape[0]):
            if k != j:
                lowest = min(lowest, costs[label, k])
        for i in range(len(scores)):
            lost = weight * scores[i] * inverse[i]
            left = 1.0 - lost
            certain = left > _SHARE_LEFT
            rise = (share[i] - price) * lost / (left if certain else 1.0)
            total += rise if certain else lowest - share[i]
    return total


@compiled
def _share_with_one_changed(values, starts, costs, state, j, change):
    """Return the expected cost if weight j changes by `change`."""
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
        # Four sums, since in a single sum each addition waits for the one before.
        sums = (0.0, 0.0, 0.0, 0.0)
        whole = len(share) - len(share) % 4
        for i in range(0, whole, 4):
            sums = (
                sums[0] + share[i],
                sums[1] + share[i + 1],
                sums[2] + share[i + 2],
                sums[3] + share[i + 3],
            )
        rest = 0.0
        for i in range(whole, len(share)):
            rest += share[i]
        total += (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
    return total / n
