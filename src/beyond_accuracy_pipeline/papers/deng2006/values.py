"""Values by cost matrix and fold, paired tests, ranks, wins and losses, and counts of sorting."""

import copy
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import scipy

from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.statistics import DECIMALS
from beyond_accuracy_pipeline.results.scores import TREE

from .names import BASELINE, ERROR_RATE, LEVEL, META_CLASS, OUT_OF_FOLD, SEQUENTIAL


class PairedTest(NamedTuple):
    """Result of a two-sided paired t-test of two methods.

    `difference` is the mean of the first method's values (error rates or costs) minus the second's.
    If it is significant, a difference below 0 is a win of the first method, and above 0 a loss.
    """

    difference: float = float("nan")
    p_value: float = float("nan")

    @property
    def is_win(self) -> bool:
        return self.difference < 0 and self.p_value < LEVEL

    @property
    def is_loss(self) -> bool:
        return self.difference > 0 and self.p_value < LEVEL


def paired_t_test(
    first: np.ndarray, second: np.ndarray, test_per_training_example: float = 0.0
) -> PairedTest:
    """Test whether the mean difference of two arrays of the same shape is 0.

    If `test_per_training_example` is 0, this is Student's paired t-test. If it is n_test/n_train,
    and the arrays have one value per fold, this is the corrected resampled t-test (Nadeau and
    Bengio 2003).
    """
    differences = np.round(np.ravel(first) - np.ravel(second), DECIMALS)
    mean, deviation = float(differences.mean()), float(differences.std(ddof=1))
    if deviation == 0:
        return PairedTest(mean, 1.0 if mean == 0 else 0.0)
    n = len(differences)
    statistic = mean / (deviation * np.sqrt(1 / n + test_per_training_example))
    return PairedTest(mean, float(2 * scipy.stats.t.sf(abs(statistic), n - 1)))


class Cell(NamedTuple):
    """Test values of one method on one data set, and the status of its fits.

    `values` has the shape (n_cost_matrices, n_folds), and is None if a fit failed. `status` is
    "ok", "missing" (no fit), or the status of the first failed fit, with its `reason`.
    """

    values: pd.DataFrame | None = None
    status: str = "missing"
    reason: str = "not in this run"

    @property
    def mean(self) -> float:
        return float("nan") if self.values is None else float(self.values.to_numpy().mean())


class Values:
    """Values of one measure, such as the error rate, in each fold, by data set and method."""

    def __init__(self, report: Report, measure: str) -> None:
        self.report = report
        self.data_sets = report.data_sets
        frame = report.results.measurements
        frame = frame[frame["measure"] == measure]
        keys = ["data_set", "method"]
        wrong = frame[(frame["status"] != "ok") | frame["value"].isna()].drop_duplicates(keys)
        self._cells = {
            (row.data_set, row.method): Cell(None, row.status, row.reason)
            for row in wrong.itertuples()
        }
        wide = frame.pivot(index=[*keys, "task"], columns="fold", values="value")
        for key, rows in wide.groupby(level=keys, sort=False):
            self._cells.setdefault(key, Cell(rows.droplevel(keys), "ok", ""))
        fits = report.results.fits
        sizes = fits[fits["n_train"].notna()].groupby("data_set")[["n_test", "n_train"]].mean()
        self._test_per_training_example = sizes["n_test"] / sizes["n_train"]

    def on(self, data_sets: Sequence[str]) -> "Values":
        values = copy.copy(self)
        values.data_sets = data_sets
        return values

    def methods(self, names: Sequence[str]) -> list[str]:
        """Return fitted methods: first those in `names`, then methods that users have added."""
        fitted = {method for _, method in self._cells}
        return [method for method in self.report.methods(names) if method in fitted]

    def is_fitted_everywhere(self, method: str) -> bool:
        return all((name, method) in self._cells for name in self.report.data_sets)

    def cell(self, data_set: str, method: str) -> Cell:
        return self._cells.get((data_set, method), Cell())

    def tests(self, data_set: str, method: str) -> tuple[PairedTest, PairedTest]:
        """Compare a method with naive Bayes on one data set by two paired tests.

        Return (Student's paired t-test, corrected resampled t-test). Student's test uses a pair of
        values per fold and cost matrix. The corrected test uses a pair per fold, averaged over cost
        matrices.
        """
        pair = [self.cell(data_set, name).values for name in (method, BASELINE)]
        if method == BASELINE or any(values is None for values in pair):
            return PairedTest(), PairedTest()
        ratio = float(self._test_per_training_example[data_set])
        folds = [values.mean(axis=0).to_numpy() for values in pair]
        plain = paired_t_test(*(values.to_numpy() for values in pair))
        return plain, paired_t_test(*folds, test_per_training_example=ratio)

    def means(self, methods: Sequence[str]) -> pd.DataFrame:
        """Return values averaged over folds, by data set and method.

        Data sets that lack a value of one of the methods are left out.
        """
        means = {
            method: [self.cell(name, method).mean for name in self.data_sets] for method in methods
        }
        return pd.DataFrame(means, self.data_sets, methods, np.float64).dropna()


def ranks(means: pd.DataFrame) -> pd.DataFrame:
    """Return each method's rank (column) on each data set (row); rank 1 is the lowest value."""
    return means.round(DECIMALS).rank(axis=1)


