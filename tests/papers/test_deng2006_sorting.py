"""Numbers of values that two methods sort: computed from class sizes, against actual sorts."""

import numpy as np
import pytest

from beyond_accuracy.reweighting import MetaClassReweighter, SequentialReweighter
from beyond_accuracy_pipeline.papers.deng2006.values import (
    class_sizes,
    count_comparisons,
    meta_class_sorts,
    sequential_sorts,
)


@pytest.fixture
def sorted_by_numpy(monkeypatch):
    """Return the list of lengths of the float arrays that NumPy sorts."""
    argsort, lengths = np.argsort, []

    def recorded(values, **options):
        if values.dtype == np.float64:
            lengths.append(len(values))
        return argsort(values, **options)

    monkeypatch.setattr(np, "argsort", recorded)
    return lengths


def rows(node):
    """Return a row per node, as runs store a tree."""
    below = [] if node.left is None else [*rows(node.left), *rows(node.right)]
    return [{"classes": list(node.classes), "n_examples": node.n_examples}, *below]


def examples(sizes):
    """Return scores and labels; with fewer than 16 examples, a threshold search sorts all."""
    labels = np.repeat(np.arange(len(sizes)), sizes)
    return np.random.default_rng(0).dirichlet(np.ones(len(sizes)), len(labels)), labels


@pytest.mark.parametrize("sizes", [(3, 1, 5, 2, 4), (4, 0, 6), (2, 2, 0, 0, 3, 1, 1, 1, 2)])
@pytest.mark.parametrize("split", ["alternating", "balanced"])
def test_meta_class_sorts_the_examples_of_each_split(sorted_by_numpy, sizes, split):
    fitted = MetaClassReweighter(split=split).fit(*examples(sizes))
    tree = rows(fitted.tree_)
    assert class_sizes(tree) == list(sizes)
    assert [n for n in meta_class_sorts(tree) if n] == sorted_by_numpy


@pytest.mark.parametrize("sizes", [(3, 1, 5, 2, 4), (4, 0, 6), (2, 2, 0, 0, 3, 1, 1, 1, 2)])
@pytest.mark.parametrize("order", ["frequency_descending", "frequency_ascending", "index", None])
def test_the_sequential_method_sorts_the_classes_so_far(sorted_by_numpy, sizes, order):
    order = order or list(range(len(sizes)))[::-1]
    SequentialReweighter(order).fit(*examples(sizes))
    assert [n for n in sequential_sorts(sizes, order) if n] == [n for n in sorted_by_numpy if n]


@pytest.mark.parametrize("sizes", [(3, 1, 5, 2, 4), (4, 0, 6), (2, 2, 0, 0, 3, 1, 1, 1, 2)])
def test_the_sequential_method_on_all_examples_sorts_all_for_each_class(sorted_by_numpy, sizes):
    SequentialReweighter(examples="all").fit(*examples(sizes))
    assert sequential_sorts(sizes, examples="all") == sorted_by_numpy


def test_comparisons_by_hand():
    assert count_comparisons([8, 2, 1, 0]) == 8 * 3 + 2
