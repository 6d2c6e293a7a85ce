"""Judge the claims of Dembczyński et al. (2011). The file paper.yaml describes each rule in words.

GFM (general F-measure maximizer) maximizes the expected F-measure exactly, and GFM-T among
thresholds on each label's probability. MEUF (maximum expected F under independent labels) maximizes
it as if labels were independent. A row of Table 1 is a pair (model, inference method). Tailored
methods are GFM and MEUF; the baseline has the threshold ½.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd

from beyond_accuracy_pipeline.reporting.formats import join_notes, percent
from beyond_accuracy_pipeline.reporting.published import PRINTED
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.statistics import signed_rank_test
from beyond_accuracy_pipeline.reporting.verdict import Claims, Numbers, Verdict, all_or_most, grade
from beyond_accuracy_pipeline.results.variants import Variant, reading_states

from .names import (
    BR,
    F_MEASURE,
    FAMILY,
    HAMMING_LOSS,
    MODELS,
    PCC,
    ROWS,
    TAILORED,
    THRESHOLD,
    Row,
    row_label,
)
from .values import (
    ROW,
    compare_rows,
    largest_known_regret_of_meuf,
    largest_known_regret_of_thresholds,
    measured_rows,
    simulation,
)

ALPHA = 0.05
SAME = 0.01
# Half of `SAME`, because the methods differ less in Figure 1 than on the data sets.
SAME_IN_SIMULATIONS = 0.005
DRASTICALLY, TWICE = 10.0, 2.0
ARBITRARILY_CLOSE = 0.99
ROUNDING = 1e-6
# Printed in Table 1, whose caption says that several days are not a reasonable time.
EXAMPLES_OF_MEDIAMILL = 12_914
SECONDS_OF_A_DAY = 24 * 3600

CODINGS = {
    "zero_one": "labels in {0, 1}",
    "plus_minus_one": "labels in {−1, 1}",
    "plus_minus_one_shifted": "−i/2, labels in {−1, 1}",
}
DISTRIBUTIONS = {"independent": "independent labels"} | CODINGS
# The first is the paper's.
MEUFS = {
    "meuf_jansche": "MEUF of Jansche",
    "meuf": "MEUF of Ye et al.",
    "meuf_approx": "MEUF approx",
}

IN_FIGURE = "The seconds are drawn in figure1_right."
DIFFERENCES = "differences of F-measures"
OVER_EXAMPLES = "two-tailed Wilcoxon signed-rank test over test examples"
OVER_TRIALS = "two-tailed Wilcoxon signed-rank test over trials"
NOT_JANSCHE = (
    "MEUF approx is listed but does not count. No description of Jansche's approximation was "
    "available, and ours loses at most 0.002 of the expected F of MEUF by construction."
)

LATER_ALGORITHM = (
    " The quadratic algorithm of Ye et al. (2012), a year younger than the paper, is drawn "
    "beside it."
)
NOT_THE_TIMED_ONE = (
    " The paper timed Jansche's approximation, of which no description was available. The "
    "approximation here leaves improbable counts out of Chai's algorithm (2005), and its "
    "seconds say nothing about Jansche's."
)

GFM: Row = (PCC, "gfm")
GFM_T: Row = (PCC, "gfm_threshold")
MEUF: Row = (PCC, "meuf")
# The paper has no values for mediamill, because these methods did not finish.
EXACT_MEUF: tuple[Row, ...] = (MEUF, (BR, "meuf"))

CLAIMS = Claims()
Rows = Mapping[str, Mapping[Row, float]]
"""Values of one measure by data set and row of Table 1."""


def _judge_on_table1(
    rule: Callable[[Report, Rows], Verdict],
    measure: str,
    report: Report,
    *,
    may_be_missing: tuple[Row, ...] = EXACT_MEUF,
) -> Verdict:
    """Judge a claim by a rule on the values of one measure in Table 1.

    A data set without all values is left out, unless only rows in `may_be_missing` lack one.
    """
    rows, notes = report.once(_rows, measure, may_be_missing)
    note = join_notes([*notes, report.substitutes(list(rows))])
    verdict = rule(report, rows) if rows else Verdict("not testable")
    return replace(verdict, note=note)


def _rows(report: Report, measure: str, may_be_missing: tuple[Row, ...]) -> tuple[Rows, list[str]]:
    rows, notes = {}, []
    frame = measured_rows(report, ROWS, [measure]).set_index(["model", "inference"])
    for data_set, values in frame.groupby("data_set", sort=False)[measure]:
        missing = values.index[values.isna()]
        if len(missing):
            notes.append(report.reasons([data_set], missing[0][:1]))
        if set(missing) <= set(may_be_missing):
            rows[data_set] = values.dropna().to_dict()
    return rows, notes


def _label(data_set: str, first: Row, second: Row) -> str:
    return f"{data_set}: {row_label(*first)} − {row_label(*second)}"


@CLAIMS.add(_judge_on_table1, F_MEASURE)
def approximate_variants_perform_like_exact_ones(report: Report, rows: Rows) -> Verdict:
    pairs = ((GFM_T, GFM), *(((model, "meuf_approx"), (model, "meuf")) for model in (PCC, BR)))
    numbers: Numbers = {
        _label(data_set, first, second): values[first] - values[second]
        for data_set, values in rows.items()
        for first, second in pairs
        if second in values
    }
    alike = [abs(numbers[_label(data_set, GFM_T, GFM)]) <= SAME for data_set in rows]
    return Verdict(grade(all(alike), sum(alike) >= 0.75 * len(alike)), numbers, DIFFERENCES)


@CLAIMS.add(_judge_on_table1, F_MEASURE)
def worst_cases_do_not_apply(report: Report, rows: Rows) -> Verdict:
    sizes = _printed_n_labels(report)
    numbers, shares = {}, []
    for data_set, values in rows.items():
        largest = {
            _meuf_of(values): largest_known_regret_of_meuf(sizes[data_set]),
            GFM_T: largest_known_regret_of_thresholds(sizes[data_set]),
        }
        for row, regret in largest.items():
            # For few labels, the largest known regret of thresholds is 0.
            if regret > 0:
                lost = values[GFM] - values[row]
                numbers[_label(data_set, GFM, row)] = lost
                numbers[f"{data_set}: largest known regret of {row_label(*row)}"] = regret
                shares.append(abs(lost) / regret)
    verdict = grade(max(shares) < 1 / DRASTICALLY, max(shares) < 1 / TWICE)
    return Verdict(verdict, numbers, DIFFERENCES)


@CLAIMS.add(_judge_on_table1, F_MEASURE)
def number_of_parameters_plays_no_role(report: Report, rows: Rows) -> Verdict:
    sizes = _printed_n_labels(report)
    exact = {row: (row[0], f"{row[1]}_exact") for row in (GFM, MEUF)}
    measured = measured_rows(report, [*exact, *exact.values()], [F_MEASURE]).set_index(ROW)
    numbers: Numbers = {}
    holds = []
    for data_set, values in rows.items():
        m, rival = sizes[data_set], _meuf_of(values)
        change = values[GFM] - values[rival]
        numbers[f"{data_set}: parameters of GFM"] = m * m + 1
        numbers[f"{data_set}: parameters of MEUF"] = m
        numbers[_label(data_set, GFM, rival)] = change
        for row, without_samples in exact.items():
            every = measured.at[(data_set, *without_samples), F_MEASURE]
            if not np.isnan(every):
                lost = every - measured.at[(data_set, *row), F_MEASURE]
                numbers[f"{data_set}: {row_label(*row)}: lost by sampling"] = lost
        holds.append(change >= -SAME and values[rival] > values[PCC, THRESHOLD])
    return Verdict(grade(all(holds), sum(holds) >= 0.75 * len(holds)), numbers, DIFFERENCES)


def _printed_n_labels(report: Report) -> Mapping[str, int]:
    sizes = report.published_values("data_sets", "data_set", "quantity")
    return sizes.xs("n_classes", level=1).astype(int).to_dict()


def _meuf_of(values: Mapping[Row, float]) -> Row:
    """Return the row of PCC with exact MEUF or, if it has no value, with approximate MEUF."""
    return MEUF if MEUF in values else (PCC, "meuf_approx")


@CLAIMS.add(_judge_on_table1, F_MEASURE)
def tailored_methods_beat_thresholds(report: Report, rows: Rows) -> Verdict:
    numbers: Numbers = {}
    larger = []
    reading, whole = report.results.variant.reading, report.results.whole
    states = [report.under(Variant(reading, n)) for n in reading_states(whole, reading)]
    of_states = [state.once(_rows, F_MEASURE, EXACT_MEUF)[0] for state in states]
    for data_set, values in rows.items():
        for model, name in _tailored(values):
            difference = values[model, name] - values[model, THRESHOLD]
            numbers[f"{data_set}: {row_label(model, name)}: difference"] = difference
            larger.append(difference > 0)
        margins = [_lead(state[data_set]) for state in of_states if data_set in state]
        above = f"{sum(margin > 0 for margin in margins)} of {len(margins)}"
        numbers |= {
            f"{data_set}: least tailored − best H of both models": _lead(values),
            f"{data_set}: states in which that is above 0": above,
        }
    return Verdict(all_or_most(larger), numbers, DIFFERENCES)


def _tailored(values: Mapping[Row, float]) -> list[Row]:
    return [row for row in TAILORED if row in values]


def _lead(values: Mapping[Row, float]) -> float:
    """Return the smallest F-measure of GFM and MEUF minus the better model's with threshold ½."""
    thresholds = max(values[model, THRESHOLD] for model in (PCC, BR))
    return min(values[row] for row in _tailored(values)) - thresholds


