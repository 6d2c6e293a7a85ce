"""Judge the claims of Cheng et al. (2016). The file paper.yaml describes each rule in words.

A rule takes the report and a table, and returns a verdict and the numbers behind it, or None if
there are too few results. BM-ls-CS is the proposed method: a bundle method with line search for a
cost-sensitive SVM. BM-nls-CS has no line search. SVM-CS is LIBLINEAR with the same costs.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

import pandas as pd

from beyond_accuracy_pipeline.reporting.comparison import Pair
from beyond_accuracy_pipeline.reporting.conclusion import listed
from beyond_accuracy_pipeline.reporting.formats import join_notes, percent
from beyond_accuracy_pipeline.reporting.judge import decisive_data_sets, with_data_notes
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.verdict import (
    Claims,
    Numbers,
    Ruling,
    Verdict,
    all_or_any,
    all_or_most,
    grade,
)

from .names import COLLECTIONS, MEASURE, METHODS, PAPER_METHODS, PROPOSED, SCALED, SVM_PERF
from .values import (
    ALGORITHM_1,
    final_rows,
    lowest_objectives,
    measured_seconds,
    minimizations,
    published_f1,
    seconds_by_method,
    seconds_of_algorithm_1,
    suboptimality,
    values_by_method,
)

SVM_CS, LR_F, WITHOUT = "svm_cs", "lr_f", "bm_nls_cs"
NEWS20, SATIMAGE = "news20", "satimage"
TEN_TIMES = 10.0
MOST_ITERATIONS = 0.9
# "Often" means in a quarter of the iterations, "much" means by a tenth of the suboptimality.
OFTEN, MUCH = 0.25, 0.1
# The smallest factor that rounds to two orders of magnitude, which the text calls "several".
SEVERAL_ORDERS = 10.0**1.5

WITHOUT_THE_PROGRAM = (
    "Not testable without the program: the seconds here are of Algorithm 1 in this package, whose "
    "search for the most violated labelling takes O(n) expected time. The program enumerates all "
    "contingency tables."
)

CLAIMS = Claims()


def _values(report: Report, methods: Sequence[str] = tuple(PAPER_METHODS)) -> pd.DataFrame:
    return _of_the_paper(values_by_method(report), methods)


def _seconds(report: Report, methods: Sequence[str] = tuple(PAPER_METHODS)) -> pd.DataFrame:
    """Return training seconds by data set and method, where no method lacks its seconds or F1."""
    seconds = _of_the_paper(seconds_by_method(report)["fit"].unstack("method"), methods)
    return seconds.reindex(index=_values(report, methods).index).dropna()


def _of_the_paper(values: pd.DataFrame, methods: Sequence[str]) -> pd.DataFrame:
    data_sets = [name for name in COLLECTIONS if name in values.index]
    return values.reindex(index=data_sets, columns=list(methods)).dropna()


def _curves(report: Report, method: str = PROPOSED) -> pd.DataFrame:
    """Return a method's objective by iteration, and the `suboptimality` of visited points."""
    curves = minimizations(report)
    curves = curves.assign(suboptimality=suboptimality(curves, "visited")).set_index("data_set")
    return curves[(curves["method"] == method) & curves.index.isin(COLLECTIONS)]


def learned_nothing(report: Report, methods: Collection[str]) -> str:
    """Return a sentence that names the data sets on which SVM-perf predicts no positives, or "".

    `methods` are the methods that a claim compares.
    """
    fits = report.results.fits
    degenerate = fits[(fits["method"] == SVM_PERF) & fits["degenerate"].eq(True)]
    names = [name for name in COLLECTIONS if name in set(degenerate["data_set"])]
    if not names or SVM_PERF not in methods:
        return ""
    return (
        f"On {', '.join(names)} w = 0 is the optimum of SVM-perf's objective: it predicts no "
        "positive."
    )


def _by_method(values: pd.DataFrame, quantity: str = "") -> Numbers:
    return {
        f"{data_set}, {METHODS[method]}{quantity}": float(value)
        for (data_set, method), value in values.stack().items()
    }


