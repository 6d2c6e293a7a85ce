"""Every claim of a paper under every reading of its protocol."""

from beyond_accuracy.reporting.claims import in_first_state, judge_variants, majority
from beyond_accuracy.reporting.report import Report
from beyond_accuracy.reporting.tables import Across, Column, Table
from beyond_accuracy.results.variants import HEADLINE, selected_readings


def table_readings(report: Report) -> Table:
    """Verdicts on all claims: that of most states as configured, and that under each reading."""
    readings = selected_readings(report.results.whole)
    every = report.once(judge_variants)
    judged = majority(every)
    order = [HEADLINE, *readings]
    judged = judged.sort_values("reading", key=lambda names: names.map(order.index), kind="stable")
    claims = [claim["id"] for claim in report.configuration["claims"]]
    judged = judged.sort_values("id", key=lambda names: names.map(claims.index), kind="stable")
    frame = judged[["id", "reading", "verdict", "states", "numbers"]].reset_index(drop=True)
    first = in_first_state(every).set_index("id")["verdict"]
    frame["first_state"] = frame["id"].map(first)
    columns = [Across("reading", _title, [Column("", "verdict")])]
    notes = [f"{_title(name)}: {own['why'].strip()}" for name, own in readings.items()]
    if (report.results.whole.get("states") or 1) > 1:
        cell = Column("", ("verdict", "states"), "{} ({})".format)
        columns = [Column("First state", "first_state"), Across("reading", _title, [cell])]
        notes.append("In brackets: of how many random states. Readings are of the first.")
    return Table(
        frame=frame,
        index=[Column("Claim", "id")],
        columns=columns,
        caption="Verdicts under the readings of the protocol; the first is the headline's.",
        notes=notes,
    )


def _title(reading: str) -> str:
    return reading.replace("_", " ")
