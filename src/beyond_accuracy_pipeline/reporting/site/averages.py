"""The numbers on the pages of data sets and methods, put together as those of the tables are."""

import pandas as pd

from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.results.variants import HEADLINE, variants

CELL = ["data_set", "method", "decision", "measure"]


def averages_over_tasks(report: Report) -> pd.DataFrame:
    """Return a row for each data set, method, decision and measure with its `value`.

    It is the average over tasks in each random state, of which it is the median, or what the
    tables of the `Paper` have in place of it; missing where there is none. Each decision of a
    multi-label method is one of its own; `decision` is "" of others.
    """
    is_multilabel = report.configuration["protocol"] == "multilabel"
    states = []
    for variant in variants(report.results.whole):
        if variant.reading == HEADLINE:
            frame = report.under(variant).results.measurements
            value = frame["value"].where(frame["status"] == "ok")
            decision = frame["task"] if is_multilabel else ""
            states.append(frame.assign(value=value, decision=decision))
    averages = [frame.groupby(CELL, sort=False)["value"].mean() for frame in states]
    over_states = pd.concat(averages).groupby(CELL, sort=False).agg(report.paper.over_states)
    return over_states.reset_index()


def aggregate(report: Report) -> str:
    """Say what the numbers are, for a caption."""
    n_states = report.results.whole.get("states") or 1
    of_states = f", {report.paper.over_states}s over {n_states} random states"
    return "Averages over tasks" + (of_states if n_states > 1 else "")
