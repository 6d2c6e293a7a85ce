"""Average ranks over data sets, and pairwise tests between methods.

A table has a row per data set and a column per method; larger values are better.
"""

from itertools import combinations

import pandas as pd

from beyond_accuracy_pipeline.reporting.comparison import Pair, compare_pairs
from beyond_accuracy_pipeline.reporting.signed_rank_posterior import signed_rank_posterior

ROPE = 0.01
"""Differences up to one percentage point do not matter in practice."""

LEVEL = 0.05
"""Level of the tests."""


def average_ranks(table: pd.DataFrame) -> pd.Series:
    """Return the average rank of each method, 1 for the best; ties share ranks."""
    return table.round(12).rank(axis=1, ascending=False).mean()


def best_ranked(table: pd.DataFrame) -> str:
    """Return the method of the best average rank, the first one in a tie."""
    return str(average_ranks(table).idxmin())


def pairwise_tests(table: pd.DataFrame) -> pd.DataFrame:
    """Return a row per pair of methods: mean difference, wins, Wilcoxon's p, and p after Holm.

    As in Benavoli, Corani and Mangili (2016), the test of a pair does not depend on the other
    methods, as a test on average ranks would.
    """
    pairs = list(combinations(table.columns, 2))
    tests = compare_pairs(table, [Pair(*pair) for pair in pairs], "wilcox")
    tests = tests.rename(
        columns={"proposed": "first", "baseline": "second", "p_holm": "p_value_holm"}
    )
    tests["difference"] = [float((table[a] - table[b]).mean()) for a, b in pairs]
    columns = ["first", "second", "difference", "wins", "losses", "ties", "p_value", "p_value_holm"]
    return tests[columns]


def significance_matrix(table: pd.DataFrame) -> pd.DataFrame:
    """Return the p-values after Holm of all pairs of methods, 1 on the diagonal."""
    matrix = pd.DataFrame(1.0, index=table.columns, columns=table.columns)
    for row in pairwise_tests(table).itertuples():
        matrix.loc[row.first, row.second] = matrix.loc[row.second, row.first] = row.p_value_holm
    return matrix


def smallest_p(n_data_sets: int, n_methods: int) -> float:
    """Return the smallest p-value after Holm that tests of all pairs of methods can have.

    A pair has it if one method is better on every data set.
    """
    n_pairs = n_methods * (n_methods - 1) // 2
    return min(1.0, n_pairs * 2.0 ** (1 - n_data_sets))


def joined(ranks: pd.Series, p_values: pd.DataFrame) -> pd.DataFrame:
    """Return for each pair whether tests tell no two methods ranked between them apart."""
    found = pd.DataFrame(False, index=ranks.index, columns=ranks.index)
    for first in ranks.index:
        for second in ranks.index:
            low, high = sorted((ranks[first], ranks[second]))
            covered = ranks.index[ranks.between(low, high)]
            found.loc[first, second] = bool((p_values.loc[covered, covered] > LEVEL).all(axis=None))
    return found


def worse_by_pair(table: pd.DataFrame) -> pd.DataFrame:
    """Return the probability that the method of a row is worse than the method of a column.

    It is the probability of the Bayesian signed-rank test, with `ROPE`.
    """
    worse = pd.DataFrame(0.0, index=table.columns, columns=table.columns)
    for first, second in combinations(table.columns, 2):
        compared = signed_rank_posterior(table[first], table[second], ROPE)
        worse.loc[first, second], worse.loc[second, first] = compared.worse, compared.better
    return worse