@CLAIMS.add(_judge_on_table1, F_MEASURE, may_be_missing=())
def tailored_methods_beat_thresholds_significantly(report: Report, rows: Rows) -> Verdict:
    pairs = {"/".join(row): (row, (row[0], THRESHOLD)) for row in TAILORED}
    numbers = {}
    larger, significant = [], []
    for comparison in compare_rows(report, pairs.values(), list(rows)):
        row, _ = pairs[comparison.pair.proposed]
        label, p = f"{comparison.data_set}: {row_label(*row)}", comparison.test.p_value
        numbers |= {f"{label}: difference": comparison.difference, f"{label}: p": p}
        larger.append(comparison.difference > 0)
        significant.append(comparison.difference > 0 and p < ALPHA)
    partly = all(larger) or sum(significant) >= 0.75 * len(significant)
    return Verdict(grade(all(significant), partly), numbers, OVER_EXAMPLES)


@CLAIMS.add(_judge_on_table1, F_MEASURE)
def no_tailored_method_is_a_clear_winner(report: Report, rows: Rows) -> Verdict:
    numbers: Numbers = {}
    winners = list(TAILORED)
    for data_set, values in rows.items():
        best = max(values[row] for row in _tailored(values))
        leaders = [row for row in _tailored(values) if values[row] == best]
        numbers[f"{data_set}: best"] = ", ".join(row_label(*row) for row in leaders)
        numbers[f"{data_set}: F"] = best
        winners = [row for row in winners if row in leaders]
    if not winners:
        return Verdict("reproduced", numbers, "largest F-measure on each data set")
    winner = winners[0]
    significant = []
    for data_set, values in rows.items():
        rivals = [row for row in _tailored(values) if FAMILY[row[1]] != FAMILY[winner[1]]]
        rival = max(rivals, key=values.__getitem__)
        [comparison] = compare_rows(report, [(winner, rival)], [data_set])
        p = comparison.test.p_value
        numbers[f"{data_set}: p against {row_label(*rival)}"] = p
        significant.append(p < ALPHA)
    return Verdict("not reproduced" if all(significant) else "partly", numbers, OVER_EXAMPLES)


