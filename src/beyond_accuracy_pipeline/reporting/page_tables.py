"""The tables on a paper's page in docs/results: values and verdicts, written from its results."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from beyond_accuracy_pipeline.reporting.claims import NOT_RERUN
from beyond_accuracy_pipeline.reporting.conclusion import (
    SOURCES,
    conclusion,
    decided_in_words,
    distance_table,
    finding,
)
from beyond_accuracy_pipeline.reporting.documents import (
    markdown_table,
    replace_block,
    replace_table,
)
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.tables import LEAST, MOST
from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.results.damage import existing

PAGE = "docs/results/{paper}.md"
ONE_STATE = "1 of 1"
_CLAIM, _OWN_NUMBERS = "claim of the paper", "on its own numbers"
Rows = list[list[str]]


def write_page_tables(
    reports: Iterable[Report], claims: pd.DataFrame, agreement: pd.DataFrame, documents: str | Path
) -> None:
    """Write the conclusion and the tables of each paper into its page.

    Parameters
    ----------
    reports : iterable of Report
        One report per paper.
    claims : DataFrame
        The verdicts on the claims of all papers, as `read_claims` returns them.
    agreement : DataFrame
        The published cells of all papers, as `read_agreement` returns them.
    documents : path
        The repository. Each page has a table of verdicts, which begins with "claim of the paper".

    Raises
    ------
    FileNotFoundError
        If a table or a page is not there.
    ValueError
        If a page has no table that begins with the same cell, or several, or a table lacks what its
        page shows; no page is changed then.
    """
    texts = {}
    for report in reports:
        page = Path(documents) / PAGE.format(paper=report.paper.id)
        text = existing(page).read_text(encoding="utf-8")
        own = claims[claims["paper"] == report.paper.id]
        cells = agreement[agreement["paper"] == report.paper.id]
        text = replace_block(text, "conclusion", _conclusion(report, own, cells))
        text = replace_table(text, _claims_table(own), page)
        for table in report.paper.page_tables:
            try:
                text = replace_table(text, table(report), page)
            except KeyError as error:
                message = f"{report.results.folder}: no {error} in the tables of {report.paper.id}"
                raise ValueError(f"{message}, which its page shows: run the whole paper") from error
        texts[page] = text
    for page, text in texts.items():
        page.write_text(text, encoding="utf-8")


def read_table(report: Report, name: str) -> pd.DataFrame:
    """Return the numbers of a table as the run has written them: medians with their ranges."""
    return pd.read_csv(existing(report.results.path(layout.TABLE, table=name, suffix="csv")))


def median_and_range(
    row: Mapping[str, Any], column: str, form: Callable[[float], str], beyond: float = 0.0
) -> str:
    """Show a number with its least and largest over the states, where these are further apart."""
    least, most = row.get(f"{column}{LEAST}"), row.get(f"{column}{MOST}")
    text = form(row[column])
    if pd.isna(least) or most - least <= beyond or form(least) == form(most):
        return text
    return f"{text} {{{form(least)}, {form(most)}}}"


def points(value: float) -> str:
    """Show a fraction in percent with one decimal; a dash if missing."""
    return "–" if pd.isna(value) else f"{100 * value:.1f}".replace("-", "−")


def signed_points(value: float) -> str:
    """Show a difference of fractions in points with one decimal and its sign."""
    if pd.isna(value):
        return "–"
    text = f"{100 * value:+.1f}".replace("-", "−")
    return "0.0" if text in ("+0.0", "−0.0") else text


def p_value(value: float) -> str:
    """Show a p-value with three decimals, very small ones as such."""
    if pd.isna(value):
        return "–"
    if value < 0.0001:
        return "<0.0001"
    return f"{value:.4f}" if value < 0.001 else f"{value:.3f}"


def in_bold_the_largest(values: Sequence[float], texts: Sequence[str]) -> list[str]:
    """Return the texts, with the largest value between stars; missing values do not count."""
    largest = max((value for value in values if not pd.isna(value)), default=None)
    return [
        f"**{text}**" if value == largest else text
        for value, text in zip(values, texts, strict=True)
    ]


def _conclusion(report: Report, claims: pd.DataFrame, cells: pd.DataFrame) -> str:
    """Return the three sentences, and how far published values are from ours, in Markdown."""
    rows = claims.to_dict("records")
    sentences = conclusion(report, rows, finding(report.paper, rows))
    parts = ["\n".join(f"- **{title}.** {text}" for title, text in sentences.items())]
    if table := distance_table(cells):
        parts.append(markdown_table(table).rstrip())
    return "\n\n".join(parts)


def _claims_table(claims: pd.DataFrame) -> list[list[str]]:
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
    """Return the verdict with its number of seeds; with all votes if it has no majority.

    `several` says whether the run has several seeds. Claims on simulations are then still judged
    once.
    """
    if claim["verdict"] == "not testable":
        return claim["verdict"]
    if several and claim["states"] == ONE_STATE:
        return f"{claim['verdict']}, judged once"
    votes = f" ({claim['votes']})" if claim["states"].startswith("at most") else ""
    first = claim["first_state"]
    first = f", first seed: {first}" if first != claim["verdict"] else ""
    return f"{claim['verdict']}, {claim['states']}{votes}{first}"


def _other_readings(claim: Mapping[str, Any]) -> str:
    """Name the readings whose verdict differs from the headline's in the same seeds."""
    if set(claim["readings"].values()) == {NOT_RERUN}:
        return "–"
    readings: dict[str, list[str]] = {}
    for reading, verdict in claim["otherwise"].items():
        readings.setdefault(verdict, []).append(f"`{reading}`")
    parts = [f"{', '.join(names)}: {own}" for own, names in readings.items()]
    return "; ".join(parts) or "the same"
