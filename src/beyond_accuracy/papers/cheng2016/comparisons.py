"""BM-ls-CS against every other method: F1 over the data sets, and iterations."""

import pandas as pd

from beyond_accuracy.papers.cheng2016.convergence import final_rows
from beyond_accuracy.papers.cheng2016.names import (
    COLLECTIONS,
    MEASURE,
    METHODS,
    PROPOSED,
    values_by_method,
)
from beyond_accuracy.reporting.comparison import Pair
from beyond_accuracy.reporting.formats import (
    UNAVAILABLE,
    count,
    decimals,
    p_value,
    percent_change,
    star_note,
    win_counts,
)
from beyond_accuracy.reporting.report import Report
from beyond_accuracy.reporting.statistics import count_signs, holm, signed_rank_test
from beyond_accuracy.reporting.tables import Across, Column, Table

COLUMNS = [
    *("method", "data_set", "difference", "difference_low", "difference_high"),
    *("p_value", "p_value_holm", "wins", "losses", "ties"),
]


def table_comparisons(report: Report) -> Table:
    """Differences of F1 with paired bootstrap intervals; Wilcoxon's test over the data sets."""
    significance = report.configuration["significance"]
    values = values_by_method(report)
    rows, tests = [], {}
    baselines = [method for method in values.columns if method != PROPOSED]
    for method in baselines if PROPOSED in values.columns else []:
        both = values.loc[values.index.isin(COLLECTIONS), [PROPOSED, method]].dropna()
        sides = (both[PROPOSED], both[method])
        tests[method] = signed_rank_test(*sides, zero_method=significance["zero_method"])
        counts = count_signs(*sides)._asdict()
        for data_set, difference in (values[PROPOSED] - values[method]).items():
            low, high = report.intervals.difference(data_set, MEASURE, Pair(PROPOSED, method))
            bounds = {"difference_low": low, "difference_high": high}
            row = {"method": method, "data_set": data_set, "difference": difference}
            rows.append(row | bounds | counts)
    frame = pd.DataFrame(rows, columns=COLUMNS)
    p_values = pd.Series({method: test.p_value for method, test in tests.items()}, dtype="float64")
    frame["p_value"] = frame["method"].map(p_values)
    frame["p_value_holm"] = frame["method"].map(pd.Series(holm(p_values), p_values.index))
    levels = significance["stars"]
    interval = ("difference_low", "difference_high")
    difference = Column("", "difference", percent_change, interval, signed_interval=True)
    return Table(
        frame=frame,
        index=[Column("Method", "method", report.method_label)],
        columns=[
            Across("data_set", report.label, [difference]),
            Column("Wins/losses/ties", ("wins", "losses", "ties"), win_counts),
            Column("Wilcoxon p", "p_value", p_value(levels)),
            Column("Wilcoxon p, Holm", "p_value_holm", p_value(levels)),
        ],
        caption=(
            f"F1 of {METHODS[PROPOSED]} less that of each other method, in percentage points, "
            "with paired bootstrap intervals; wins, losses and the signed-rank test over the "
            "paper's own data sets."
        ),
        notes=[
            "Two-tailed Wilcoxon signed-rank test over data sets, zero differences: "
            f"{significance['zero_method']!r}; {star_note(levels)}. Holm's "
            "correction is over the rows of this table.",
            _what_it_can_show(max((test.n_nonzero for test in tests.values()), default=0)),
            "A bootstrap interval is about the test examples of one data set: the fits are the "
            "same in all resamples, so that it says nothing of other training sets.",
        ],
    )


def _what_it_can_show(n_pairs: int) -> str:
    if n_pairs == 0:
        return "No two methods differ on any data set: the test has nothing to show."
    least = 2.0**-n_pairs * 2
    return (
        f"With at most {n_pairs} data sets on which two methods differ the test's p-value cannot "
        f"be below {min(least, 1.0):.4g}, reached when one method wins on all of them; six data "
        "sets allow 0.03125, which Holm's correction for several methods lifts above 0.05. The "
        "test can show no more than a method that wins everywhere."
    )


def table_iterations(report: Report) -> Table:
    """Iterations of BM-ls-CS and BM-nls-CS, their ratio, and LIBLINEAR's rounds, by C."""
    settings = report.configuration["studies"]["convergence"]
    methods = ["bm_ls_cs", "bm_nls_cs", "svm_cs"]
    index = pd.MultiIndex.from_product([report.data_sets, settings["C"]], names=["data_set", "C"])
    final = final_rows(report)
    counts, gaps, converged = (
        final[name].unstack("method").reindex(index=index, columns=methods)
        for name in ("iterations", "relative_gap", "converged")
    )
    frame = counts.astype("Int64")
    positive = frame.where(frame > 0)
    frame["ratio"] = (positive["bm_nls_cs"] / positive["bm_ls_cs"]).astype("float64")
    # Of a minimization that is not there, and of one that did not reach the gap.
    frame = frame.join(gaps.add_suffix("_relative_gap")).join(converged.add_prefix("_"))
    titles = ("BM-ls-CS", "BM-nls-CS", "LIBLINEAR's rounds")
    columns = [
        Column(title, (method, f"_{method}"), _iterations)
        for title, method in zip(titles, methods, strict=True)
    ]
    columns.insert(2, Column("BM-nls-CS / BM-ls-CS", "ratio", decimals(1)))
    return Table(
        frame=frame.reset_index(),
        index=[report.data_set_column(), Column("C", "C", "C = {:g}".format)],
        columns=columns,
        caption=(
            f"Iterations to a relative gap of {settings['tol']:g} of the same objective, with "
            f"the costs of the target t = {settings['t']:g} and mu = {settings['mu']:g}; C is "
            "LIBLINEAR's."
        ),
        notes=[
            "LIBLINEAR's rounds: the first of "
            f"{', '.join(map(str, settings['liblinear_rounds']))} after which its objective, "
            "recomputed, is within the gap of a certified lower bound.",
            "> : the gap was not reached.",
        ],
    )


def _iterations(iterations: int, converged: bool) -> str:
    if pd.isna(iterations):
        return UNAVAILABLE
    return count(iterations) if converged else f"> {count(iterations)}"
