"""Claims of a paper and their verdicts: the rule is written in the configuration, the test here."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

import pandas as pd

from beyond_accuracy.reporting.comparison import Comparison, Pair, compare
from beyond_accuracy.reporting.data_set_names import is_substitute, substitute_text
from beyond_accuracy.reporting.results import PaperResults

VerdictName = Literal["reproduced", "partly", "not reproduced", "not testable"]
VERDICTS: tuple[VerdictName, ...] = get_args(VerdictName)
COLUMNS = (
    "paper",
    "id",
    "section",
    "statement",
    "rule",
    "verdict",
    "numbers",
    "test",
    "note",
)


@dataclass(frozen=True)
class Verdict:
    """What the measurements say about a claim.

    Attributes
    ----------
    verdict : str
        "reproduced", "partly", "not reproduced" or "not testable".
    numbers : dict
        The numbers behind it, by name.
    test : str
        How they were obtained.
    note : str
        What a reader has to know besides: substitutes, what is missing.
    """

    verdict: VerdictName
    numbers: Mapping[str, float | int | str] = field(default_factory=dict)
    test: str = ""
    note: str = ""

    def __post_init__(self) -> None:
        if self.verdict not in VERDICTS:
            raise ValueError(f"verdict: found {self.verdict!r}; valid: {', '.join(VERDICTS)}.")


@dataclass(frozen=True)
class Evidence:
    """What a claim function may look at: the results and the paper's configuration."""

    results: PaperResults
    configuration: Mapping[str, Any]

    def compare(self, data_set: str, measure: str, pair: Pair) -> Comparison:
        """Compare two methods, with the configured treatment of zero differences."""
        zero_method = self.configuration["significance"]["zero_method"]
        return compare(self.results.measurements, data_set, measure, pair, zero_method=zero_method)

    def unavailable(self, data_sets: Sequence[str], measures: Sequence[str], pair: Pair) -> str:
        """Say which comparisons have not a single task, and why; empty if all have one."""
        problems = []
        for data_set in data_sets:
            compared = [self.compare(data_set, measure, pair) for measure in measures]
            missing = [one for one in compared if not one.available]
            if not missing:
                continue
            where = data_set
            if len(missing) < len(compared):
                where += f" ({', '.join(one.measure for one in missing)})"
            reason = missing[0].reason
            if missing[0].excluded.empty:
                reason = "not measured in this run"
            problems.append(f"{where}: {reason or 'no results'}")
        return "; ".join(problems)

    def substitutes(self, data_sets: Sequence[str]) -> str:
        """Say which of the data sets are stood in for by another; empty if none."""
        records = {data_set: self.results.record(data_set) for data_set in data_sets}
        return " ".join(
            substitute_text(data_set, record)
            for data_set, record in records.items()
            if is_substitute(record)
        )


ClaimFunction = Callable[[Evidence], Verdict]


def evaluate_claims(
    claims: Sequence[Mapping[str, Any]],
    functions: Mapping[str, ClaimFunction],
    evidence: Evidence,
) -> pd.DataFrame:
    """Return one row a claim, in the order of the configuration.

    Raises ValueError when a claim names a function that the paper does not have.
    """
    rows = []
    for claim in claims:
        if claim["function"] not in functions:
            raise ValueError(
                f"claims of {evidence.results.paper}: {claim['id']} has the function "
                f"{claim['function']!r}; valid: {', '.join(functions)}."
            )
        verdict = functions[claim["function"]](evidence)
        rows.append(
            {
                "paper": evidence.results.paper,
                **{key: claim[key].strip() for key in ("id", "section", "statement", "rule")},
                "verdict": verdict.verdict,
                "numbers": json.dumps(_plain(verdict.numbers), ensure_ascii=False),
                "test": verdict.test,
                "note": verdict.note,
            }
        )
    return pd.DataFrame(rows, columns=list(COLUMNS))


def write_claims(claims: pd.DataFrame, output: str | Path) -> None:
    """Write claims as CSV."""
    Path(output).parent.mkdir(parents=True, exist_ok=True)
    claims.to_csv(output, index=False, lineterminator="\n")


def read_claims(path: str | Path) -> pd.DataFrame:
    """Read what `write_claims` has written; `numbers` become dicts."""
    frame = pd.read_csv(path, keep_default_na=False, dtype=str)
    return frame.assign(numbers=frame["numbers"].map(json.loads))


def combine_claims(inputs: Sequence[str | Path], output: str | Path) -> None:
    """Write the claims of all papers into one CSV, in the order of `inputs`."""
    frames = [pd.read_csv(path, keep_default_na=False, dtype=str) for path in inputs]
    write_claims(pd.concat([pd.DataFrame(columns=list(COLUMNS)), *frames]), output)


def _plain(numbers: Mapping[str, Any]) -> dict[str, Any]:
    """Round floats to ten significant digits; JSON has no infinity and no NaN: as text."""
    return {
        name: _rounded(value) if isinstance(value, float) else value
        for name, value in numbers.items()
    }


def _rounded(value: float) -> float | str:
    return float(f"{value:.10g}") if math.isfinite(value) else str(value)
