"""Average ranks over data sets, and pairwise tests between methods.

Unlike tests of average ranks, tests of two methods do not depend on other methods (Benavoli, Corani
and Mangili 2016).
"""

from itertools import combinations

import pandas as pd

from ..comparison import Pair, compare_pairs
from ..signed_rank_posterior import signed_rank_posterior

ROPE = 0.01
"""Region of practical equivalence: differences up to one percentage point do not matter."""

LEVEL = 0.05
"""Significance level of the tests."""


def average_ranks(table: pd.DataFrame) -> pd.Series:
    """Return the average rank of each method over the data sets; rank 1 is the best.

    `table` has one row per data set and one column per method; larger values are better. Equal
    values share their average rank.
    """
    return table.round(12).rank(axis=1, ascending=False).mean()


def pairwise_tests(table: pd.DataFrame) -> pd.DataFrame:
    """Compare all pairs of methods over the data sets, and return one row per pair.

    `table` has one row per data set and one column per method; larger values are better. The result
    has the mean difference, the wins, losses and ties of the first method, and the p-value of
    Wilcoxon's signed-rank test before and after Holm's correction.
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
    """Return the Holm-corrected p-values of Wilcoxon's test of all pairs of methods.

    `table` has one row per data set and one column per method. The result has one row and one
    column per method, and 1 on the diagonal.
    """
    matrix = pd.DataFrame(1.0, index=table.columns, columns=table.columns)
    for row in pairwise_tests(table).itertuples():
        matrix.loc[row.first, row.second] = matrix.loc[row.second, row.first] = row.p_value_holm
    return matrix


def smallest_p(n_data_sets: int, n_methods: int) -> float:
    """Return the smallest possible p-value of two methods in Wilcoxon's test, Holm-corrected.

    The p-value is smallest if one method is better on all data sets. Holm's correction is for all
    pairs of `n_methods` methods.
    """
    n_pairs = n_methods * (n_methods - 1) // 2
    return min(1.0, n_pairs * 2.0 ** (1 - n_data_sets))


def joined(ranks: pd.Series, p_values: pd.DataFrame) -> pd.DataFrame:
    """Return which pairs of methods are joined by a bar in a diagram of average ranks.

    `ranks` has the average rank of each method. `p_values` and the result, which has booleans, have
    one row and one column per method. Two methods are joined if no two methods from the better to
    the worse one differ significantly.
    """
    is_joined = pd.DataFrame(False, index=ranks.index, columns=ranks.index)
    for first in ranks.index:
        for second in ranks.index:
            low, high = sorted((ranks[first], ranks[second]))
            covered = ranks.index[ranks.between(low, high)]
            differ = p_values.loc[covered, covered] <= LEVEL
            is_joined.loc[first, second] = not differ.any(axis=None)
    return is_joined


def worse_by_pair(table: pd.DataFrame) -> pd.DataFrame:
    """Return for all pairs of methods the probability that the first is worse than the second.

    `table` has one row per data set and one column per method; larger values are better. In row a
    and column b, the result has the probability that method a is worse than method b by more than
    one percentage point (Bayesian signed-rank test).
    """
    worse = pd.DataFrame(0.0, index=table.columns, columns=table.columns)
    for first, second in combinations(table.columns, 2):
        compared = signed_rank_posterior(table[first], table[second], ROPE)
        worse.loc[first, second], worse.loc[second, first] = compared.worse, compared.better
    return worse
