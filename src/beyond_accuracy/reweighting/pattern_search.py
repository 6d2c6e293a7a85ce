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
# Updated sums are recomputed after this many changes, since each change adds rounding.
_CHANGES = 64


@compiled
def pattern_search(
    blocks: ScoreBlocks, values: Floats, starts: Integers, costs: Floats, fractional: bool,
    weights: Floats,
) -> tuple[Floats, float, int]:  # fmt: skip
    """Improve class weights by a pattern search, which changes one weight at a time.

    Return the weights, the objective at these weights, and the number of evaluations of the
    objective. If `fractional`, the objective is the expected cost of random predictions (see
    `fractional_costs`, which also explains `values`, `starts` and `costs`). Otherwise it is the
    average cost of predictions by the largest product of weight and score. `blocks` holds the same
    scores as `values`. The largest of the initial `weights` must be 1.

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
    # Per example, the terms that `_change_terms` updates, and work space.
    terms, shares = np.empty((2, n)), np.empty(n)
    # Costs of the blocks, and their costs at the trial point.
    tilted, paid, tried = np.empty(m), np.empty(len(blocks.counts)), np.empty(len(blocks.counts))
    # Weights for which 0, the end of all larger meshes, was tried in vain.
    zero_tried = np.zeros(m, dtype=np.bool_)
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
                terms[:] = 0.0
                for j in range(m):
                    _change_terms(values, starts, costs, terms, j, weights[j])
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
            if moved == 0.0:
                if zero_tried[j]:
                    continue
                zero_tried[j] = True
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
                change = moved - weights[j]
                trial = _share_with_one_changed(values, starts, costs, terms, shares, j, change)
            else:
                copy_row(weights, point[0])
                point[0, j] = moved
                fractional_costs(values, starts, costs, point, objective)
                trial = objective[0]
            if trial < value - _ROUNDING * value:
                n_changes += 1
                zero_tried[:] = False
                if fractional and n_changes < _CHANGES and moved > _SHARE_LEFT * summed[j]:
                    _change_terms(values, starts, costs, terms, j, moved - weights[j])
                    value = trial
                else:
                    stale = True
                weights[j] = moved
                improved = True
                break
        mesh = 2.0 * mesh if improved else 0.5 * mesh
    return weights, value, n_evaluations


@compiled
def _change_terms(values, starts, costs, terms, j, change):
    """Update Σ_j w_j·S_ij·cost_j and Σ_j w_j·S_ij in `terms` for a change of w_j by `change`."""
    for label in range(values.shape[0]):
        of_label = slice(starts[label], starts[label + 1])
        paid, mass = terms[0, of_label], terms[1, of_label]
        scores = values[j, of_label]
        price = change * costs[label, j]
        for i in range(len(scores)):
            paid[i] += price * scores[i]
            mass[i] += change * scores[i]


@compiled
def _share_with_one_changed(values, starts, costs, terms, shares, j, change):
    """Return the expected cost if weight j changes by `change`.

    Each example is predicted as each class with a probability in proportion to w_j·S_ij.
    `shares`, shape (n,), is work space.
    """
    m, n = values.shape
    total = 0.0
    for label in range(m):
        of_label = slice(starts[label], starts[label + 1])
        paid, mass, share = terms[0, of_label], terms[1, of_label], shares[of_label]
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
