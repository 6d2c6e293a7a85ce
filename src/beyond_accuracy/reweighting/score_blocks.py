"""Average cost from blocks of similar examples, many of which need no look at single examples."""

from typing import NamedTuple

import numpy as np

from beyond_accuracy.compilation import Floats, compiled
from beyond_accuracy.reweighting.objective import TIE_FACTOR, GroupedScores, sum_of
from beyond_accuracy.reweighting.threshold import find_two_lowest

_SIZE = 64


class ScoreBlocks(NamedTuple):
    """Scaled class scores of examples, arranged in b blocks of up to 64 similar examples.

    All examples of a block have their largest score for the same class, the block's top class.

    - `values`, shape (b, m, 64): scores by block, class and example; a block that is not full ends
      with zeros.
    - `labels`, shape (b, 64): true classes of the examples.
    - `counts`, shape (b,): number of examples in each block.
    - `tops`, shape (b,): top class of each block.
    - `highest`, shape (b, m): largest score of each class in each block.
    - `rivals`, shape (m, b): transpose of `highest`, with 0 for the top class.
    - `paid`, shape (b,): total cost of each block if its top class is predicted.
    """

    values: np.ndarray
    labels: np.ndarray
    counts: np.ndarray
    tops: np.ndarray
    highest: np.ndarray
    rivals: np.ndarray
    paid: np.ndarray


def make_blocks(grouped: GroupedScores, costs: Floats) -> ScoreBlocks:
    """Arrange class scores in blocks of similar examples; `costs` is indexed [true, predicted]."""
    m, n = grouped.values.shape
    (top, _), (_, second) = find_two_lowest(-grouped.values)
    order = np.lexsort((second, top))
    examples = np.bincount(top, minlength=m)
    n_blocks = -(-examples // _SIZE)
    tops = np.repeat(np.arange(m), n_blocks)
    # Blocks of a class follow each other. The last of them may be incomplete.
    first_block, first_example = np.cumsum(n_blocks) - n_blocks, np.cumsum(examples) - examples
    sorted_top = top[order]
    place = np.arange(n) - first_example[sorted_top]
    block, column = first_block[sorted_top] + place // _SIZE, place % _SIZE
    values = np.zeros((len(tops), m, _SIZE))
    values[block, :, column] = grouped.values.T[order]
    labels = np.zeros((len(tops), _SIZE), dtype=np.int64)
    labels[block, column] = grouped.labels[order]
    counts = np.bincount(block, minlength=len(tops))
    paid = np.zeros(len(tops))
    np.add.at(paid, block, costs[labels[block, column], sorted_top])
    highest = values.max(axis=2)
    rivals = highest.T.copy()
    rivals[tops, np.arange(len(tops))] = 0.0
    return ScoreBlocks(values, labels, counts, tops, highest, rivals, paid)


@compiled
def tilt(weights: Floats, out: Floats) -> None:
    """Reduce class weights slightly, so that ties go to the lowest class; write to `out`."""
    factor = 1.0
    for j in range(len(weights)):
        out[j] = weights[j] * factor
        factor *= TIE_FACTOR


@compiled
def block_costs(blocks: ScoreBlocks, costs: Floats, tilted: Floats, out: Floats) -> None:
    """Write the total cost of the predictions in each block into `out`, shape (n_blocks,).

    `costs` is indexed [true, predicted]. `tilted` holds the class weights after `tilt`.
    """
    values, labels, counts, tops, highest, rivals, paid = blocks
    m, n_blocks = rivals.shape
    best, winner = np.empty(_SIZE), np.empty(_SIZE)
    # The largest possible product of another class in the block.
    out[:] = 0.0
    for j in range(m):
        weight, row = tilted[j], rivals[j]
        for b in range(n_blocks):
            product, old = weight * row[b], out[b]
            out[b] = product if product > old else old
    for b in range(n_blocks):
        if out[b] < tilted[tops[b]]:
            out[b] = paid[b]
        else:
            out[b] = _cost(values, labels, counts, tops, highest, b, costs, tilted, best, winner)


@compiled
def block_costs_of_class(
    blocks: ScoreBlocks, costs: Floats, tilted: Floats, j: int, largest: float, out: Floats
) -> None:
    """Update `out`, the result of `block_costs`, after a change of the weight of class j.

    `tilted` are the new weights, and `largest` is the larger of the old and new weight of class j.
    """
    values, labels, counts, tops, highest, rivals, _ = blocks
    best, winner = np.empty(_SIZE), np.empty(_SIZE)
    row = rivals[j]
    for b in range(len(tops)):
        if tops[b] == j or largest * row[b] >= tilted[tops[b]]:
            out[b] = _cost(values, labels, counts, tops, highest, b, costs, tilted, best, winner)


@compiled
def _cost(values, labels, counts, tops, highest, b, costs, tilted, best, winner):
    """Return the cost of block b; only classes that can win examples of the block are compared."""
    least = tilted[tops[b]]
    for i in range(_SIZE):
        best[i] = -1.0
    for j in range(len(tilted)):
        weight = tilted[j]
        if weight * highest[b, j] >= least:
            for i in range(_SIZE):
                product, old, old_winner = weight * values[b, j, i], best[i], winner[i]
                best[i] = max(old, product)
                winner[i] = j if product > old else old_winner
    total = 0.0
    for i in range(counts[b]):
        total += costs[labels[b, i], int(winner[i])]
    return total


@compiled
def average_costs_of_blocks(
    blocks: ScoreBlocks, costs: Floats, population: Floats, out: Floats
) -> None:
    """Write the average cost of the predictions by each weight vector into `out`, shape (p,).

    `population`, shape (p, m), has one weight vector per row.
    """
    tilted = np.empty(population.shape[1])
    of_blocks = np.empty(len(blocks.counts))
    n = blocks.counts.sum()
    for p in range(len(population)):
        tilt(population[p], tilted)
        block_costs(blocks, costs, tilted, of_blocks)
        out[p] = sum_of(of_blocks) / n
