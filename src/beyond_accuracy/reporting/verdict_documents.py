"""Verdicts in the repository's documents: README's counts and the papers' tables of claims.

All are written from results, so that no verdict in them is typed in.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from beyond_accuracy.reporting.agreement import with_interval
from beyond_accuracy.reporting.claims import NOT_RERUN, read_claims
from beyond_accuracy.reporting.documents import replace_table, replaced
from beyond_accuracy.reporting.verdict import VERDICTS
from beyond_accuracy.results import layout
from beyond_accuracy.results.damage import existing

README = "README.md"
PAGE = "docs/results/{paper}.md"
_ONE_STATE = "1 of 1"
_CLAIM, _OWN_NUMBERS = "claim of the paper", "on its own numbers"


def write_verdicts(results: str | Path, documents: str | Path, papers: Sequence[str]) -> None:
    """Replace the verdicts in README.md and in docs/results/ by those of a run or the reference.

    Parameters
    ----------
    results : path
        The folder with claims.csv and agreement.csv.
    documents : path
        The repository. README.md has a row for each paper, that begins with a link to its page, and
        two lines that begin with "n of m published cells" and "n of m verdicts are judged once"; a
        page has one table whose first column is "claim of the paper".
    papers : sequence of str

    Raises
    ------
    FileNotFoundError
        If a file is not there.
    ValueError
        If a document has no such row or table, or several.
    """
    folder = Path(documents)
    texts = {}
    claims = read_claims(existing(Path(results) / layout.CLAIMS))
    agreement = pd.read_csv(existing(Path(results) / layout.AGREEMENT))
    readme = existing(folder / README).read_text(encoding="utf-8")
    for paper in papers:
        own = claims[claims["paper"] == paper]
        cells = _cells(agreement[agreement["paper"] == paper])
        row = re.compile(rf"^(\| \[[^\]]*\]\({PAGE.format(paper=paper)}\) \|).*$", re.MULTILINE)
        readme = replaced(row, rf"\1 {_counts(own)} | {cells} |", readme, README)
        page = folder / PAGE.format(paper=paper)
        text = existing(page).read_text(encoding="utf-8")
        texts[page] = replace_table(text, _claims_table(own), page)
    all_cells = re.compile(r"^\d+ of \d+ published cells", re.MULTILINE)
    new = f"{_cells(agreement)} published cells"
    readme = replaced(all_cells, new, readme, README)
    alone = re.compile(r"^\d+ of \d+ verdicts are judged once", re.MULTILINE)
    own = claims[claims["paper"].isin(papers)]
    of_one = f"{own['states'].eq(_ONE_STATE).sum()} of {len(own)}"
    readme = replaced(alone, f"{of_one} verdicts are judged once", readme, README)
    texts[folder / README] = readme
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")


def _counts(claims: pd.DataFrame) -> str:
    counts = claims["verdict"].value_counts()
    return " | ".join(str(counts.get(name, 0)) for name in VERDICTS if name != "not testable")


def _cells(agreement: pd.DataFrame) -> str:
    """How many published cells lie inside, of those that are compared with an interval."""
    compared = agreement.loc[with_interval(agreement), "inside"].astype(bool)
    if len(compared):
        return f"{compared.sum()} of {len(compared)}"
    return "none comparable" if len(agreement) else "none at hand"


def _claims_table(claims: pd.DataFrame) -> list[list[str]]:
    frame = pd.DataFrame(
        {
            _CLAIM: claims["statement"].str.replace(r"([*|])", r"\\\1", regex=True),
            "verdict, states": claims["verdict"] + ", " + claims["states"],
            _OWN_NUMBERS: claims["published"].replace("", "–"),
            "under other readings": [_other_readings(claim) for claim in claims.to_dict("records")],
        }
    )
    if not claims["published"].any():
        frame = frame.drop(columns=_OWN_NUMBERS)
    return [list(frame.columns), *frame.to_numpy().tolist()]


def _other_readings(claim: Mapping[str, Any]) -> str:
    """Where readings differ from the headline in the same states, mostly the first alone."""
    if set(claim["readings"].values()) == {NOT_RERUN}:
        return NOT_RERUN
    readings: dict[str, list[str]] = {}
    for reading, verdict in claim["otherwise"].items():
        readings.setdefault(verdict, []).append(f"`{reading}`")
    parts = [f"{', '.join(names)}: {own}" for own, names in readings.items()]
    if claim["first_state"] != claim["verdict"]:
        parts = [f"first state: {claim['first_state']}", *(parts or ["the same"])]
    return "; ".join(parts) or "the same"