def _judge(
    rule: Callable[[Report, pd.DataFrame], Ruling],
    frame_of: Callable[[Report], pd.DataFrame],
    test: str,
    report: Report,
    remark: Callable[[Report], str] = lambda report: "",
    data_sets: Sequence[str] = COLLECTIONS,
) -> Verdict:
    """Judge a claim by a rule on a table, whose index contains the data set.

    The note has `remark(report)`, and names missing data sets, substitutes, and data sets without
    which the verdict changes.
    """
    frame = frame_of(report)
    used = frame.index.get_level_values("data_set")
    ruling = None if frame.empty else rule(report, frame)
    if ruling is None:
        absent = [name for name in data_sets if name not in used]
        return Verdict("not testable", note=report.reasons(absent, PAPER_METHODS))
    decisive = decisive_data_sets(
        list(used.unique()), ruling[0], lambda name: rule(report, frame[used != name])
    )
    verdict = Verdict(*ruling, test, join_notes([remark(report), decisive]))
    return with_data_notes(verdict, report, data_sets, used, PAPER_METHODS)


@CLAIMS.add(_judge, _values, "largest F1 on each data set")
def no_method_wins_everywhere(report: Report, values: pd.DataFrame) -> Ruling:
    if len(values) < 2:
        return None
    largest = values.eq(values.max(axis=1), axis=0)
    best = {
        f"{data_set}: best": ", ".join(METHODS[method] for method in row.index[row])
        for data_set, row in largest.iterrows()
    }
    return grade(not largest.all().any(), (largest.sum(axis=1) > 1).any()), best


SECONDS_TEST = "median processor seconds of training at the chosen parameters"


@CLAIMS.add(_judge, _seconds, SECONDS_TEST)
def faster_than_bm_nls_cs_and_lr_f(report: Report, seconds: pd.DataFrame) -> Ruling:
    seconds = seconds[[LR_F, WITHOUT, PROPOSED]]
    faster = seconds.drop(columns=PROPOSED).gt(seconds[PROPOSED], axis=0).to_numpy().ravel()
    numbers = {"faster": int(faster.sum()), **_by_method(seconds, ": seconds")}
    return all_or_most(faster), numbers


@CLAIMS.add(_judge, _seconds, SECONDS_TEST)
def slower_than_svm_cs_on_news20_alone(report: Report, seconds: pd.DataFrame) -> Ruling:
    if NEWS20 not in seconds.index:
        return None
    slower = seconds[PROPOSED] > seconds[SVM_CS]
    as_claimed = slower == (seconds.index == NEWS20)
    return all_or_most(as_claimed), _by_method(seconds[[SVM_CS, PROPOSED]], ": seconds")


def _distance_from_printed_f1(report: Report) -> str:
    ours, texts = values_by_method(report).loc[NEWS20], []
    for method, printed in published_f1(report)[NEWS20].items():
        low, high = report.intervals(NEWS20, MEASURE, method)
        side = "inside" if low <= printed <= high else "outside"
        texts.append(
            f"the printed {percent(printed)} of {METHODS[method]} is "
            f"{percent(abs(printed - ours[method]))} points from ours, {side} our interval"
        )
    return join_notes([*texts, SCALED])


@CLAIMS.add(
    _judge,
    partial(_values, methods=(SVM_CS, PROPOSED)),
    "F1 and its paired bootstrap interval",
    remark=_distance_from_printed_f1,
    data_sets=(NEWS20,),
)
def news20_f1(report: Report, values: pd.DataFrame) -> Ruling:
    if NEWS20 not in values.index:
        return None
    pair = Pair(PROPOSED, SVM_CS)
    printed = published_f1(report)[NEWS20]
    enough = 0.5 * (printed[PROPOSED] - printed[SVM_CS])
    difference = float(values.at[NEWS20, PROPOSED] - values.at[NEWS20, SVM_CS])
    low, high = report.intervals.difference(NEWS20, MEASURE, pair)
    numbers = _by_method(values.loc[[NEWS20], list(pair.methods)])
    numbers |= {"difference": difference, "interval from": low, "interval to": high}
    ends = lowest_objectives(report)
    if NEWS20 in ends.index.get_level_values("data_set"):
        ours, theirs = (ends.loc[NEWS20, method] for method in pair.methods)
        for case, relative in (ours / theirs - 1).dropna().items():
            numbers[f"objective of BM-ls-CS over that of SVM-CS, less 1, {case}"] = relative
    return grade(difference >= enough, low > 0), numbers