@CLAIMS.add(_judge_on_table1, HAMMING_LOSS)
def thresholds_are_best_on_hamming_loss(report: Report, rows: Rows) -> Verdict:
    numbers, best = {}, []
    for data_set, losses in rows.items():
        for model in (PCC, BR):
            loss = losses[model, THRESHOLD]
            least = min(losses[row] for row in _tailored(losses) if row[0] == model)
            numbers[f"{data_set}: {row_label(model, THRESHOLD)}"] = loss
            numbers[f"{data_set}: least of the other {MODELS[model]}"] = least
            best.append(loss < least)
    return Verdict(grade(all(best), sum(best) >= 0.5 * len(best)), numbers, "Hamming losses")


def _judge_seconds(rival: str, report: Report) -> Verdict:
    """Judge whether GFM takes less than a tenth of the time of `rival`, a method of MEUF.

    The times are of one decision, in the simulation with the most labels or, for the paper's own
    numbers, in Table 1.
    """
    frame = simulated = simulation(report, "inference_seconds")
    if frame is None:
        printed = report.results.seconds
        printed = printed[(printed["stage"] == PRINTED) & (printed["method"] == PCC)]
        frame = pd.DataFrame(
            {
                "n_labels": printed["data_set"].map(_printed_n_labels(report)),
                "method": printed["task"].replace({"meuf": "meuf_jansche"}),
                "seconds": printed["cpu_seconds"],
            }
        )
    if not {"gfm", rival} <= set(frame["method"]):
        return Verdict("not testable", note="the simulation inference_seconds is not configured")
    medians = frame.groupby(["n_labels", "method"])["seconds"].median().unstack("method")
    most = medians.dropna(subset=["gfm", rival]).iloc[-1]
    times = (most / most["gfm"]).dropna().to_dict()
    is_approximate = rival == "meuf_approx"
    methods, note = ([rival], NOT_THE_TIMED_ONE) if is_approximate else (MEUFS, "")
    if not is_approximate and times.get("meuf", np.inf) <= DRASTICALLY:
        note = LATER_ALGORITHM
    # The file of claims must be the same for each run, so it has no times.
    numbers: Numbers = {"labels": int(most.name)} | {
        f"ten times faster than {MEUFS[method]}": "yes" if times[method] > DRASTICALLY else "no"
        for method in methods
        if method in times
    }
    verdict = grade(times[rival] > DRASTICALLY, times[rival] > TWICE)
    if simulated is not None and is_approximate:
        verdict = "not testable"
    test = "median CPU seconds of a decision given its samples"
    return Verdict(verdict, numbers, test, f"{IN_FIGURE}{note}")


