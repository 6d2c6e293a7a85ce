"""The claims of the paper; each rule stands, in words, in paper.yaml."""

from collections.abc import Callable, Sequence

import numpy as np
import scipy

from beyond_accuracy.papers.joachims2005.names import (
    ARXIV,
    COLLECTIONS,
    COVERTYPE,
    MEASURES,
    PAIR,
    REUTERS,
    cutting_plane_iterations,
    measure_label,
)
from beyond_accuracy.reporting.comparison import Comparison, training_positives
from beyond_accuracy.reporting.report import Report
from beyond_accuracy.reporting.verdict import Verdict

ALPHA = 0.05
A_FEW_HUNDRED = 500

SIGNED_RANK = "two-tailed Wilcoxon signed-rank test over classes"


def f1_improves_on_reuters(report: Report) -> Verdict:
    """F1 improves significantly on Reuters."""
    return _improves_significantly(report, REUTERS, ("f1",))


def prbep_and_roc_area_improve_on_reuters(report: Report) -> Verdict:
    """PRBEP and ROC area improve significantly on Reuters."""
    return _improves_significantly(report, REUTERS, ("prbep", "roc_area"))


def recall_at_2p_does_not_improve_on_reuters(report: Report) -> Verdict:
    """Rec@2p does not improve significantly on Reuters; the plain SVM is better on average."""
    if missing := _missing(report, [REUTERS]):
        return Verdict("not testable", note=missing)
    comparison = report.compare(REUTERS, "recall_at_2p", PAIR)
    if comparison.difference < 0:
        verdict = "reproduced"
    else:
        verdict = "not reproduced" if comparison.test.p_value < ALPHA else "partly"
    return Verdict(verdict, _numbers([comparison]), SIGNED_RANK, report.substitutes([REUTERS]))


def most_macro_averages_improve(report: Report) -> Verdict:
    """Most of the 16 macro-averages improve."""
    pairs = [(data_set, measure) for data_set in COLLECTIONS for measure in MEASURES]
    known = [
        comparison
        for comparison in (report.compare(*pair, PAIR) for pair in pairs)
        if comparison.available
    ]
    improved = sum(comparison.difference > 0 for comparison in known)
    unknown = len(pairs) - len(known)
    half = len(pairs) / 2
    if improved > half:
        verdict = "reproduced"
    elif improved + unknown < half:
        verdict = "not reproduced"
    elif unknown:
        verdict = "not testable"
    else:
        verdict = "partly"
    notes = (_missing(report, COLLECTIONS), report.substitutes(COLLECTIONS))
    return Verdict(
        verdict,
        {"improved": improved, "known": len(known), "all": len(pairs)},
        "sign of the difference of macro-averages",
        "; ".join(filter(None, notes)),
    )


def covertype_shows_no_significant_difference(report: Report) -> Verdict:
    """No measure differs significantly on covertype."""
    if missing := _missing(report, [COVERTYPE]):
        return Verdict("not testable", note=missing)
    compared = [report.compare(COVERTYPE, measure, PAIR) for measure in MEASURES]
    significant = sum(comparison.test.p_value < ALPHA for comparison in compared)
    verdict = {0: "reproduced", 1: "partly"}.get(significant, "not reproduced")
    return Verdict(verdict, _numbers(compared), SIGNED_RANK, report.substitutes([COVERTYPE]))


def largest_gains_are_f1_on_text(report: Report) -> Verdict:
    """The two largest improvements are those of F1 on the two text collections."""
    if missing := _missing(report, COLLECTIONS):
        return Verdict("not testable", note=missing)
    compared = [report.compare(name, measure, PAIR) for name in COLLECTIONS for measure in MEASURES]
    ranked = sorted(compared, key=lambda comparison: comparison.difference, reverse=True)
    on_text = {(REUTERS, "f1"), (ARXIV, "f1")}
    leaders = [(comparison.data_set, comparison.measure) for comparison in ranked[:2]]
    if set(leaders) == on_text:
        verdict = "reproduced"
    else:
        verdict = "partly" if leaders[0] in on_text else "not reproduced"
    numbers = {
        f"{comparison.data_set}, {measure_label(comparison.measure)}": comparison.difference
        for comparison in ranked[:4]
    }
    return Verdict(
        verdict,
        numbers,
        "improvements of all 16 macro-averages in descending order (first four shown)",
        report.substitutes(COLLECTIONS),
    )


