"""The auxiliaries scored in two ways: by their real values, and by their outputs ±1."""

import pandas as pd

from beyond_accuracy_pipeline.papers.li2013.names import AUXILIARY_OF, METHODS, data_set_and_measure
from beyond_accuracy_pipeline.papers.li2013.values import (
    in_any_order,
    paper_values,
    published_values,
    task_values,
)
from beyond_accuracy_pipeline.reporting.comparison import Pair, paired
from beyond_accuracy_pipeline.reporting.formats import if_known, percent
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.statistics import count_signs
from beyond_accuracy_pipeline.reporting.tables import Across, Column, Table
from beyond_accuracy_pipeline.results.variants import Variant, selected_readings

BY_SIGNS = Variant("auxiliaries_scored_by_signs")
RANKING = ("prbep", "roc_area")
WAYS = {"real": "real values", "signs": "±1"}


def table_auxiliary_scores(report: Report) -> Table:
    """PRBEP and ROC area of the auxiliaries in both ways, and the published; CAPO against either.

    Accuracy and F1 are the same in both.
    """
    is_run = BY_SIGNS.reading in selected_readings(report.results.whole)
    both = [in_any_order(report, task_values(report))]
    signs = report.under(BY_SIGNS)
    both.append(in_any_order(signs, task_values(signs)) if is_run else both[0] * float("nan"))
    published = published_values(report)
    parts = []
    for capo, auxiliary in AUXILIARY_OF.items():
        columns = {way: own[auxiliary] for way, own in zip(WAYS, both, strict=True)}
        columns["published"] = published[auxiliary].reindex(both[0].index)
        columns["capo"] = both[0][capo]
        parts.append(pd.DataFrame(columns).assign(auxiliary=auxiliary))
    frame = pd.concat(parts).reset_index()
    frame = frame[frame["measure"].isin(RANKING)].reset_index(drop=True)
    distances = frame[list(WAYS)].sub(frame["published"], axis=0).abs()
    for way in WAYS:
        frame[f"_{way}_nearer"] = distances[way] == distances.min(axis=1, skipna=False)
    ours = [Column(title, way, percent, bold=f"_{way}_nearer") for way, title in WAYS.items()]
    lines = [*ours, Column("published", "published", if_known(percent))]
    return Table(
        frame=frame,
        index=data_set_and_measure(report),
        columns=[Across("auxiliary", report.method_label, lines, beside=True)],
        caption=(
            "PRBEP and ROC area of the auxiliaries in percent, from their real values and from "
            "their outputs ±1; in bold what is nearer to the published value. PRBEP is its "
            "expectation over the orders of equal scores."
        ),
        notes=[*_wins(report, is_run), *report.not_selected()],
    )


def _wins(report: Report, is_run: bool) -> list[str]:
    """Say how often each CAPO wins against its auxiliary, scored either way, and in the paper."""
    sources = {"real values": in_any_order(report, paper_values(report))}
    if is_run:
        signs = report.under(BY_SIGNS)
        sources["±1"] = in_any_order(signs, paper_values(signs))
    sources["in the paper"] = published_values(report)
    notes = []
    for capo, auxiliary in AUXILIARY_OF.items():
        pair = Pair(capo, auxiliary)
        counts = [
            f"{name} {count_signs(*paired(source, pair).to_numpy().T)}"
            for name, source in sources.items()
        ]
        notes.append(
            f"Wins/losses/ties of {METHODS[capo]} against its auxiliary by all measures: "
            f"{', '.join(counts)}."
        )
    return notes