CLAIMS.update(
    gfm_is_drastically_faster_than_meuf=partial(_judge_seconds, "meuf_jansche"),
    gfm_is_drastically_faster_than_approximate_meuf=partial(_judge_seconds, "meuf_approx"),
)


def _judge_simulations(
    rule: Callable[[pd.DataFrame], Verdict], names: Sequence[str], report: Report
) -> Verdict:
    """Judge a claim by a rule on the rows of simulations; without them, "not testable"."""
    frames = {name: simulation(report, name) for name in names}
    missing = [name for name, frame in frames.items() if frame is None]
    if missing:
        note = "; ".join(f"the simulation {name} is not configured" for name in missing)
        return Verdict("not testable", note=note)
    return rule(pd.concat(frames.values(), ignore_index=True))


@CLAIMS.add(_judge_simulations, ["inference_seconds"])
def exact_meuf_takes_days(frame: pd.DataFrame) -> Verdict:
    seconds = frame[frame["method"] == "meuf_jansche"]
    note = "the seconds are those of the authors' program, which was not run here"
    if seconds.empty:
        return Verdict("not testable", note=note)
    n_labels = int(seconds["n_labels"].max())
    decision = seconds.loc[seconds["n_labels"] == n_labels, "seconds"].median()
    within_a_day = EXAMPLES_OF_MEDIAMILL * decision < SECONDS_OF_A_DAY
    # The file of claims must be the same for each run, so it has no times.
    numbers: Numbers = {
        "labels": n_labels,
        "decisions": EXAMPLES_OF_MEDIAMILL,
        "our program ends within a day": "yes" if within_a_day else "no",
    }
    test = "median CPU seconds of a decision, times the number of decisions"
    return Verdict("not testable", numbers, test, f"{note}; {IN_FIGURE}")