@CLAIMS.add(
    _judge, partial(_seconds, methods=(SVM_CS, PROPOSED)), SECONDS_TEST, data_sets=(NEWS20,)
)
def news20_seconds(report: Report, seconds: pd.DataFrame) -> Ruling:
    if NEWS20 not in seconds.index:
        return None
    ratio = float(seconds.at[NEWS20, PROPOSED] / seconds.at[NEWS20, SVM_CS])
    numbers = _by_method(seconds.loc[[NEWS20], [SVM_CS, PROPOSED]], ": seconds")
    return grade(ratio >= SEVERAL_ORDERS, ratio >= TEN_TIMES), numbers | {"ratio": ratio}


@CLAIMS.add(
    _judge,
    _curves,
    "change of the primal of the best point in every iteration of the convergence runs",
)
def primal_decreases_strictly(report: Report, curves: pd.DataFrame) -> Ruling:
    steps = curves.groupby(["data_set", "task", "case"], sort=False)["primal"].diff().dropna()
    numbers = {
        "iterations": len(steps),
        "decreasing": int((steps < 0).sum()),
        "without change": int((steps == 0).sum()),
        "increasing": int((steps > 0).sum()),
    }
    share = float((steps < 0).mean())
    return grade(share == 1, share >= MOST_ITERATIONS and not numbers["increasing"]), numbers


@CLAIMS.add(
    _judge,
    partial(_curves, method=WITHOUT),
    "change of the suboptimality at the point visited, from one iteration to the next",
)
def primal_fluctuates_without_line_search(report: Report, curves: pd.DataFrame) -> Ruling:
    rows = curves.reset_index()
    change = rows.groupby(["data_set", "task", "case"], sort=False)["suboptimality"].pct_change()
    rows = rows.assign(change=change, rises=change > 0, much=change >= MUCH)
    rows = rows.dropna(subset="change")
    shares = rows.groupby(["data_set", "case"], sort=False)[["much", "rises"]].mean()
    numbers: Numbers = {}
    for (data_set, case), share in shares.iterrows():
        numbers[f"{data_set}, {case}: share that rise by 10 %"] = float(share["much"])
        numbers[f"{data_set}, {case}: share that rise"] = float(share["rises"])
    if rows["rises"].any():
        numbers["median rise"] = float(rows.loc[rows["rises"], "change"].median())
    return all_or_most(list(shares["much"] >= OFTEN)), numbers


@CLAIMS.add(
    _judge, final_rows, "iterations of BM-nls-CS over those of BM-ls-CS, same objective and gap"
)
def more_than_ten_times_fewer_iterations(report: Report, ends: pd.DataFrame) -> Ruling:
    proposed, without = (ends.xs(method, level="method") for method in (PROPOSED, WITHOUT))
    proposed = proposed[proposed["converged"]]
    both = proposed.join(without, how="inner", rsuffix="_without")
    if both.empty:
        return None
    ratios = both["iterations_without"] / both["iterations"].clip(lower=1)
    numbers = {
        f"{data_set}, {case}: iterations of BM-nls-CS over those of BM-ls-CS": ratio
        for (data_set, case), ratio in ratios.items()
    }
    return all_or_most(ratios > TEN_TIMES), numbers


