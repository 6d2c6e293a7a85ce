"""The claims of the paper; each rule stands, in words, in config/papers/dembczynski2011.yaml."""

from collections.abc import Mapping, Sequence

import pandas as pd

from beyond_accuracy.reporting.claims import ClaimFunction, Evidence, Verdict, VerdictName
from beyond_accuracy.reporting.dembczynski2011.evidence import LabelResults
from beyond_accuracy.reporting.dembczynski2011.names import (
    BR,
    F_MEASURE,
    FAMILY,
    PCC,
    ROWS,
    TAILORED,
    THRESHOLD,
    row_label,
)
from beyond_accuracy.reporting.statistics import signed_rank_test
from beyond_accuracy.results.studies import Part

ALPHA = 0.05
SAME = 0.01
DRASTICALLY = 10.0
ARBITRARILY_CLOSE = 0.7
ROUNDING = 1e-6

OVER_EXAMPLES = "two-tailed Wilcoxon signed-rank test over test examples"
OVER_TRIALS = "two-tailed Wilcoxon signed-rank test over trials"


def approximate_variants_perform_like_exact_ones(evidence: Evidence) -> Verdict:
    """GFM-T like GFM, and the approximate MEUF like the exact one."""
    run, data_sets, note = _tables(evidence)
    if not data_sets:
        return Verdict("not testable", note=note)
    pairs = (
        ((PCC, "gfm_threshold"), (PCC, "gfm")),
        ((PCC, "meuf_approx"), (PCC, "meuf")),
        ((BR, "meuf_approx"), (BR, "meuf")),
    )
    numbers, alike = {}, []
    for data_set in data_sets:
        for first, second in pairs:
            change = _value(run, data_set, first) - _value(run, data_set, second)
            numbers[f"{data_set}: {row_label(*first)} − {row_label(*second)}"] = change
            alike.append(abs(change) <= SAME)
    verdict = _all_or_share(all(alike), sum(alike) >= 0.75 * len(alike))
    return Verdict(verdict, numbers, "differences of F-measures", note)


def tailored_methods_beat_thresholds(evidence: Evidence) -> Verdict:
    """Each tailored method beats the thresholded marginals of its model on F."""
    run, data_sets, note = _tables(evidence)
    if not data_sets:
        return Verdict("not testable", note=note)
    numbers: dict[str, float] = {}
    larger, significant = [], []
    for data_set in data_sets:
        for model, inference in TAILORED:
            one = run.pair(data_set, (model, inference), (model, THRESHOLD))
            label = f"{data_set}: {row_label(model, inference)}"
            numbers |= {f"{label}: difference": one.difference, f"{label}: p": one.test.p_value}
            larger.append(one.difference > 0)
            significant.append(one.difference > 0 and one.test.p_value < ALPHA)
    partly = all(larger) or sum(significant) >= 0.75 * len(significant)
    return Verdict(_all_or_share(all(significant), partly), numbers, OVER_EXAMPLES, note)


def no_tailored_method_is_a_clear_winner(evidence: Evidence) -> Verdict:
    """No tailored method leads on all data sets."""
    run, data_sets, note = _tables(evidence)
    if not data_sets:
        return Verdict("not testable", note=note)
    numbers: dict[str, float | str] = {}
    winners = []
    for data_set in data_sets:
        values = {row: _value(run, data_set, row) for row in TAILORED}
        best = max(values.values())
        leaders = {row for row, value in values.items() if value == best}
        numbers[f"{data_set}: best"] = ", ".join(
            row_label(*row) for row in TAILORED if row in leaders
        )
        numbers[f"{data_set}: F"] = best
        winners.append(leaders)
    everywhere = set.intersection(*winners)
    if not everywhere:
        return Verdict("reproduced", numbers, "largest F-measure on each data set", note)
    winner = next(row for row in TAILORED if row in everywhere)
    rivals = [row for row in TAILORED if FAMILY[row[1]] != FAMILY[winner[1]]]
    significant = []
    for data_set in data_sets:
        rival = max(rivals, key=lambda row: _value(run, data_set, row))
        test = run.pair(data_set, winner, rival).test
        numbers[f"{data_set}: p against {row_label(*rival)}"] = test.p_value
        significant.append(test.p_value < ALPHA)
    verdict = "not reproduced" if all(significant) else "partly"
    return Verdict(verdict, numbers, OVER_EXAMPLES, note)