@CLAIMS.add(_judge_simulations, ["independent_labels", "dependent_labels"])
def approximate_variants_perform_alike_in_simulations(frame: pd.DataFrame) -> Verdict:
    means = frame.groupby(["distribution", "n_samples", "method"])["value"].mean().unstack("method")
    differences = pd.DataFrame(
        {
            "GFM-T − GFM": means["gfm_threshold"] - means["gfm"],
            "MEUF approx − MEUF": means["meuf_approx"] - means["meuf"],
        }
    )
    alike = differences["GFM-T − GFM"].abs() <= SAME_IN_SIMULATIONS
    numbers: Numbers = {
        f"{DISTRIBUTIONS.get(distribution, distribution)}: largest |{pair}|": float(largest)
        for (distribution, pair), largest in differences.abs()
        .groupby(level="distribution", sort=False)
        .max()
        .stack()
        .items()
    }
    name = grade(bool(alike.all()), alike.mean() >= 0.75)
    test = "differences of mean expected F, at every number of samples"
    return Verdict(name, numbers, test, NOT_JANSCHE)


@CLAIMS.add(_judge_simulations, ["independent_labels"])
def gfm_catches_up_under_independence(frame: pd.DataFrame) -> Verdict:
    trials = {size: _trials(values) for size, values in frame.groupby("n_samples")}
    leads_by_size = {
        size: float((values["meuf"] - values["gfm"]).mean()) for size, values in trials.items()
    }
    fewest, most = min(trials), max(trials)
    few, lead, left = trials[fewest], leads_by_size[fewest], leads_by_size[most]
    p = signed_rank_test(few["meuf"], few["gfm"]).p_value
    leads = lead > 0 and p < ALPHA
    catches_up = lead > 0 and left <= 0.1 * lead
    numbers = {
        "trials": len(few),
        f"p, {fewest} samples": p,
        f"MEUF − GFM-T, {fewest} samples": float((few["meuf"] - few["gfm_threshold"]).mean()),
    }
    numbers |= {f"MEUF − GFM, {size} samples": lead_of for size, lead_of in leads_by_size.items()}
    return Verdict(grade(leads and catches_up, leads or catches_up), numbers, OVER_TRIALS)


@CLAIMS.add(_judge_simulations, ["dependent_labels"])
def meuf_stays_poor_under_dependence(frame: pd.DataFrame) -> Verdict:
    most = frame["n_samples"].max()
    numbers, poor, largest = {}, {}, {}
    for coding, label in CODINGS.items():
        trials = _trials(frame[(frame["distribution"] == coding) & (frame["n_samples"] == most)])
        p = signed_rank_test(trials["meuf"], trials["gfm"]).p_value
        gap = float((trials["gfm"] - trials["meuf"]).mean())
        numbers |= {
            f"{label}: GFM": float(trials["gfm"].mean()),
            f"{label}: MEUF": float(trials["meuf"].mean()),
            f"{label}: p": p,
        }
        poor[coding] = gap > SAME and p < ALPHA
        largest[coding] = frame.loc[frame["distribution"] == coding, "optimum"].iloc[0]
    verdict = grade(poor["zero_one"], poor["plus_minus_one"] or poor["plus_minus_one_shifted"])
    note = ""
    if verdict == "partly":
        note = (
            "With labels in {0, 1}, as the model is printed, both predict all labels and end "
            "level; with labels in {−1, 1} the effect is the one described. The printed axis has "
            "ticks up to 0.6: no prediction has a larger expected F than "
            f"{largest['zero_one']:.3f} with labels in {{0, 1}}, "
            f"{largest['plus_minus_one']:.3f}, which is P(Y = 0), with labels in {{−1, 1}}, and "
            f"{largest['plus_minus_one_shifted']:.3f} with −i/2 in place of −(i − 1)/2."
        )
    return Verdict(verdict, numbers, f"{OVER_TRIALS}, {most} samples", note)