class Tally(NamedTuple):
    """Numbers of data sets on which a method is better (wins) or worse (losses) than naive Bayes.

    `significant_` numbers count significant differences by Student's paired t-test, and
    `corrected_` numbers by the corrected resampled t-test.
    """

    wins: int
    losses: int
    significant_wins: int
    significant_losses: int
    corrected_wins: int
    corrected_losses: int

    @property
    def ratio(self) -> float:
        """Significant wins divided by significant losses; inf without losses, 0 without both."""
        wins, losses = self.significant_wins, self.significant_losses
        return wins / losses if losses else np.inf if wins else 0.0


def tally(values: Values, method: str) -> Tally:
    """Count on how many data sets a method is better or worse than naive Bayes."""
    signs = [
        (plain.difference < 0, plain.difference > 0)
        + (plain.is_win, plain.is_loss, corrected.is_win, corrected.is_loss)
        for plain, corrected in (values.tests(name, method) for name in values.data_sets)
    ]
    return Tally(*map(sum, zip(*signs, strict=True))) if signs else Tally(*[0] * 6)


def training_objectives(fits: pd.DataFrame) -> pd.DataFrame:
    """Return the average cost on the training part, which the fits minimize.

    `fits` has one row per fit. The result has one row per (data_set, measure, task, fold) and one
    column per method. Fits to out-of-fold scores, which minimize another cost, are left out.
    """
    chosen = fits[(fits["status"] == "ok") & ~fits["measure"].isin(OUT_OF_FOLD.values())]
    keys = ["data_set", "measure", "task", "fold"]
    wide = chosen.pivot(index=keys, columns="method", values="objective")
    return wide.dropna(axis="columns", how="all")


def root_thresholds(report: Report, data_set: str) -> pd.Series:
    """Return the threshold at the root of the tree of MetaClass, one value per fold.

    MetaClass re-weights the class scores of a classifier by a binary tree of sets of classes. The
    tree is fitted for the error rate.
    """
    fits = report.results.fits
    is_meta_class = (fits["data_set"] == data_set) & (fits["method"] == META_CLASS)
    return fits.loc[is_meta_class & (fits["measure"] == ERROR_RATE), "root_threshold"].dropna()


def quantities(report: Report) -> Mapping[tuple[str, ...], float]:
    """Return our values of the thresholds in Figure 1 of Deng et al. (2006).

    The figure shows a tree that the method MetaClass fits. Only the threshold at the root of the
    tree is returned, as a median over folds. The keys are (data set, "root_threshold", method, "").
    Data sets without results of MetaClass are left out.
    """
    printed = report.published("figure1")
    medians = {name: root_thresholds(report, name).median() for name in printed["data_set"]}
    return {
        (name, "root_threshold", META_CLASS, ""): float(median)
        for name, median in medians.items()
        if median == median
    }


Tree = Sequence[Mapping[str, Any]]
"""Tree of metaclasses in the results of a run: one row per node, the root first."""


# Each search for a threshold counts as one sort of all its values; this package sorts fewer.


def class_sizes(tree: Tree) -> list[int]:
    """Return the number of examples per class, in the order of the classes at the tree's root."""
    leaves = {node["classes"][0]: node["n_examples"] for node in tree if len(node["classes"]) == 1}
    return [leaves[name] for name in tree[0]["classes"]]


def meta_class_sorts(tree: Tree) -> list[int]:
    """Return how many values MetaClass sorts at each split of its tree.

    At a split, MetaClass sorts one value per example of the classes at this node.
    """
    return [node["n_examples"] for node in tree if len(node["classes"]) > 1]


def sequential_sorts(
    sizes: Sequence[int],
    order: str | Sequence[int] = "frequency_descending",
    examples: str = "seen_classes",
) -> list[int]:
    """Return how many values Lachiche and Flach's method sorts for each class after the first.

    `sizes` has the number of examples per class. `order` is the order in which classes are added: a
    list of class numbers, "frequency_descending", "frequency_ascending" or "index". When a class is
    added, one value per example of the classes so far is sorted or, if `examples` is "all", per
    example of any class.
    """
    if examples == "all":
        return [sum(sizes)] * (len(sizes) - 1)
    named = {
        "frequency_descending": sorted(sizes, reverse=True),
        "frequency_ascending": sorted(sizes),
        "index": sizes,
    }
    taken = named[order] if isinstance(order, str) else [sizes[c] for c in order]
    return np.cumsum(taken)[1:].tolist()


def count_comparisons(lengths: Iterable[int]) -> float:
    """Return how many comparisons it takes to sort lists of n values: the sum of n·log₂(n).

    `lengths` has the number n of values in each list.
    """
    return math.fsum(n * math.log2(n) for n in lengths if n)


def sorting_comparisons(report: Report, data_sets: Sequence[str]) -> pd.DataFrame:
    """Return how many comparisons two methods of re-weighting classes need to sort scores.

    There is one row per data set with results of MetaClass. The columns are the two methods
    (Lachiche and Flach's, and MetaClass), and the number of classes `n_classes`.
    """
    parameters = report.configuration["methods"][SEQUENTIAL].get("reweighter_parameters") or {}
    rows = {}
    for data_set in data_sets:
        arrays = report.results.scores(data_set, META_CLASS).arrays
        if TREE not in arrays:
            continue
        tree = json.loads(str(arrays[TREE]))
        sizes = class_sizes(tree)
        options = {name: parameters[name] for name in ("order", "examples") if name in parameters}
        rows[data_set] = (
            count_comparisons(sequential_sorts(sizes, **options)),
            count_comparisons(meta_class_sorts(tree)),
            len(sizes),
        )
    return pd.DataFrame.from_dict(
        rows, orient="index", columns=[SEQUENTIAL, META_CLASS, "n_classes"]
    )