def thresholds_are_best_on_hamming_loss(evidence: Evidence) -> Verdict:
    """Thresholded marginals have the least Hamming loss."""
    run, data_sets, note = _tables(evidence)
    if not data_sets:
        return Verdict("not testable", note=note)
    numbers, best = {}, []
    for data_set in data_sets:
        for model in (PCC, BR):
            losses = {
                inference: run.value(data_set, model, inference, "hamming_loss")
                for name, inference in ROWS
                if name == model
            }
            least = min(value for name, value in losses.items() if name != THRESHOLD)
            numbers[f"{data_set}: {row_label(model, THRESHOLD)}"] = losses[THRESHOLD]
            numbers[f"{data_set}: least of the other {row_label(model, THRESHOLD)[:-2]}"] = least
            best.append(losses[THRESHOLD] < least)
    verdict = _all_or_share(all(best), sum(best) >= 0.5 * len(best))
    return Verdict(verdict, numbers, "Hamming losses", note)


def gfm_is_drastically_faster_than_meuf(evidence: Evidence) -> Verdict:
    """A decision of GFM takes less than a tenth of one of MEUF."""
    frame = _simulation(evidence, "inference_seconds", "seconds")
    if frame is None:
        return Verdict("not testable", note=_not_simulated("inference_seconds"))
    most = frame["n_labels"].max()
    medians = frame[frame["n_labels"] == most].groupby("method")["seconds"].median()
    faster = {
        method: bool(medians[method] > DRASTICALLY * medians["gfm"])
        for method in ("meuf_jansche", "meuf")
    }
    verdict = _all_or_share(all(faster.values()), faster["meuf_jansche"])
    # No seconds here: they differ from run to run, and this file does not.
    numbers = {
        "labels": int(most),
        "ten times faster than MEUF of Jansche": "yes" if faster["meuf_jansche"] else "no",
        "ten times faster than MEUF of Ye et al.": "yes" if faster["meuf"] else "no",
    }
    note = "The seconds are drawn in figure1_right."
    return Verdict(verdict, numbers, "median CPU seconds of a decision given its samples", note)


def gfm_catches_up_under_independence(evidence: Evidence) -> Verdict:
    """MEUF leads with few samples of independent labels, and not with many."""
    frame = _simulation(evidence, "independent_labels")
    if frame is None:
        return Verdict("not testable", note=_not_simulated("independent_labels"))
    sizes = sorted(frame["n_samples"].unique())
    few, many = (_trials(frame[frame["n_samples"] == size]) for size in (sizes[0], sizes[-1]))
    lead, left = (float((one["meuf"] - one["gfm"]).mean()) for one in (few, many))
    p = signed_rank_test(few["meuf"], few["gfm"]).p_value
    leads = lead > 0 and p < ALPHA
    catches_up = lead > 0 and left <= 0.1 * lead
    numbers = {
        f"MEUF − GFM, {sizes[0]} samples": lead,
        f"p, {sizes[0]} samples": p,
        f"MEUF − GFM, {sizes[-1]} samples": left,
    }
    return Verdict(_all_or_share(leads and catches_up, leads or catches_up), numbers, OVER_TRIALS)


def meuf_stays_poor_under_dependence(evidence: Evidence) -> Verdict:
    """MEUF is behind GFM with many samples of dependent labels."""
    frame = _simulation(evidence, "dependent_labels")
    if frame is None:
        return Verdict("not testable", note=_not_simulated("dependent_labels"))
    most = frame["n_samples"].max()
    numbers: dict[str, float] = {}
    poor = {}
    for coding, label in (("zero_one", "{0, 1}"), ("plus_minus_one", "{−1, 1}")):
        chosen = frame[(frame["distribution"] == coding) & (frame["n_samples"] == most)]
        trials = _trials(chosen)
        p = signed_rank_test(trials["meuf"], trials["gfm"]).p_value
        gap = float((trials["gfm"] - trials["meuf"]).mean())
        numbers |= {
            f"labels in {label}: GFM": float(trials["gfm"].mean()),
            f"labels in {label}: MEUF": float(trials["meuf"].mean()),
            f"labels in {label}: p": p,
        }
        poor[coding] = gap > SAME and p < ALPHA
    note = ""
    if poor["plus_minus_one"] and not poor["zero_one"]:
        note = (
            "With labels in {0, 1}, as Equation (9) is printed, both predict all labels and end "
            "level; with labels in {−1, 1} the effect is the one described."
        )
    verdict = _all_or_share(poor["zero_one"], poor["plus_minus_one"])
    return Verdict(verdict, numbers, f"{OVER_TRIALS}, {most} samples", note)


