"""Tables 1 and 2, and over all data sets: signed-rank tests, average ranks, and the two papers."""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd
import scipy

from beyond_accuracy_pipeline.papers.deng2006.names import (
    AVERAGE_COST,
    BASELINE,
    CALIBRATED_COST,
    DESCENT,
    ERROR_RATE,
    EXPECTED_COST,
    GENETIC,
    GREEDY,
    LEVEL,
    MEASURES,
    METHOD_NOTE,
    METHODS,
    PAPER_COLUMNS,
    SIX,
    SOPHISTICATED,
    compared_measures,
    measured_value,
)
from beyond_accuracy_pipeline.papers.deng2006.values import (
    Tally,
    Values,
    best_greedy,
    group_ranks,
    ranks,
    tally,
)
from beyond_accuracy_pipeline.reporting.formats import count, decimals, p_value, slashed, star_note
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.statistics import (
    DECIMALS,
    ZeroMethod,
    count_signs,
    holm,
    signed_rank_test,
)
from beyond_accuracy_pipeline.reporting.tables import Across, Column, Table, with_derived

WORSE_MARK = "*"
LOWER, HIGHER = "lower", "higher"
FOOT = {
    "Wins/losses": ("wins", "losses"),
    "Significant": ("significant_wins", "significant_losses"),
    "Significant, corrected test": ("corrected_wins", "corrected_losses"),
}
COLUMNS = (
    *("data_set", "n_classes", "method", "value", "status", "reason"),
    *("difference", "p_value", "p_value_corrected", "published", "_significant"),
)


def table1(report: Report) -> Table:
    """Error rates in percent."""
    return _table(report, "table1", ERROR_RATE, "Table 1. Error rate in percent: averages of")


def table2(report: Report) -> Table:
    """Average costs of a test example."""
    n_costs = report.configuration["cost_matrices"]["number"]
    title = "Table 2. Average cost of a test example: averages over"
    return _table(report, "table2", AVERAGE_COST, f"{title} {n_costs} random cost matrices and")


def _table(report: Report, name: str, measure: str, caption: str) -> Table:
    own = [*PAPER_COLUMNS, DESCENT]
    if measure == AVERAGE_COST:
        own += [EXPECTED_COST[BASELINE], CALIBRATED_COST]
    values = report.once(Values, measure)
    methods = values.methods(own)
    published = report.published_values(name, "data_set", "method")
    sizes = report.data_set_sizes(["n_classes"])
    rows = []
    for data_set, n_classes in zip(sizes["data_set"], sizes["n_classes"], strict=True):
        for method in methods:
            cell = values.cell(data_set, method)
            plain, corrected = values.tests(data_set, method)
            rows.append(
                (
                    *(data_set, n_classes, method, cell.mean, cell.status, cell.reason),
                    *(plain.difference, plain.p_value, corrected.p_value),
                    published.get((data_set, method)),
                    LOWER if plain.is_win else HIGHER if plain.is_loss else "",
                )
            )
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    frame = frame.astype({"n_classes": "Int64", "value": "float64"})
    frame["_status"] = frame["status"].replace("missing", "unavailable")
    problems = [
        f"{report.method_label(row.method)} on {row.data_set}, {row.status}: {row.reason}"
        for row in frame.itertuples()
        if row.status in ("timeout", "failed")
    ]
    tallies = {method: tally(values, method) for method in methods if method != BASELINE}
    derived = {"_worse": lambda row: row["_significant"] == HIGHER}
    among = {"_lowest": is_lowest}
    looks = {"marks": {"_worse": WORSE_MARK}, "bold": "_significant", "underline": "_lowest"}
    cell = Column("", "value", partial(measured_value, measure=measure), status="_status", **looks)
    return Table(
        frame=with_derived(frame, derived).assign(**among),
        derived=derived,
        among=among,
        index=[report.data_set_column("")],
        columns=[Column("m", "n_classes", count), Across("method", report.method_label, [cell])],
        caption=(
            f"{caption} {report.configuration['cross_validation']['n_folds']}-fold "
            "cross-validation. m: number of classes. Foot: against NB, over the data sets."
        ),
        notes=[METHOD_NOTE, *_notes(report, measure, published.empty), *problems],
        foot={
            title: {
                report.method_label(method): slashed(*(getattr(counts, name) for name in names))
                for method, counts in tallies.items()
            }
            for title, names in FOOT.items()
            if tallies
        },
    )


def is_lowest(frame: pd.DataFrame) -> pd.Series:
    """Where a value is the lowest that is shown in its row among the paper's own columns."""
    shown = frame["method"].isin(PAPER_COLUMNS) & (frame["_status"] == "ok")
    comparable = frame["value"].where(shown)
    lowest = comparable.groupby(frame["data_set"]).transform("min")
    return (comparable - lowest).round(DECIMALS) == 0


