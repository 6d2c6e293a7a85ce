"""Average ranks over data sets, and pairwise tests between methods."""

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from beyond_accuracy_pipeline.reporting.signed_rank_posterior import (
    Posterior,
    signed_rank_posterior,
)
from beyond_accuracy_pipeline.reporting.statistics import (
    count_signs,
    differences,
    holm,
    signed_rank_test,
)

ROPE = 0.01
"""Differences of a measure up to one percentage point are none in practice."""

_LEVEL = 0.95
_N_RESAMPLES = 2000


def average_ranks(table: pd.DataFrame) -> pd.Series:
    """Return the average rank of each column over the rows, 1 the best; ties share ranks."""
    rounded = table.round(12)
    return rounded.rank(axis=1, ascending=False).mean()


def best_ranked(table: pd.DataFrame) -> str:
    """Return the column of the best average rank, the first of equal ones."""
    return str(average_ranks(table).idxmin())


def pairwise_tests(table: pd.DataFrame) -> pd.DataFrame:
    """Return a row a pair of columns: mean difference, wins, Wilcoxon's p, and p after Holm.

    As in Benavoli, Corani and Mangili (2016), the tests of pairs do not depend on the other
    methods, as tests on average ranks would.
    """
    rows: list[dict[str, Any]] = []
    for first, second in combinations(table.columns, 2):
        pair = table[first], table[second]
        counts = count_signs(*pair)
        test = signed_rank_test(*pair)
        difference = float((pair[0] - pair[1]).mean())
        row = {"first": first, "second": second, "difference": difference}
        rows.append(row | counts._asdict() | {"p_value": test.p_value})
    names = ["first", "second", "difference", "wins", "losses", "ties", "p_value"]
    frame = pd.DataFrame(rows, columns=names)
    frame["p_value_holm"] = holm(frame["p_value"].to_numpy(dtype=float))
    return frame


def significance_matrix(table: pd.DataFrame) -> pd.DataFrame:
    """Return the p-values after Holm of all pairs of columns, 1 on the diagonal."""
    matrix = pd.DataFrame(1.0, index=table.columns, columns=table.columns)
    for row in pairwise_tests(table).itertuples():
        matrix.loc[row.first, row.second] = matrix.loc[row.second, row.first] = row.p_value_holm
    return matrix


def smallest_p(n_rows: int, n_columns: int) -> float:
    """Return the least p-value after Holm that tests of all pairs of columns can have.

    It is that of the first of them, if one column is better in every row.
    """
    n_pairs = n_columns * (n_columns - 1) // 2
    return min(1.0, n_pairs * 2.0 ** (1 - n_rows))


def joined(ranks: pd.Series, p_values: pd.DataFrame, level: float = 0.05) -> pd.DataFrame:
    """Return for which pairs no two columns of a rank from one to the other are told apart.

    A bar over the ranks of such a pair covers nothing but what tests do not tell apart.
    """
    found = pd.DataFrame(False, index=ranks.index, columns=ranks.index)
    for first in ranks.index:
        for second in ranks.index:
            low, high = sorted((ranks[first], ranks[second]))
            covered = ranks.index[ranks.between(low, high)]
            found.loc[first, second] = bool((p_values.loc[covered, covered] > level).all(axis=None))
    return found


def worse_by_pair(table: pd.DataFrame) -> pd.DataFrame:
    """Return the probability that the column of a row is worse than that of a column."""
    worse = pd.DataFrame(0.0, index=table.columns, columns=table.columns)
    for first, second in combinations(table.columns, 2):
        compared = posterior(table, first, second)
        worse.loc[first, second], worse.loc[second, first] = compared.worse, compared.better
    return worse


def posterior(table: pd.DataFrame, method: str, other: str) -> Posterior:
    """Compare two columns by the Bayesian signed-rank test."""
    return signed_rank_posterior(table[method], table[other], ROPE)


def difference_interval(table: pd.DataFrame, method: str, other: str) -> tuple[float, float]:
    """Return the percentile interval of the mean difference, the rows being resampled."""
    values = differences(table[method], table[other])
    rng = np.random.default_rng(0)
    means = values[rng.integers(len(values), size=(_N_RESAMPLES, len(values)))].mean(axis=1)
    low, high = np.quantile(means, [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2])
    return float(low), float(high)
