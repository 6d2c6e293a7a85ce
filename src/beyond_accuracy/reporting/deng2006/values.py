"""Values by cost matrix and fold, and each method beside naive Bayes on every data set."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from beyond_accuracy.reporting.deng2006.methods import BASELINE, LEVEL
from beyond_accuracy.reporting.deng2006.significance import (
    PairedTest,
    corrected_t_test,
    paired_t_test,
)
from beyond_accuracy.results import PaperResults


@dataclass(frozen=True)
class Cell:
    """One method on one data set by one measure.

    Attributes
    ----------
    values : DataFrame, shape (n_tasks, n_folds), or None
        By cost matrix and fold; None unless all fits are "ok".
    status, reason : str
        Of the first fit that is not "ok"; "missing" if there is none at all.
    """

    values: pd.DataFrame | None
    status: str
    reason: str

    @property
    def mean(self) -> float:
        """Mean over folds and cost matrices, NaN without values."""
        return float("nan") if self.values is None else float(self.values.to_numpy().mean())


class Values:
    """All values of one measure."""

    def __init__(self, results: PaperResults, measure: str):
        frame = results.measurements
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
        fits = results.fits
        sizes = fits[fits["n_train"].notna()].groupby("data_set")[["n_test", "n_train"]].mean()
        self._ratio = sizes["n_test"] / sizes["n_train"]

    def cell(self, data_set: str, method: str) -> Cell:
        """Values of one method on one data set."""
        return self._cells.get((data_set, method), Cell(None, "missing", "not in this run"))

    def mean(self, data_set: str, method: str) -> float:
        """Mean over folds and cost matrices, NaN without values."""
        return self.cell(data_set, method).mean

    def paired(self, data_set: str, first: str, second: str = BASELINE) -> PairedTest | None:
        """Student's t-test over all pairs; None unless both have values."""
        one, other = self.cell(data_set, first).values, self.cell(data_set, second).values
        if one is None or other is None:
            return None
        return paired_t_test(one.to_numpy(), other.to_numpy())

    def corrected(self, data_set: str, first: str, second: str = BASELINE) -> PairedTest | None:
        """The corrected test over folds, cost matrices averaged before; None as above."""
        one, other = self.cell(data_set, first).values, self.cell(data_set, second).values
        if one is None or other is None:
            return None
        averages = one.mean(axis=0).to_numpy(), other.mean(axis=0).to_numpy()
        return corrected_t_test(*averages, float(self._ratio[data_set]))

    def means(self, data_sets: Sequence[str], methods: Sequence[str]) -> pd.DataFrame:
        """Means of the data sets on which all `methods` have values, shape (sets, methods)."""
        rows = {name: [self.mean(name, method) for method in methods] for name in data_sets}
        return pd.DataFrame.from_dict(rows, orient="index", columns=list(methods)).dropna()


@dataclass(frozen=True)
class Tally:
    """Wins and losses of a method against naive Bayes over data sets.

    `significant_*` are by Student's t-test, `corrected_*` by the corrected one.
    """

    wins: int = 0
    losses: int = 0
    significant_wins: int = 0
    significant_losses: int = 0
    corrected_wins: int = 0
    corrected_losses: int = 0

    @property
    def order(self) -> tuple[float, int]:
        """Ratio of significant wins to losses, then wins: the larger, the better."""
        wins, losses = self.significant_wins, self.significant_losses
        if losses:
            return wins / losses, wins
        return (np.inf if wins else 0.0), wins


def tally(values: Values, data_sets: Sequence[str], method: str, second: str = BASELINE) -> Tally:
    """Count wins and losses over the data sets on which both have values."""
    counts = dict.fromkeys(Tally.__dataclass_fields__, 0)
    for data_set in data_sets:
        plain = values.paired(data_set, method, second)
        corrected = values.corrected(data_set, method, second)
        if plain is None or corrected is None:
            continue
        counts["wins"] += plain.difference < 0
        counts["losses"] += plain.difference > 0
        counts["significant_wins"] += plain.is_win(LEVEL)
        counts["significant_losses"] += plain.is_loss(LEVEL)
        counts["corrected_wins"] += corrected.is_win(LEVEL)
        counts["corrected_losses"] += corrected.is_loss(LEVEL)
    return Tally(**{name: int(count) for name, count in counts.items()})


def selected_methods(configuration: Mapping[str, Any], methods: Sequence[str]) -> list[str]:
    """Those of `methods` that the configuration selects, in the order of `methods`."""
    return [method for method in methods if method in configuration["methods_selected"]]
