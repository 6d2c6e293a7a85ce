"""Tables of the Markdown pages of papers, as rows of texts."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd

from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.results.damage import existing

from .claims import NOT_RERUN
from .conclusion import SOURCES, decided_in_words
from .formats import percent
from .report import Report
from .tables import LEAST, MOST

ONE_STATE = "1 of 1"
_CLAIM, _OWN_NUMBERS = "claim of the paper", "on its own numbers"
Rows = list[list[str]]


def read_table(report: Report, name: str) -> pd.DataFrame:
    """Read one of a paper's tables from its CSV file: medians and ranges over the seeds."""
    return pd.read_csv(existing(report.results.path(layout.TABLE, table=name, suffix="csv")))


def median_and_range(
    row: Mapping[str, Any], column: str, form: Callable[[float], str], beyond: float = 0.0
) -> str:
    """Format a median over seeds with its range, such as "0.91 {0.90, 0.93}".

    `row` has the median in `column`, and the function `form` formats a number. The range in braces
    is left out if it is at most `beyond` wide, or if its ends have the same text.
    """
    least, most = row.get(f"{column}{LEAST}"), row.get(f"{column}{MOST}")
    text = form(row[column])
    if pd.isna(least) or most - least <= beyond or form(least) == form(most):
        return text
    return f"{text} {{{form(least)}, {form(most)}}}"


def cross_table(
    corner: str,
    rows: Mapping[Any, str],
    columns: Mapping[Any, str],
    cells: Mapping[tuple[Any, Any], str],
) -> Rows:
    """Arrange texts as a table with named rows and columns: a list of rows, headings first.

    `rows` and `columns` map keys to headings, and `cells` maps (row key, column key) to a text. A
    dash stands for a missing text. `corner` is the first heading.
    """
    return [
        [corner, *columns.values()],
        *(
            [heading, *(cells.get((row, column), "–") for column in columns)]
            for row, heading in rows.items()
        ),
    ]


def points(value: float, *, sign: bool = False) -> str:
    """Format a fraction in percent with one decimal, such as "12.3" for 0.123; NaN is a dash.

    With `sign`, positive numbers begin with "+".
    """
    return "–" if pd.isna(value) else percent(value, sign=sign, digits=1)


def signed_points(value: float) -> str:
    """Format a difference of fractions in percentage points, such as "+1.2" for 0.012."""
    return points(value, sign=True)


def p_value(value: float) -> str:
    """Format a p-value: three decimals, four below 0.001, and "<0.0001" for the smallest."""
    if pd.isna(value):
        return "–"
    if value < 0.0001:
        return "<0.0001"
    return f"{value:.4f}" if value < 0.001 else f"{value:.3f}"


def in_bold_the_largest(values: Sequence[float], texts: Sequence[str]) -> list[str]:
    """Return `texts`, with the text of the largest value in bold (Markdown)."""
    largest = max((value for value in values if not pd.isna(value)), default=None)
    return [
        f"**{text}**" if value == largest else text
        for value, text in zip(values, texts, strict=True)
    ]


def claims_table(claims: pd.DataFrame) -> Rows:
    """Return the verdicts on a paper's claims, one row each, as rows of texts; headings first."""
    rows = claims.to_dict("records")
    several = bool((claims["states"] != ONE_STATE).any())
    marks = claims["source"].map(
        lambda source: f" *({SOURCES[source]})*" if source in SOURCES else ""
    )
    frame = pd.DataFrame(
        {
            _CLAIM: claims["statement"].str.replace(r"([*|])", r"\\\1", regex=True) + marks,
            "verdict, seeds": [_verdict(claim, several) for claim in rows],
            _OWN_NUMBERS: claims["published"],
            "on averages over seeds": claims["averaged"],
            "without one class": [decided_in_words(claim) for claim in rows],
            "under other readings": [_other_readings(claim) for claim in rows],
        }
    )
    # Columns without any entry are left out.
    frame = frame.loc[:, (frame != "").any()].replace("", "–")
    return [list(frame.columns), *frame.to_numpy().tolist()]


def _verdict(claim: Mapping[str, Any], several: bool) -> str:
    """Return a verdict and how many seeds have it, such as "reproduced, 7 of 10"."""
    if claim["verdict"] == "not testable":
        return claim["verdict"]
    if several and claim["states"] == ONE_STATE:
        return f"{claim['verdict']}, judged once"
    votes = f" ({claim['votes']})" if claim["states"].startswith("at most") else ""
    first = claim["first_state"]
    first = f", first seed: {first}" if first != claim["verdict"] else ""
    return f"{claim['verdict']}, {claim['states']}{votes}{first}"


def _other_readings(claim: Mapping[str, Any]) -> str:
    """Return each reading whose verdict differs from the configured protocol's, or "the same"."""
    if set(claim["readings"].values()) == {NOT_RERUN}:
        return "–"
    readings: dict[str, list[str]] = {}
    for reading, verdict in claim["otherwise"].items():
        readings.setdefault(verdict, []).append(f"`{reading}`")
    parts = [f"{', '.join(names)}: {own}" for own, names in readings.items()]
    return "; ".join(parts) or "the same"


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of cells as a Markdown table; the first row is the head."""
    head, *body = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([head, "|---" * len(rows[0]) + "|", *body])