@CLAIMS.add(_judge_simulations, ["worst_cases"])
def gfm_is_exact(frame: pd.DataFrame) -> Verdict:
    drawn = frame[frame["construction"] == "drawn_distributions"]
    regrets = drawn.pivot(index="n_labels", columns="method", values="regret")
    if regrets.empty:
        return Verdict("not testable", note="the simulation worst_cases enumerates no labels")
    exact = regrets["gfm"] <= ROUNDING
    numbers = {
        f"{m} labels: largest regret of {label}": float(regrets.at[m, method])
        for m in regrets.index
        for method, label in (("gfm", "GFM"), ("gfm_threshold", "GFM-T"), ("meuf", "MEUF"))
    }
    worst = frame[frame["construction"] == "worst_distribution"]
    numbers |= {
        f"{row.n_labels} labels: largest regret of GFM-T on any distribution": float(row.regret)
        for row in worst.itertuples()
    }
    # Rounding errors are replaced by 0, because they depend on the machine.
    numbers = {name: 0.0 if abs(number) <= ROUNDING else number for name, number in numbers.items()}
    test = "regret against the best of all predictions, by enumeration"
    return Verdict("reproduced" if exact.all() else "not reproduced", numbers, test)


@CLAIMS.add(_judge_simulations, ["worst_cases"])
def regret_of_meuf_approaches_one(frame: pd.DataFrame) -> Verdict:
    regrets = _regrets(frame, "all_or_nothing", "meuf")
    close = bool(regrets["regret"].iloc[-1] > ARBITRARILY_CLOSE)
    grows = bool((regrets["regret"].diff().dropna() > 0).all())
    numbers = {f"{row.n_labels} labels": float(row.regret) for row in regrets.itertuples()}
    return Verdict(grade(close and grows, close), numbers, "regret against the optimum")


@CLAIMS.add(_judge_simulations, ["worst_cases"])
def regret_of_thresholds_reaches_the_bound(frame: pd.DataFrame) -> Verdict:
    regrets = _regrets(frame, "misleading_order", "gfm_threshold")
    reached = regrets["regret"] >= regrets["bound"] - ROUNDING
    last = regrets.iloc[-1]
    numbers = {
        "numbers of labels": len(regrets),
        "bound reached": int(reached.sum()),
        f"regret, {int(last['n_labels'])} labels": float(last["regret"]),
        f"bound, {int(last['n_labels'])} labels": float(last["bound"]),
    }
    verdict = grade(bool(reached.all()), reached.mean() >= 0.5)
    return Verdict(verdict, numbers, "regret against the optimum")


def _trials(frame: pd.DataFrame) -> Mapping[str, pd.Series]:
    return frame.pivot(index="trial", columns="method", values="value")


def _regrets(frame: pd.DataFrame, construction: str, method: str) -> pd.DataFrame:
    """Return a method's regrets (losses of expected F) in one construction, by number of labels."""
    chosen = frame[(frame["construction"] == construction) & (frame["method"] == method)]
    return chosen.sort_values("n_labels")


def finding(numbers: Mapping[str, Numbers]) -> str:
    """Return the main result as a sentence; `numbers` maps ids of claims to {name: number}."""
    gains = {
        name: value
        for name, value in numbers["tailored-methods-win-on-f"].items()
        if name.endswith(": difference")
    }
    wins = sum(gain > 0 for gain in gains.values())
    approximate = sum("GFM-T" in name or "approx" in name for name in gains)
    return (
        f"They beat their model's thresholds in {wins} of {len(gains)} comparisons "
        f"({approximate} of approximate variants), by {percent(min(gains.values()))} to "
        f"{percent(max(gains.values()))} points of F."
    )
