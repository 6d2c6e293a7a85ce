"""Tables of an arena: tasks, scores, average ranks and pairwise tests, for each measure."""

import pandas as pd

from ..cells import LOSSES
from ..formats import decimals, if_known, percent, percent_change, win_counts
from ..names import measure_name
from ..report import Report
from ..tables import Across, Column, Table, largest
from .ranks import (
    LEVEL,
    ROPE,
    average_ranks,
    pairwise_tests,
    significance_matrix,
    smallest_p,
    worse_by_pair,
)
from .values import better_is_positive, situations, tables_by_kind, task_values, unfitted

BLOCKS = (
    "Tasks of a data set are averaged. Methods that take no sparse features are compared on dense "
    "ones, the others on both kinds apart; a fit that failed counts as the worst value."
)


def table_scores(report: Report) -> Table:
    """Return a table of values averaged over tasks and seeds, by data set, measure and method."""
    rows = report.once(task_values)
    frame = rows.groupby(["data_set", "measure", "method"], sort=False)["value"].mean()
    frame = frame.reset_index()
    missing = unfitted(report)
    missing = missing[missing["data_set"].isin(frame["data_set"])]
    frame = pd.concat([frame, missing], ignore_index=True)
    is_loss = frame["measure"].isin(list(LOSSES))
    frame["_comparable"] = frame["value"].where(~is_loss, -frame["value"])
    frame["_best"] = largest(frame, "_comparable", ["data_set", "measure"])
    line = Column("", "value", percent, bold="_best")
    return Table(
        frame=frame,
        index=[report.data_set_column(), Column("Measure", "measure", measure_name)],
        columns=[Across("method", report.method_label, [line])],
        caption="Averages over the tasks of a data set and the seeds, in percent.",
        notes=["n/a: the method takes no sparse features."] if len(missing) else [],
    )


def table_tasks(report: Report) -> Table:
    """Return a table of the tasks, with their sizes and kinds, such as "sparse features"."""
    rows = report.once(task_values)
    facts = ["share", "n_train", "n_features", "sparse"]
    frame = rows.groupby(["data_set", "task"], sort=False, dropna=False)[facts].first()
    frame = frame.reset_index()
    held = {kind.label: kind.holds(frame) for kind in situations(rows) if kind.name != "all"}
    frame["kinds"] = [
        "; ".join(label for label, holds in held.items() if holds[row]) for row in frame.index
    ]
    return Table(
        frame=frame,
        index=[report.data_set_column(), Column("Task", "task")],
        columns=[
            Column("Positives (%)", "share", if_known(percent)),
            Column("Training examples", "n_train", if_known(decimals(0))),
            Column("Features", "n_features", if_known(decimals(0))),
            Column("Counts as", "kinds"),
        ],
        caption="The tasks, means over the seeds, and the kinds of tasks they count as.",
    )


def table_ranks(report: Report) -> Table:
    """Return a table of the methods' average ranks, by measure and kind of data."""
    rows = []
    for measure, kind, table in tables_by_kind(report):
        ranks = average_ranks(table)
        best = str(ranks.idxmin())
        p_values = significance_matrix(table)[best]
        for method in table.columns:
            p = p_values[method]
            row = (measure, kind, len(table), method, ranks[method], p, method == best, p > LEVEL)
            rows.append(row)
    names = ["measure", "situation", "n_data_sets", "method", "rank", "p_value_holm"]
    line = Column("", "rank", if_known(decimals(2)), bold="_best", underline="_not_different")
    return Table(
        frame=pd.DataFrame(rows, columns=[*names, "_best", "_not_different"]),
        index=[
            Column("Measure", "measure", measure_name),
            Column("Tasks", "situation"),
            Column("Data sets", "n_data_sets", decimals(0)),
        ],
        columns=[Across("method", report.method_label, [line])],
        caption="Average ranks over data sets, 1 the best.",
        notes=[
            "Bold: the best; underlined: those that Wilcoxon's signed-rank test, after Holm's "
            "correction over all pairs, does not tell from it at the 5 % level.",
            *_too_few(report),
            BLOCKS,
            *_at_zero(report),
        ],
    )


def _too_few(report: Report) -> list[str]:
    """Return notes on comparisons with too few data sets for any significant difference."""
    unable = {
        (kind, len(table))
        for _, kind, table in tables_by_kind(report)
        if smallest_p(*table.shape) > LEVEL
    }
    return [
        f"{kind}, {n} data sets: too few for a test of all pairs; no p-value after Holm's "
        f"correction can be below {LEVEL:g}."
        for kind, n in sorted(unable)
    ]


def _at_zero(report: Report) -> list[str]:
    """Return a list with a note on how often zero weights are optimal in a fit, or [] if never."""
    fits = report.results.fits
    fits = fits[fits["method"].isin(report.methods()) & fits["degenerate"].notna()]
    numbers = fits.groupby(["method", "measure"], sort=False)["degenerate"].agg(["sum", "size"])
    parts = [
        f"{row['sum']} of {row['size']} fits of {report.method_label(method)} for "
        f"{measure_name(measure)}"
        for (method, measure), row in numbers[numbers["sum"] > 0].astype(int).iterrows()
    ]
    note = (
        f"w = 0 is optimal for every C in {', '.join(parts)} (first seed). Such a fit "
        "gives all examples one score. A threshold tuned for another classifier helps there."
    )
    return [note] if parts else []


def table_pairs(report: Report) -> Table:
    """Return a table that compares all pairs of methods over data sets, for each measure.

    There is one row per measure, kind of data (dense or sparse features) and pair. It has p-values
    of Wilcoxon's signed-rank test, and probabilities of the Bayesian signed-rank test.
    """
    # A measure with fewer than two methods has no pairs.
    parts = [
        _pairs(table).assign(measure=measure, situation=kind)
        for measure, kind, table in tables_by_kind(report)
    ]
    no_pairs = _pairs(pd.DataFrame()).assign(measure="", situation="")
    frame = pd.concat([part for part in parts if len(part)] or [no_pairs], ignore_index=True)
    names = ["measure", "situation"]
    return Table(
        frame=frame[[*names, *frame.columns.drop(names)]],
        index=[
            Column("Measure", "measure", measure_name),
            Column("Tasks", "situation"),
            Column("Method", "first", report.method_label),
            Column("Against", "second", report.method_label),
        ],
        columns=[
            Column("Difference", "difference", percent_change),
            Column("Wins/losses/ties", ("wins", "losses", "ties"), win_counts),
            Column("Wilcoxon p", "p_value", report.p_text),
            Column("Wilcoxon p, Holm", "p_value_holm", report.p_text),
            *(Column(f"P({of})", of, decimals(2)) for of in ("worse", "equivalent", "better")),
        ],
        caption="Pairs of methods: mean difference over data sets in percentage points, and tests.",
        notes=[
            "P: by the Bayesian signed-rank test; worse or better: by more than "
            f"{100 * ROPE:g} percentage point.",
            *better_is_positive(report),
            *_too_few(report),
            BLOCKS,
        ],
    )


def _pairs(table: pd.DataFrame) -> pd.DataFrame:
    pairs, worse = pairwise_tests(table), worse_by_pair(table)
    keys = list(zip(pairs["first"], pairs["second"], strict=True))
    pairs["worse"] = [worse.at[first, second] for first, second in keys]
    pairs["better"] = [worse.at[second, first] for first, second in keys]
    pairs["equivalent"] = (1 - pairs["worse"] - pairs["better"]).round(6)
    return pairs
