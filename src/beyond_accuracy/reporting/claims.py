"""Claims of a paper and their verdicts: the rule is written in the configuration, the test here."""

import json
import math
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from beyond_accuracy.reporting.report import Report

TEXTS = ["id", "section", "statement", "rule"]
COLUMNS = ["paper", *TEXTS, "verdict", "numbers", "test", "note"]


def evaluate_claims(report: Report) -> pd.DataFrame:
    """Return one row a claim, in the order of the configuration, judged by the paper's data sets.

    Raises ValueError when a claim names a function that the paper does not have.
    """
    own, functions = report.of_the_paper(), report.paper.claims
    rows = []
    for claim in report.configuration["claims"]:
        if claim["function"] not in functions:
            raise ValueError(
                f"claims of {report.paper.id}: {claim['id']} has the function "
                f"{claim['function']!r}; valid: {', '.join(functions)}."
            )
        verdict = functions[claim["function"]](own)
        # Ten significant digits; JSON has no infinity and no NaN: they become text.
        numbers = {
            name: (float(f"{value:.10g}") if math.isfinite(value) else str(value))
            if isinstance(value, float)
            else value
            for name, value in verdict.numbers.items()
        }
        texts = (claim[key].strip() for key in TEXTS)
        numbers = json.dumps(numbers, ensure_ascii=False)
        rows.append((report.paper.id, *texts, verdict.verdict, numbers, verdict.test, verdict.note))
    return pd.DataFrame(rows, columns=COLUMNS)


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
    write_claims(pd.concat([pd.DataFrame(columns=COLUMNS), *frames]), output)