def _list_seconds_of_svm_perf(method: str, report: Report) -> Verdict:
    """Return "not testable" for a claim on the times of the program SVM-perf, with ratios of times.

    The ratios are of Algorithm 1 in this package and, where measured, of the program, to `method`.
    """
    seconds = seconds_by_method(report)["fit"].unstack("method")
    ours = seconds[method].dropna() if method in seconds else pd.Series(dtype=float)
    algorithm_1 = seconds_of_algorithm_1(report)
    numbers: Numbers = {}
    for name, ratio in (algorithm_1["seconds"] / ours).dropna().items():
        numbers[f"{name}: Algorithm 1 here over {METHODS[method]}"] = float(ratio)
    notes = [WITHOUT_THE_PROGRAM]
    if algorithm_1.empty:
        notes.append(f"The reading {ALGORITHM_1} is not run.")
    for name, row in measured_seconds(report).iterrows():
        numbers[f"{name}: seconds of the program"] = row["cpu_seconds"]
        per_iteration = f"{name}: seconds per iteration"
        numbers[f"{per_iteration}, the program"] = row["cpu_seconds"] / row["iterations"]
        if name in algorithm_1.index:
            here = algorithm_1.loc[name]
            numbers[f"{per_iteration}, Algorithm 1 here"] = here["seconds"] / here["n_iter"]
        if name in ours.index:
            numbers[f"{name}: the program over {METHODS[method]}"] = row["cpu_seconds"] / ours[name]
        notes.append(
            f"The program's seconds on {name} were measured at C = {row['C_liblinear']:g} "
            f"({row['source']})."
        )
    notes.append(report.substitutes([name for name in COLLECTIONS if name in ours.index]))
    return Verdict("not testable", numbers, "seconds of training", join_notes(notes))


CLAIMS.update(
    faster_than_svm_perf=partial(_list_seconds_of_svm_perf, PROPOSED),
    bm_nls_cs_is_faster_than_svm_perf=partial(_list_seconds_of_svm_perf, WITHOUT),
    speed_ups_of_hundreds=partial(_list_seconds_of_svm_perf, PROPOSED),
)


@CLAIMS.add(_judge, _values, "F1 on both data sets", data_sets=(SATIMAGE, NEWS20))
def lr_f_best_on_satimage_and_almost_worst_on_news20(
    report: Report, values: pd.DataFrame
) -> Ruling:
    if not {SATIMAGE, NEWS20} <= set(values.index):
        return None
    best = values.at[SATIMAGE, "lr_f"] >= values.loc[SATIMAGE].max()
    others = values.loc[NEWS20].drop("lr_f")
    almost = (others > values.at[NEWS20, "lr_f"]).sum() >= len(others) - 1
    return all_or_any([best, almost]), _by_method(values.loc[[SATIMAGE, NEWS20]])


def finding(numbers: Mapping[str, Numbers]) -> str:
    """Return the main result as a sentence; `numbers` maps ids of claims to {name: number}."""
    differences = numbers["better-or-comparable-to-bm-nls-cs-and-lr-f"]
    pairs = [
        name for name in differences if not name.endswith((": interval from", ": interval to"))
    ]
    good = sum(max(differences[name], differences[f"{name}: interval to"]) >= 0 for name in pairs)
    seconds = numbers["faster-than-bm-nls-cs-and-lr-f"]
    without, lr_f = (_slower(seconds, METHODS[name]) for name in (WITHOUT, LR_F))
    n_sets = sum(name.endswith(f"{METHODS[PROPOSED]}: seconds") for name in seconds)
    return (
        f"Its F1 is not significantly lower in {good} of {len(pairs)} comparisons with BM-nls-CS "
        f"and LR-F. Its training is faster than BM-nls-CS on {len(without)} of {n_sets} data sets, "
        f"than LR-F on {len(lr_f)}{f' ({listed(lr_f)})' if lr_f else ''}."
    )


def _slower(seconds: Numbers, method: str) -> list[str]:
    """Return on which data sets a method takes more seconds than BM-ls-CS: "a3a by 1 %"."""
    texts = []
    for name in COLLECTIONS:
        theirs = seconds.get(f"{name}, {method}: seconds")
        ours = seconds.get(f"{name}, {METHODS[PROPOSED]}: seconds")
        if theirs and ours and theirs > ours:
            texts.append(f"{name} by {100 * (theirs / ours - 1):.0f} %")
    return texts