def gains_grow_as_classes_get_rarer(report: Report) -> Verdict:
    """On Reuters, improvements fall with the number of positive training examples."""
    if missing := _missing(report, [REUTERS]):
        return Verdict("not testable", note=missing)
    positives = training_positives(report.results.fits, REUTERS)
    numbers, falls = {}, []
    for measure in ("f1", "prbep", "roc_area"):
        changes = report.compare(REUTERS, measure, PAIR).task_differences
        rho, p_value = 0.0, 1.0
        if changes.nunique() > 1:
            rho, p_value = map(
                float, scipy.stats.spearmanr(positives.reindex(changes.index), changes)
            )
        label = measure_label(measure)
        numbers |= {f"{label}: Spearman's rho": rho, f"{label}: p": p_value}
        falls.append(rho < 0 and p_value < ALPHA)
    verdict = "reproduced" if all(falls) else "partly" if any(falls) else "not reproduced"
    return Verdict(
        verdict,
        numbers,
        "Spearman's rank correlation of positive training examples and improvement, two-tailed",
        report.substitutes([REUTERS]),
    )


def a_few_hundred_iterations_suffice(report: Report) -> Verdict:
    """The multivariate SVM converges in a few hundred iterations on all collections."""
    fits = cutting_plane_iterations(report.results.fits)
    fits = fits[fits["data_set"].isin(COLLECTIONS)]
    missing = _missing(report, COLLECTIONS)
    if fits.empty:
        return Verdict("not testable", note=missing)
    # A fit that ended before it was optimal has not sufficed, whatever its count.
    iterations = fits["iterations"].where(fits["sufficed"], np.inf).groupby(fits["data_set"])
    medians, most = (iterations.quantile(share, interpolation="higher") for share in (0.5, 0.9))
    if (most <= A_FEW_HUNDRED).all():
        verdict = "reproduced"
    else:
        verdict = "partly" if (medians <= A_FEW_HUNDRED).all() else "not reproduced"
    present = [name for name in COLLECTIONS if name in most.index]
    numbers = {f"{name}: median": float(medians[name]) for name in present}
    numbers |= {f"{name}: 90 %": float(most[name]) for name in present}
    numbers |= {"fits": len(fits), "fits not converged": int((~fits["sufficed"]).sum())}
    notes = (missing, report.substitutes(COLLECTIONS))
    return Verdict(
        verdict,
        numbers,
        "quantiles of the iterations of the final fits (without line search if counted)",
        "; ".join(filter(None, notes)),
    )


CLAIMS: dict[str, Callable[[Report], Verdict]] = {
    function.__name__: function
    for function in (
        f1_improves_on_reuters,
        prbep_and_roc_area_improve_on_reuters,
        recall_at_2p_does_not_improve_on_reuters,
        most_macro_averages_improve,
        covertype_shows_no_significant_difference,
        largest_gains_are_f1_on_text,
        gains_grow_as_classes_get_rarer,
        a_few_hundred_iterations_suffice,
    )
}


def _improves_significantly(report: Report, data_set: str, measures: Sequence[str]) -> Verdict:
    if missing := _missing(report, [data_set], measures):
        return Verdict("not testable", note=missing)
    compared = [report.compare(data_set, measure, PAIR) for measure in measures]
    improved = [comparison.difference > 0 for comparison in compared]
    significant = [
        comparison.difference > 0 and comparison.test.p_value < ALPHA for comparison in compared
    ]
    if all(significant):
        verdict = "reproduced"
    else:
        verdict = "partly" if any(significant) or all(improved) else "not reproduced"
    return Verdict(verdict, _numbers(compared), SIGNED_RANK, report.substitutes([data_set]))


def _missing(report: Report, data_sets: Sequence[str], measures: Sequence[str] = MEASURES) -> str:
    return report.unavailable(data_sets, measures, PAIR)


def _numbers(compared: Sequence[Comparison]) -> dict[str, float]:
    numbers: dict[str, float] = {}
    for comparison in compared:
        label = measure_label(comparison.measure)
        numbers |= {
            f"{label}: {PAIR.proposed}": comparison.average(PAIR.proposed),
            f"{label}: {PAIR.baseline}": comparison.average(PAIR.baseline),
            f"{label}: difference": comparison.difference,
            f"{label}: wins": comparison.counts.wins,
            f"{label}: losses": comparison.counts.losses,
            f"{label}: p": comparison.test.p_value,
        }
    return numbers
