"""A table of the verdicts on a paper's claims for every reading (variant of its protocol)."""

import pandas as pd

from beyond_accuracy_pipeline.results.variants import HEADLINE, Variant, selected_readings

from .claims import NOT_RERUN, in_first_state, judge_variants, majority
from .names import spaced
from .report import Report
from .tables import Across, Column, Table


def table_readings(report: Report) -> Table:
    """Return a table of verdicts, one row per claim and one column per variant of the protocol.

    The first column is for the protocol as configured. With several seeds, a cell has the verdict
    of most seeds and their number, and a further column has the first seed's verdict.
    """
    readings = selected_readings(report.results.whole)
    # All states have the same table.
    every = report.under(Variant()).once(judge_variants)
    judged = majority(every)
    claims = [claim["id"] for claim in report.configuration["claims"]]
    statements = {own["id"]: own["statement"].strip() for own in report.configuration["claims"]}
    cells = pd.MultiIndex.from_product([claims, [HEADLINE, *readings]], names=["id", "reading"])
    judged = judged.set_index(["id", "reading"])[["verdict", "states", "numbers"]].reindex(cells)
    not_rerun = {"verdict": NOT_RERUN, "states": "", "numbers": ""}
    frame = judged.fillna(not_rerun).reset_index()
    first = in_first_state(every).set_index("id")["verdict"]
    frame["first_state"] = frame["id"].map(first)
    columns = [Across("reading", spaced, [Column("", "verdict")])]
    notes = [f"{spaced(name)}: {own['why'].strip()}" for name, own in readings.items()]
    if (frame["verdict"] == NOT_RERUN).any():
        notes.append(f"{NOT_RERUN}: the claim rests on studies, which readings do not repeat.")
    if (report.results.whole.get("states") or 1) > 1:
        cell = Column("", ("verdict", "states"), _with_states)
        columns = [Column("First seed", "first_state"), Across("reading", spaced, [cell])]
        notes.append(
            "In brackets: the number of seeds. A reading with one seed has the first seed; compare "
            "it with the verdict of the first seed."
        )
    return Table(
        frame=frame,
        index=[Column("Claim", "id", statements.get)],
        columns=columns,
        caption="Verdicts under the readings of the protocol; the first is the headline's.",
        notes=notes,
    )


def _with_states(verdict: str, states: str) -> str:
    return f"{verdict} ({states})" if states else verdict
