"""How tables and figures name data sets: substitutes marked, missing ones explained."""

from collections.abc import Mapping, Sequence

from beyond_accuracy.reporting.results import PaperResults
from beyond_accuracy.reporting.tables import SUBSTITUTE_MARK, UNAVAILABLE


def is_substitute(record: Mapping[str, object]) -> bool:
    """Whether the numbers of this data set come from one that stands in for another."""
    return record.get("status") == "ok" and bool(record.get("substitute_for"))


def data_set_label(results: PaperResults, data_set: str) -> str:
    """Return the name of a data set, with a dagger if another one stands in for it."""
    return data_set + SUBSTITUTE_MARK if is_substitute(results.record(data_set)) else data_set


def substitute_text(data_set: str, record: Mapping[str, object]) -> str:
    """Say what stands in for what, and why."""
    reason = str(record.get("substitute_reason") or "the original cannot be had").rstrip(".")
    used, original = record.get("used") or data_set, record["substitute_for"]
    return f"{data_set}: the substitute {used} stands in for {original}: {reason}."


def data_set_notes(results: PaperResults, data_sets: Sequence[str]) -> tuple[str, ...]:
    """Explain each substitute and each data set that is unavailable."""
    notes = []
    for data_set in data_sets:
        record = results.record(data_set)
        if is_substitute(record):
            notes.append(f"{SUBSTITUTE_MARK} {substitute_text(data_set, record)}")
        if record.get("status") == "unavailable":
            reason = str(record.get("reason") or "no reason recorded").rstrip(".")
            notes.append(f"{UNAVAILABLE}: {data_set} is unavailable: {reason}.")
    return tuple(notes)