def _notes(report: Report, measure: str, nothing_published: bool) -> Iterator[str]:
    n_folds = report.configuration["cross_validation"]["n_folds"]
    pairs, folds = f"{n_folds} pairs of one fold", f"{n_folds} folds"
    if measure == AVERAGE_COST:
        n_pairs = n_folds * report.configuration["cost_matrices"]["number"]
        pairs = f"{n_pairs} pairs of one fold and cost matrix"
        folds += ", cost matrices averaged before"
    yield (
        "As in the paper, bold is a significant difference to NB (two-sided paired Student t at "
        f"{LEVEL:.0%} over {pairs} each; {WORSE_MARK}: higher), and underlined the lowest "
        "number of the row, as shown, among the paper's own columns."
    )
    yield (
        f"Corrected test: the corrected resampled t-test (Nadeau and Bengio), over {folds}; the "
        "plain one takes overlapping training parts for independent."
    )
    if measure == AVERAGE_COST:
        yield (
            "NB predicts the most probable class, whatever the costs; NB, least expected cost "
            "(beyond the paper) weighs its probabilities with them, without any re-weighting; "
            "calibrated, after a sigmoid fitted in an inner cross-validation."
        )
    if nothing_published:
        yield "The paper's own numbers are not at hand: published values are empty."


def table_wilcoxon(report: Report) -> Table:
    """Wilcoxon's signed-rank test over data sets, for each pair of methods."""
    significance = report.configuration["significance"]
    levels, zero_method = significance["stars"], significance["zero_method"]
    rows = []
    measures = compared_measures(report)
    for measure in measures:
        values = report.once(Values, measure)
        for pair in combinations(values.methods((BASELINE, *SIX)), 2):
            means = values.means(pair)
            first, second = (means[method] for method in pair)
            p = signed_rank_test(first, second, zero_method=zero_method).p_value
            rows.append((measure, *pair, len(means), *count_signs(second, first), p))
    counted = ["first_lower", "second_lower", "equal"]
    columns = ["measure", "first", "second", "n_data_sets", *counted, "p_value"]
    frame = pd.DataFrame(rows, columns=columns)
    frame["p_value_holm"] = frame.groupby("measure")["p_value"].transform(holm)
    lines = [
        Column("First lower : second lower : equal", tuple(counted), "{:g} : {:g} : {:g}".format),
        Column("p", "p_value", p_value(levels)),
        Column("p, Holm", "p_value_holm", p_value(levels)),
    ]

    def compared(*pair: str) -> str:
        return " : ".join(map(report.method_label, pair))

    return Table(
        frame=frame,
        index=[Column("Methods", ("first", "second"), compared)],
        columns=[Across("measure", measures.get, lines, beside=True)],
        caption=(
            "Pairs of methods over the data sets: on how many the first, the second, or neither "
            "has the lower average, and Wilcoxon's two-tailed signed-rank test."
        ),
        notes=[
            f"{star_note(levels)}. Holm's correction is over the pairs of one measure; zero "
            f"differences: {zero_method!r}.",
            METHOD_NOTE,
            *report.data_set_notes(report.data_sets),
        ],
    )


def table_ranks(report: Report) -> Table:
    """Average ranks over the data sets, and what each method wins against naive Bayes."""
    rows, tests, partly_fitted = [], [], set()
    measures = compared_measures(report)
    for measure, label in measures.items():
        values = report.once(Values, measure)
        # Ranks are over the data sets that all methods share: few would be left by a partial one.
        methods = values.methods((BASELINE, *SIX))
        partly_fitted |= {
            m for m in methods if m not in METHODS and not values.is_fitted_everywhere(m)
        }
        methods = [method for method in methods if method not in partly_fitted]
        means = values.means(methods)
        ranked = ranks(means)
        average = ranked.mean()
        if len(means) > 1 and len(methods) > 2 and ranked.nunique(axis=1).max() > 1:
            samples = (means[method].round(DECIMALS) for method in methods)
            p = scipy.stats.friedmanchisquare(*samples).pvalue
            tests.append(f"{label.lower()} p = {p:.2g}")
        rows += [
            (measure, method, len(means), average[method], *tally(values, method))
            for method in methods
        ]
    columns = ["measure", "method", "n_data_sets", "average_rank", *Tally._fields]

    def against(method: str, wins: float, losses: float) -> str:
        return "" if method == BASELINE else slashed(wins, losses)

    lines = [
        Column("Average rank", "average_rank", decimals(2)),
        Column("Significant", ("method", "significant_wins", "significant_losses"), against),
        Column("Corrected", ("method", "corrected_wins", "corrected_losses"), against),
    ]
    return Table(
        frame=pd.DataFrame(rows, columns=columns),
        index=[Column("Method", "method", report.method_label)],
        columns=[Across("measure", measures.get, lines, beside=True)],
        caption=(
            "Average ranks over the data sets (1: lowest), and significant wins/losses against NB "
            "by Student's and by the corrected t-test."
        ),
        notes=[
            f"Friedman's test that all methods are alike: {', '.join(tests) or 'no data'}.",
            METHOD_NOTE,
            *(
                f"Without rank, since for some data sets only: {name}."
                for name in sorted(partly_fitted)
            ),
            *report.data_set_notes(report.data_sets),
        ],
    )


