"""Measured values and test examples, looked up by data set, model and decision."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from beyond_accuracy.measures.multilabel import f_beta_of_instances
from beyond_accuracy.reporting.statistics import (
    Counts,
    SignedRankTest,
    count_signs,
    signed_rank_test,
)
from beyond_accuracy.results import PaperResults

# Names of the arrays that a fit leaves.
TRUE_LABELS = "y_test"
PREDICTION = "prediction."
EXPECTED = "expected."


@dataclass(frozen=True)
class PairedExamples:
    """Two decisions by their F-measures of the same test examples, each of shape (n_test,)."""

    first: np.ndarray
    second: np.ndarray
    zero_method: str

    @property
    def difference(self) -> float:
        """Mean of the first less mean of the second."""
        return float(self.first.mean() - self.second.mean())

    @property
    def counts(self) -> Counts:
        """Examples on which the first is better, worse, and equal."""
        return count_signs(self.first, self.second)

    @property
    def test(self) -> SignedRankTest:
        """Wilcoxon's signed-rank test over the test examples."""
        return signed_rank_test(self.first, self.second, zero_method=self.zero_method)


class LabelResults:
    """What a paper's tables, figures and claims ask of a multi-label run.

    Parameters
    ----------
    results : PaperResults
    configuration : mapping
        The paper's.
    """

    def __init__(self, results: PaperResults, configuration: Mapping[str, Any]):
        self.results = results
        self.configuration = configuration
        self._arrays: dict[tuple[str, str], Mapping[str, np.ndarray]] = {}

    @cached_property
    def data_sets(self) -> list[str]:
        """Data sets in the order of the configuration."""
        return self.results.data_set_names(self.configuration["data_sets"])

    @cached_property
    def _values(self) -> dict[tuple[str, str, str, str], float]:
        rows = self.results.measurements
        keys = zip(rows["data_set"], rows["method"], rows["task"], rows["measure"], strict=True)
        return dict(zip(keys, rows["value"], strict=True))

    @cached_property
    def _known(self) -> dict[tuple[str, str], dict[str, bool]]:
        """By (data set, model): of each decision whether all is well."""
        known: dict[tuple[str, str], dict[str, bool]] = {}
        rows = self.results.measurements
        keys = zip(rows["data_set"], rows["method"], rows["task"], rows["status"], strict=True)
        for data_set, model, decision, status in keys:
            decisions = known.setdefault((data_set, model), {})
            decisions[decision] = decisions.get(decision, True) and status == "ok"
        return known

    def value(self, data_set: str, model: str, decision: str, measure: str) -> float:
        """The value of a measure; NaN where there is none."""
        return self._values.get((data_set, model, decision, measure), float("nan"))

    def has(self, data_set: str, model: str, decision: str) -> bool:
        """Whether the predictions of a decision are there."""
        return self._known.get((data_set, model), {}).get(decision, False)

    def reasons(self, data_set: str, model: str) -> str:
        """Why decisions of a model are missing on a data set, each reason once."""
        rows = self.results.measurements
        wrong = rows[
            (rows["data_set"] == data_set) & (rows["method"] == model) & (rows["status"] != "ok")
        ]
        return "; ".join(dict.fromkeys(map(str, wrong["reason"])))

    def decisions(self, data_set: str, model: str) -> list[str]:
        """Decisions of a model whose predictions are there."""
        return [name for name, well in self._known.get((data_set, model), {}).items() if well]

    def arrays(self, data_set: str, model: str) -> Mapping[str, np.ndarray]:
        """All stored arrays of a model."""
        key = (data_set, model)
        if key not in self._arrays:
            self._arrays[key] = self.results.scores(data_set, model).arrays
        return self._arrays[key]

    def truth(self, data_set: str, model: str) -> np.ndarray:
        """True labels of the test examples, shape (n_test, m)."""
        return self.arrays(data_set, model)[TRUE_LABELS]

    def prediction(self, data_set: str, model: str, decision: str) -> np.ndarray:
        """Predicted labels of the test examples, shape (n_test, m)."""
        return self.arrays(data_set, model)[PREDICTION + decision]

    def expected(self, data_set: str, model: str, decision: str) -> np.ndarray:
        """The F_β that a decision expected of each test example, shape (n_test,)."""
        return self.arrays(data_set, model)[EXPECTED + decision]

    def achieved(self, data_set: str, model: str, decision: str, beta: float = 1.0) -> np.ndarray:
        """F_β of each test example, shape (n_test,)."""
        return f_beta_of_instances(
            self.truth(data_set, model), self.prediction(data_set, model, decision), beta
        )

    def pair(self, data_set: str, first: Sequence[str], second: Sequence[str]) -> PairedExamples:
        """Compare two (model, decision) on the test examples of a data set, by their F1."""
        zero_method = self.configuration["significance"]["zero_method"]
        return PairedExamples(
            self.achieved(data_set, *first), self.achieved(data_set, *second), zero_method
        )

    def missing(self, rows: Sequence[Sequence[str]]) -> str:
        """Say on which data sets some of the (model, decision) are missing, and why."""
        problems = []
        for data_set in self.configuration["data_sets"]:
            absent = [row for row in rows if not self.has(data_set, *row)]
            if absent:
                reason = self.reasons(data_set, absent[0][0])
                problems.append(f"{data_set}: {reason or 'not measured in this run'}")
        return "; ".join(problems)

    def complete(self, rows: Sequence[Sequence[str]]) -> list[str]:
        """Data sets on which all of the (model, decision) are there."""
        return [name for name in self.data_sets if all(self.has(name, *row) for row in rows)]
