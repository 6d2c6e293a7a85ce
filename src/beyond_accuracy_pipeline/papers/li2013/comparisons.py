"""Ours beside the published values and other methods, task by task; and signed-rank tests."""

from collections.abc import Sequence
from itertools import product

import pandas as pd

from beyond_accuracy_pipeline.papers.li2013.distances import distances_of_star
from beyond_accuracy_pipeline.papers.li2013.names import (
    DELTA_FUNCTION,
    ENSEMBLE,
    MEASURES,
    METHODS,
    NEAR,
    STAR,
    TESTED_PAIRS,
    data_set_and_measure,
)
from beyond_accuracy_pipeline.papers.li2013.values import (
    TASK,
    adapted_values,
    difference_columns,
    method_columns,
    paper_values,
    published_values,
    task_values,
)
from beyond_accuracy_pipeline.reporting.comparison import Pair, paired
from beyond_accuracy_pipeline.reporting.formats import (
    UNAVAILABLE,
    count,
    if_known,
    percent,
    percent_change,
    star_note,
    win_counts,
)
from beyond_accuracy_pipeline.reporting.names import measure_name
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.statistics import count_signs
from beyond_accuracy_pipeline.reporting.tables import Across, Column, Table

ENDS = ("difference_low", "difference_high")
DIFFERENCE = Column("Difference", "difference", percent_change, ENDS, signed_interval=True)
NONE = "none"
ALL = "all"
OURS, PUBLISHED = "ours", "published"
COUNTS = ("wins", "losses", "ties")
UNADJUSTED = (
    "The p-values shown are not adjusted for the number of tests; the column p_holm of the CSV "
    "file has Holm's."
)
DEPENDENT = (
    "The tasks are few data sets, each of them once a measure: they are not independent, so that "
    "p-values over all tasks are too small. Those for each measure, over at most five data sets, "
    "cannot be below 0.0625, and Holm's correction leaves none of them below 0.05: no test for "
    "one measure can be significant."
)


def table5(report: Report) -> Table:
    """CAPO with five core vector machines against their weighted ensemble, with the published."""
    values, methods = task_values(report), list(DELTA_FUNCTION.methods)
    published = published_values(report)[methods]
    parts = [method_columns(report, values, method) for method in methods]
    parts.append(difference_columns(report, values, DELTA_FUNCTION))
    parts.append(published.reindex(values.index).add_prefix("published_"))
    frame = pd.concat(parts, axis=1).reset_index()
    first, second = (frame[f"published_{method}"] for method in methods)
    frame["published_difference"] = first - second
    best = frame[methods].max(axis=1)
    frame[[f"_{method}_best" for method in methods]] = frame[methods].eq(best, axis=0)
    ours = [
        Column(METHODS[name], name, percent, (f"{name}_low", f"{name}_high"), bold=f"_{name}_best")
        for name in methods
    ]
    theirs = [
        Column(f"Published: {METHODS[name]}", f"published_{name}", if_known(percent))
        for name in methods
    ]
    signs = [
        count_signs(*paired(source, DELTA_FUNCTION).to_numpy().T)
        for source in (paper_values(report), published)
    ]
    return Table(
        frame=frame,
        index=data_set_and_measure(report),
        columns=[*ours, DIFFERENCE, *theirs],
        caption=(
            "Table 5. CAPO with five core vector machines (RBF, polynomial, Laplacian, inverse "
            "distance and inverse square distance kernels) and their weighted ensemble, which "
            "has no delta function; values and differences in percent."
        ),
        notes=[
            f"Wins/losses/ties of CAPO on the paper's data sets: {signs[0]} here, {signs[1]} in "
            "the paper.",
            *report.not_selected(),
        ],
    )


def table_differences(report: Report) -> Table:
    """How far CAPO* and the nearest trivial predictor are from the published values."""
    values = task_values(report)
    frame = values[[STAR]].rename(columns={STAR: "value"})
    frame["published"] = published_values(report)[STAR].reindex(values.index)
    frame["difference"] = frame["value"] - frame["published"]
    distances = distances_of_star(report.of_the_paper).reindex(values.index)
    frame["trivial"] = distances["trivial"]
    frame["near"] = distances["near"].map({True: "yes", False: "no"}).fillna("")
    return Table(
        frame=frame.reset_index(),
        index=data_set_and_measure(report),
        columns=[
            Column("CAPO* (%)", "value", percent),
            Column("Published (%)", "published", if_known(percent)),
            Column("Difference", "difference", if_known(percent_change)),
            Column("Distance of a trivial predictor", "trivial", if_known(percent)),
            Column("Near", "near"),
        ],
        caption="Distance of CAPO* from the published values.",
        notes=[
            f"Near: at most {NEAR:g} from the published value, above or below, and at most half as "
            "far from it as the nearest predictor that ignores the features.",
            *report.not_selected(),
        ],
    )


