"""The claims of the paper; each rule stands, in words, in paper.yaml."""

from collections.abc import Callable, Sequence
from itertools import groupby

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
from beyond_accuracy.reporting.report import UNMEASURED, Report
from beyond_accuracy.reporting.verdict import (
    Claims,
    Numbers,
    Verdict,
    VerdictName,
    all_or_any,
    grade,
)

ALPHA = 0.05
A_FEW_HUNDRED = 500

SIGNED_RANK = "two-tailed Wilcoxon signed-rank test over classes"

CLAIMS = Claims()
Compared = list[Comparison]
Ruling = tuple[VerdictName, Numbers] | None


def _judge(
    rule: Callable[[Report, Compared], Ruling],
    test: str,
    data_sets: Sequence[str],
    report: Report,
    measures: Sequence[str] = MEASURES,
    needs_all: bool = True,
) -> Verdict:
    """Follow a rule on the comparisons of the paper's pair, if all that it needs are there."""
    compared = [
        report.compare(data_set, measure, PAIR) for data_set in data_sets for measure in measures
    ]
    missing = _missing(compared)
    ruling = None if missing and needs_all else rule(report, compared)
    if ruling is None:
        return Verdict("not testable", note=missing)
    notes = (missing, report.substitutes(data_sets))
    return Verdict(*ruling, test, "; ".join(filter(None, notes)))


def _missing(compared: Compared) -> str:
    """Say which comparisons have not a single task, and why; empty if all have one."""
    problems = []
    for data_set, comparisons in groupby(compared, key=lambda comparison: comparison.data_set):
        available, missing = [], []
        for comparison in comparisons:
            (available if comparison.available else missing).append(comparison)
        if missing:
            measures = ", ".join(comparison.measure for comparison in missing)
            measured = not missing[0].excluded.empty
            reason = missing[0].reason or "no results" if measured else UNMEASURED
            problems.append(f"{data_set}{f' ({measures})' if available else ''}: {reason}")
    return "; ".join(problems)


def _improves_significantly(report: Report, compared: Compared) -> Ruling:
    """Partly: some improve significantly, or all improve."""
    improved = [comparison.difference > 0 for comparison in compared]
    significant = [
        comparison.difference > 0 and comparison.test.p_value < ALPHA for comparison in compared
    ]
    return grade(all(significant), any(significant) or all(improved)), _numbers(compared)


def _numbers(compared: Compared) -> Numbers:
    numbers: Numbers = {}
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


@CLAIMS.add(_judge, SIGNED_RANK, [REUTERS], measures=["f1"])
def f1_improves_on_reuters(report: Report, compared: Compared) -> Ruling:
    """F1 improves significantly on Reuters."""
    return _improves_significantly(report, compared)


@CLAIMS.add(_judge, SIGNED_RANK, [REUTERS], measures=["prbep", "roc_area"])
def prbep_and_roc_area_improve_on_reuters(report: Report, compared: Compared) -> Ruling:
    """PRBEP and ROC area improve significantly on Reuters."""
    return _improves_significantly(report, compared)


@CLAIMS.add(_judge, SIGNED_RANK, [REUTERS])
def recall_at_2p_does_not_improve_on_reuters(report: Report, compared: Compared) -> Ruling:
    """Rec@2p does not improve significantly on Reuters; the plain SVM is better on average."""
    recall = compared[MEASURES.index("recall_at_2p")]
    return grade(recall.difference < 0, recall.test.p_value >= ALPHA), _numbers([recall])


@CLAIMS.add(_judge, "sign of the difference of macro-averages", COLLECTIONS, needs_all=False)
def most_macro_averages_improve(report: Report, compared: Compared) -> Ruling:
    """Most of the 16 macro-averages improve."""
    measured = sum(comparison.available for comparison in compared)
    improved = sum(comparison.difference > 0 for comparison in compared)
    unknown, half = len(compared) - measured, len(compared) / 2
    verdict = grade(improved > half, improved + unknown >= half)
    if verdict == "partly" and unknown:
        verdict = "not testable"
    return verdict, {"improved": improved, "known": measured, "all": len(compared)}


@CLAIMS.add(_judge, SIGNED_RANK, [COVERTYPE])
def covertype_shows_no_significant_difference(report: Report, compared: Compared) -> Ruling:
    """No measure differs significantly on covertype."""
    significant = sum(comparison.test.p_value < ALPHA for comparison in compared)
    return grade(significant == 0, significant == 1), _numbers(compared)


@CLAIMS.add(
    _judge,
    "improvements of all 16 macro-averages in descending order (first four shown)",
    COLLECTIONS,
)
def largest_gains_are_f1_on_text(report: Report, compared: Compared) -> Ruling:
    """The two largest improvements are those of F1 on the two text collections."""
    ranked = sorted(compared, key=lambda comparison: comparison.difference, reverse=True)
    on_text = {(REUTERS, "f1"), (ARXIV, "f1")}
    leaders = [(comparison.data_set, comparison.measure) for comparison in ranked[:2]]
    numbers = {
        f"{comparison.data_set}, {measure_label(comparison.measure)}": comparison.difference
        for comparison in ranked[:4]
    }
    return grade(set(leaders) == on_text, leaders[0] in on_text), numbers


@CLAIMS.add(
    _judge,
    "Spearman's rank correlation of positive training examples and improvement, two-tailed",
    [REUTERS],
)
def gains_grow_as_classes_get_rarer(report: Report, compared: Compared) -> Ruling:
    """On Reuters, improvements fall with the number of positive training examples."""
    positives = training_positives(report.results.fits, REUTERS)
    numbers, falls = {}, []
    for comparison in compared:
        if comparison.measure == "recall_at_2p":
            continue
        changes = comparison.task_differences
        rho, p_value = 0.0, 1.0
        if changes.nunique() > 1:
            rho, p_value = map(
                float, scipy.stats.spearmanr(positives.reindex(changes.index), changes)
            )
        label = measure_label(comparison.measure)
        numbers |= {f"{label}: Spearman's rho": rho, f"{label}: p": p_value}
        falls.append(rho < 0 and p_value < ALPHA)
    return all_or_any(falls), numbers


@CLAIMS.add(
    _judge,
    "quantiles of the iterations of the final fits (without line search if counted)",
    COLLECTIONS,
    needs_all=False,
)
def a_few_hundred_iterations_suffice(report: Report, compared: Compared) -> Ruling:
    """The multivariate SVM converges in a few hundred iterations on all collections."""
    fits = cutting_plane_iterations(report.results.fits)
    if fits.empty:
        return None
    # A fit that ended before it was optimal has not sufficed, whatever its count.
    iterations = fits["iterations"].where(fits["sufficed"], np.inf).groupby(fits["data_set"])
    quantiles = {"median": 0.5, "90 %": 0.9}
    numbers: Numbers = {}
    for name, share in quantiles.items():
        values = iterations.quantile(share, interpolation="higher").reindex(COLLECTIONS).dropna()
        numbers |= {f"{data_set}: {name}": float(value) for data_set, value in values.items()}
        quantiles[name] = values
    verdict = grade(*((quantiles[name] <= A_FEW_HUNDRED).all() for name in ("90 %", "median")))
    return verdict, numbers | {
        "fits": len(fits),
        "fits not converged": int((~fits["sufficed"]).sum()),
    }