def regret_of_meuf_approaches_one(evidence: Evidence) -> Verdict:
    """The regret of MEUF on the family of Proposition 2.1 grows towards 1."""
    frame = _simulation(evidence, "worst_cases")
    if frame is None:
        return Verdict("not testable", note=_not_simulated("worst_cases"))
    regrets = _regrets(frame, "all_or_nothing", "meuf")
    close = bool(regrets["regret"].iloc[-1] > ARBITRARILY_CLOSE)
    grows = bool((regrets["regret"].diff().dropna() > 0).all())
    numbers = {f"{row.n_labels} labels": float(row.regret) for row in regrets.itertuples()}
    return Verdict(_all_or_share(close and grows, close), numbers, "regret against the optimum")


def regret_of_thresholds_reaches_the_bound(evidence: Evidence) -> Verdict:
    """The regret of the best threshold reaches the bound of Proposition 2.3."""
    frame = _simulation(evidence, "worst_cases")
    if frame is None:
        return Verdict("not testable", note=_not_simulated("worst_cases"))
    regrets = _regrets(frame, "misleading_order", "gfm_threshold")
    reached = regrets["regret"] >= regrets["bound"] - ROUNDING
    last = regrets.iloc[-1]
    numbers = {
        "numbers of labels": len(regrets),
        "bound reached": int(reached.sum()),
        f"regret, {int(last['n_labels'])} labels": float(last["regret"]),
        f"bound, {int(last['n_labels'])} labels": float(last["bound"]),
    }
    verdict = _all_or_share(bool(reached.all()), reached.mean() >= 0.5)
    return Verdict(verdict, numbers, "regret against the optimum")


CLAIMS: dict[str, ClaimFunction] = {
    function.__name__: function
    for function in (
        approximate_variants_perform_like_exact_ones,
        tailored_methods_beat_thresholds,
        no_tailored_method_is_a_clear_winner,
        thresholds_are_best_on_hamming_loss,
        gfm_is_drastically_faster_than_meuf,
        gfm_catches_up_under_independence,
        meuf_stays_poor_under_dependence,
        regret_of_meuf_approaches_one,
        regret_of_thresholds_reaches_the_bound,
    )
}


def _tables(evidence: Evidence) -> tuple[LabelResults, Sequence[str], str]:
    """The run, the data sets that have all of Table 1, and what a reader has to know of them."""
    run = LabelResults(evidence.results, evidence.configuration)
    data_sets = run.complete(ROWS)
    note = "; ".join(filter(None, (run.missing(ROWS), evidence.substitutes(data_sets))))
    return run, data_sets, note


def _value(run: LabelResults, data_set: str, row: tuple[str, str]) -> float:
    return run.value(data_set, *row, F_MEASURE)


def _all_or_share(all_of_it: bool, enough: bool) -> VerdictName:
    return "reproduced" if all_of_it else "partly" if enough else "not reproduced"


def _simulation(evidence: Evidence, name: str, part: Part = "rows") -> pd.DataFrame | None:
    if evidence.configuration["studies"].get(name) is None:
        return None
    return evidence.results.study(name, evidence.configuration, part)


def _not_simulated(name: str) -> str:
    return f"the simulation {name} is not configured"


def _trials(frame: pd.DataFrame) -> Mapping[str, pd.Series]:
    """Values by method, one row a trial."""
    return frame.pivot(index="trial", columns="method", values="value")


def _regrets(frame: pd.DataFrame, construction: str, method: str) -> pd.DataFrame:
    chosen = frame[(frame["construction"] == construction) & (frame["method"] == method)]
    return chosen.sort_values("n_labels")