def table_matching_B(report: Report) -> Table:
    """Which B makes the weight of an auxiliary 1, as in the paper's problem (9).

    "none" where no B does, "≤ B" where B and every smaller one do.
    """
    columns = [*TASK, "C", "auxiliary", "matching_B", "matches_below", "status", "reason"]
    frame = report.results.study("matching_B")[columns]
    searched = frame[frame["status"] == "ok"]
    missing = int(searched["matching_B"].isna().sum())
    intervals = int(searched["matches_below"].eq(True).sum())
    failed = frame[frame["status"] == "failed"].drop_duplicates(["auxiliary", "reason"])
    cell = Column("", ("matching_B", "matches_below"), _matching_B, status="status")
    return Table(
        frame=frame,
        index=[*data_set_and_measure(report), Column("C", "C", "{:g}".format)],
        columns=[Across("auxiliary", report.method_label, [cell])],
        caption=(
            "The penalty B at which problem (14), whose auxiliary has a weight, gives it the "
            "weight 1 of problem (9); of the first random state."
        ),
        notes=[
            f"≤ B: this B and every smaller one down to 1e-6 do, {intervals} of {len(searched)} "
            "cases: the loss has a kink at the weight 1. Otherwise B is the largest that does.",
            f"{NONE}: no B between 1e-6 and 1e6 does, {missing} of {len(searched)} cases. The "
            "weight falls with B; where it stays below 1 for however small a B, the loss does not "
            "want more of the auxiliary, and the two problems differ.",
            *(
                f"failed: {report.method_label(row.auxiliary)}: {row.reason}."
                for row in failed.itertuples()
            ),
            *report.not_selected(),
        ],
    )


def _matching_B(B: float, matches_below: object) -> str:
    return NONE if pd.isna(B) else f"{'≤ ' if matches_below is True else ''}{B:.3g}"


def table_tests(report: Report) -> Table:
    """Each CAPO against its auxiliaries and the rivals over the paper's tasks."""
    frame = _tests(report, [ALL])
    n_tasks = frame.groupby("source")["n_tasks"].max()
    lines = [
        Column("Tasks", "n_tasks", count),
        Column("Wins/losses/ties", COUNTS, win_counts),
        Column("p", "p_value", report.p_text),
        Column("p, Holm", "p_holm", report.p_text),
    ]
    return Table(
        frame=frame,
        index=_pair_columns(report),
        columns=[Across("source", f"{line.title}\t{{}}".format, [line]) for line in lines],
        caption=(
            "Wilcoxon's signed-rank tests of each CAPO against what it adapts and against the "
            f"rivals: over {n_tasks[OURS]} tasks here and up to {n_tasks[PUBLISHED]} that "
            "the paper prints."
        ),
        notes=_notes(report),
    )


def table_tests_by_measure(report: Report) -> Table:
    """The same for each measure by itself, over data sets."""
    frame = _tests(report, report.measures)
    frame["_heading"] = [
        f"{source.capitalize()}\t{measure_name(measure)}"
        for source, measure in zip(frame["source"], frame["measure"], strict=True)
    ]

    def text(wins: int, losses: int, ties: int, p: float) -> str:
        signs = win_counts(wins, losses, ties)
        return signs if signs == UNAVAILABLE else f"{signs}, {report.p_text(p)}"

    return Table(
        frame=frame,
        index=_pair_columns(report),
        columns=[Across("_heading", str, [Column("", (*COUNTS, "p_value"), text)])],
        caption=(
            "Wins/losses/ties over the data sets and the p-value of Wilcoxon's signed-rank test, "
            "for each measure by itself."
        ),
        notes=[UNADJUSTED, *_notes(report)],
    )


def _tests(report: Report, measures: Sequence[str]) -> pd.DataFrame:
    """Return the tests of our values and of the published ones, for each measure or `ALL`."""
    added = [Pair(STAR, method) for method in report.methods(())]
    pairs = [*TESTED_PAIRS, *added, DELTA_FUNCTION]
    sources = {OURS: adapted_values(report.of_the_paper), PUBLISHED: published_values(report)}
    parts = {}
    for (source, values), measure in product(sources.items(), measures):
        chosen = values.index.isin(MEASURES if measure == ALL else [measure], level="measure")
        parts[source, measure] = report.compare_pairs(values[chosen], pairs)
    tests = pd.concat(parts, names=["source", "measure"])
    return tests.reset_index(["source", "measure"]).reset_index(drop=True)


def _pair_columns(report: Report) -> list[Column]:
    return [
        Column("CAPO", "proposed", report.method_label),
        Column("against", "baseline", report.method_label),
    ]


def _notes(report: Report) -> list[str]:
    significance = report.configuration["significance"]
    return [
        "Two-tailed; zero differences: "
        f"{significance['zero_method']!r}; {star_note(significance['stars'])}. Holm's correction "
        "is over all rows of one source (and measure). Cells that the paper marks N/A are left "
        "out of its tests, so that these rest on fewer tasks. The auxiliaries' PRBEP and ROC area "
        "are of their real-valued outputs. The last row is of Table 5: the "
        f"{report.method_label(ENSEMBLE).partition(',')[0].lower()} has no delta function.",
        DEPENDENT,
        *report.not_selected(),
        *report.data_set_notes(report.of_the_paper.data_sets),
    ]
