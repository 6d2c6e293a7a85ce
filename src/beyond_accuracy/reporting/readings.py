"""Every claim of a paper under every reading of its protocol."""

from beyond_accuracy.reporting.claims import judge_variants, majority
from beyond_accuracy.reporting.report import Report
from beyond_accuracy.reporting.tables import Across, Column, Table
from beyond_accuracy.results.variants import HEADLINE, selected_readings


def table_readings(report: Report) -> Table:
    """Verdicts on all claims: that of most states as configured, and that under each reading."""
    readings = selected_readings(report.results.whole)
    judged = majority(report.once(judge_variants))
    order = [HEADLINE, *readings]
    judged = judged.sort_values("reading", key=lambda names: names.map(order.index), kind="stable")
    claims = [claim["id"] for claim in report.configuration["claims"]]
    judged = judged.sort_values("id", key=lambda names: names.map(claims.index), kind="stable")
    n_states = report.results.whole.get("states") or 1
    cell = [Column("", "verdict")]
    if n_states > 1:
        cell = [Column("", ("verdict", "states"), "{} ({})".format)]
    return Table(
        frame=judged[["id", "reading", "verdict", "states", "numbers"]].reset_index(drop=True),
        index=[Column("Claim", "id")],
        columns=[Across("reading", _title, cell)],
        caption="Verdicts under the readings of the protocol; the first is the headline's.",
        notes=[
            *(f"{_title(name)}: {own['why'].strip()}" for name, own in readings.items()),
            *(["In brackets: of how many random states."] if n_states > 1 else []),
        ],
    )


def _title(reading: str) -> str:
    return reading.replace("_", " ")