def table_two_papers(report: Report) -> Table:
    """Greedy methods against the sophisticated ones and against the GA, by data set and overall."""
    rows, answers = [], []
    zero_method = report.configuration["significance"]["zero_method"]
    for measure, label in MEASURES.items():
        values = report.once(Values, measure)
        means = values.means(SIX)
        ranked = ranks(means)
        answers.append(overall_answer(label, means, zero_method))
        rows += [
            (name, measure, *_two_papers(values, name, ranked.loc[name]), "ok")
            if name in ranked.index
            else (name, measure, *[None] * 9, "unavailable")
            for name in report.data_sets
        ]
    columns = [
        *("data_set", "measure", "rank_greedy", "rank_sophisticated", "groups", "best_greedy"),
        *("best_greedy_minus_genetic", "p_value", "p_value_corrected"),
        *("_side", "_best", "_status"),
    ]
    frame = pd.DataFrame(rows, columns=columns)
    title, both = "Rank, greedy : sophisticated", ("rank_greedy", "rank_sophisticated")
    lines = [
        Column(title, both, "{:.2f} : {:.2f}".format, status="_status"),
        Column("Lower", "groups", status="_status"),
        Column("Best greedy or GA", "_best", status="_status"),
    ]
    return Table(
        frame=frame,
        index=[report.data_set_column("")],
        columns=[Across("measure", MEASURES.get, lines, beside=True)],
        caption=(
            "Which of the two papers is right, by data set: average ranks (1 to 6) of the greedy "
            f"methods ({_names(GREEDY)}) and of the sophisticated ones ({_names(SOPHISTICATED)}), "
            "and the lower of the best greedy method and the GA."
        ),
        notes=[
            *answers,
            *_summaries(frame),
            "p: Wilcoxon's two-tailed signed-rank test over data sets, which speak for a paper "
            "only if it is below 5 %. The first paper found the GA best, the later one that greedy "
            "methods beat sophisticated ones.",
            "* significantly lower by Student's t (5 %), ** by the corrected test too. The best "
            "greedy method is picked on the test folds: the comparison favours it.",
        ],
    )


def _two_papers(values: Values, data_set: str, ranked: pd.Series) -> tuple:
    """Compare both groups, and the best greedy method with the GA, on one data set."""
    greedy, other = (float(ranked[list(group)].mean()) for group in (GREEDY, SOPHISTICATED))
    best = min(GREEDY, key=ranked.get)
    plain, corrected = values.tests(data_set, best, GENETIC)
    mark = ""
    if plain.p_value < LEVEL:
        mark = "**" if corrected.p_value < LEVEL else "*"
    return (
        *(greedy, other, _lower(greedy - other, "greedy", "sophisticated"), best),
        *(plain.difference, plain.p_value, corrected.p_value),
        _lower(plain.difference, "greedy", METHODS[GENETIC]),
        _lower(plain.difference, METHODS[best], METHODS[GENETIC]) + mark,
    )


def _summaries(frame: pd.DataFrame) -> Iterator[str]:
    """Count for each comparison the data sets on which either side has the lower value."""
    comparisons = {"groups": "groups by average rank", "_side": "best greedy method and GA"}
    for measure, rows in frame[frame["_status"] == "ok"].groupby("measure", sort=False):
        for column, comparison in comparisons.items():
            counts = sorted(Counter(rows[column]).items())
            listing = ", ".join(f"{side} {count}" for side, count in counts)
            title = f"{MEASURES[measure]}, {comparison}"
            yield f"{title}, number of data sets with the lower value: {listing}."


def _lower(difference: float, first: str, second: str) -> str:
    difference = np.round(difference, DECIMALS)
    return first if difference < 0 else second if difference > 0 else "equal"


def overall_answer(measure: str, means: pd.DataFrame, zero_method: ZeroMethod) -> str:
    """Which paper the means of SIX on all data sets speak for, by groups and by single methods."""
    if means.empty:
        return f"Overall, {measure.lower()}: no data set has values of all six methods."
    groups, (best, average) = group_ranks(means), best_greedy(means)
    of_groups = signed_rank_test(*groups, zero_method=zero_method).p_value
    of_methods = signed_rank_test(means[best], means[GENETIC], zero_method=zero_method).p_value
    greedy, other = groups[0].mean(), groups[1].mean()
    return (
        f"Overall, {measure.lower()}: the groups speak for {_paper(greedy - other, of_groups)} "
        f"(average rank of greedy {greedy:.2f}, of sophisticated methods {other:.2f}; "
        f"p = {of_groups:.2g}), the best greedy method and the GA for "
        f"{_paper(average[best] - average[GENETIC], of_methods)} (average rank of {METHODS[best]} "
        f"{average[best]:.2f}, of {METHODS[GENETIC]} {average[GENETIC]:.2f}; "
        f"p = {of_methods:.2g})."
    )


def _paper(difference: float, probability: float) -> str:
    difference = np.round(difference, DECIMALS)
    if difference == 0 or probability >= LEVEL:
        return "neither paper"
    return "the later paper" if difference < 0 else "the first paper"


def _names(methods: tuple[str, ...]) -> str:
    return ", ".join(METHODS[method] for method in methods)
