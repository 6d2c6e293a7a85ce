"""Judge the claims of Joachims (2005). The file paper.yaml describes each rule in words.

Each rule compares the multivariate SVM, trained on the measure, with an ordinary SVM with class
costs, and returns a verdict and the numbers behind it. PRBEP is the precision/recall break-even
point. Recall at 2p is the recall if twice as many examples as positives are predicted positive.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd
import scipy

from beyond_accuracy_pipeline.reporting.comparison import training_positives
from beyond_accuracy_pipeline.reporting.formats import percent
from beyond_accuracy_pipeline.reporting.judge import (
    ALPHA,
    SIGNED_RANK,
    Compared,
    compare_methods,
    judge_comparisons,
    test_numbers,
)
from beyond_accuracy_pipeline.reporting.names import measure_name
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.verdict import (
    Claims,
    Numbers,
    Ruling,
    Verdict,
    all_or_any,
    grade,
)
from beyond_accuracy_pipeline.results.variants import Variant, selected_readings

from .names import (
    ARXIV,
    COLLECTIONS,
    COVERTYPE,
    MEASURES,
    OPTDIGITS,
    PAIR,
    REUTERS,
    cutting_plane_iterations,
)

A_FEW_HUNDRED = 500
UNBIASED = "unbiased"
LEGIBLE_STARS = 3
"""Significant improvements in the one row of Table 2 whose stars are legible."""

CLAIMS = Claims()


def _judge(
    rule: Callable[[Report, Compared], Ruling],
    test: str,
    data_sets: Sequence[str],
    report: Report,
    measures: Sequence[str] = MEASURES,
    **options: bool,
) -> Verdict:
    """Judge a claim by a rule on comparisons of the multivariate SVM with the ordinary SVM."""
    compared = compare_methods(report, [PAIR], data_sets, measures)
    return judge_comparisons(partial(rule, report), test, report, compared, **options)


@CLAIMS.add(
    _judge,
    "difference of the macro-averages, averaged over the collections",
    COLLECTIONS,
    measures=["recall_at_2p"],
)
def regular_svm_has_better_recall_at_2p_on_average(report: Report, compared: Compared) -> Ruling:
    differences = {own.data_set: own.difference for own in compared}
    average = float(np.mean(list(differences.values())))
    worse = sum(difference < 0 for difference in differences.values())
    return grade(average < 0, worse >= 2), {"average": average} | differences


@CLAIMS.add(_judge, "sign of the difference of macro-averages", COLLECTIONS, needs_all=False)
def most_macro_averages_improve(report: Report, compared: Compared) -> Ruling:
    measured = sum(comparison.available for comparison in compared)
    improved = sum(comparison.difference > 0 for comparison in compared)
    unknown, half = len(compared) - measured, len(compared) / 2
    verdict = grade(improved > half, improved + unknown >= half)
    if verdict == "partly" and unknown:
        verdict = "not testable"
    return verdict, {"improved": improved, "known": measured, "all": len(compared)}


@CLAIMS.add(_judge, SIGNED_RANK, COLLECTIONS)
def significant_improvements_outnumber_significant_declines(
    report: Report, compared: Compared
) -> Ruling:
    significant = [own.difference for own in compared if own.test.p_value < ALPHA]
    improved = sum(difference > 0 for difference in significant)
    declined = sum(difference < 0 for difference in significant)
    numbers: Numbers = {"improved significantly": improved, "declined significantly": declined}
    more = improved > declined
    return grade(more and improved >= LEGIBLE_STARS, more), numbers


@CLAIMS.add(_judge, SIGNED_RANK, [COVERTYPE])
def covertype_shows_no_significant_difference(report: Report, compared: Compared) -> Ruling:
    significant = sum(comparison.test.p_value < ALPHA for comparison in compared)
    return grade(significant == 0, significant == 1), test_numbers(compared)


@CLAIMS.add(_judge, "improvements of all 16 macro-averages", COLLECTIONS)
def largest_gains_are_f1_on_text(report: Report, compared: Compared) -> Ruling:
    ranked = sorted(compared, key=lambda own: own.difference, reverse=True)
    on_text = {(REUTERS, "f1"), (ARXIV, "f1")}
    leaders = [(own.data_set, own.measure) for own in ranked[:2]]
    numbers = {f"{own.data_set}, {measure_name(own.measure)}": own.difference for own in compared}
    return grade(set(leaders) == on_text, leaders[0] in on_text), numbers


@CLAIMS.add(_judge, "improvement of a collection, averaged over the four measures", COLLECTIONS)
def improvements_are_largest_on_text(report: Report, compared: Compared) -> Ruling:
    gains = pd.Series([own.difference for own in compared], [own.data_set for own in compared])
    averages = gains.groupby(level=0, sort=False).mean().to_dict()
    ranked = sorted(averages, key=averages.__getitem__, reverse=True)
    both = set(ranked[:2]) == {REUTERS, ARXIV}
    return grade(both, ranked[0] in (REUTERS, ARXIV)), averages


@CLAIMS.add(
    _judge, "differences of macro-averages", COLLECTIONS, measures=["f1", "prbep", "roc_area"]
)
def prbep_and_roc_area_gain_less_than_f1(report: Report, compared: Compared) -> Ruling:
    gains = pd.DataFrame([(own.data_set, own.measure, own.difference) for own in compared])
    gains = gains.pivot(index=0, columns=1, values=2)
    on_text = float(gains.loc[[REUTERS, ARXIV], "f1"].mean())
    others = gains[["prbep", "roc_area"]]
    consistent = bool(((others > 0) & (others < on_text)).all(axis=None))
    improve, averages = others > 0, others.mean()
    most = 2 * improve.to_numpy().sum() > others.size
    numbers: Numbers = {"F1 on text: average difference": on_text}
    for measure in others:
        label = measure_name(measure)
        numbers[f"{label}: average difference"] = float(averages[measure])
        numbers[f"{label}: collections that improve"] = int(improve[measure].sum())
    on_average = averages.between(0, on_text, inclusive="neither").all()
    return grade(consistent, bool(most and on_average)), numbers


@CLAIMS.add(
    _judge,
    "macro-averages of the biased hyperplanes less those of the unbiased ones",
    COLLECTIONS,
    needs_all=False,
)
def biased_hyperplanes_outperform_unbiased(report: Report, compared: Compared) -> Ruling:
    if UNBIASED not in selected_readings(report.results.whole):
        return None
    without = report.under(Variant(UNBIASED))
    pairs = []
    for biased in compared:
        unbiased = without.once(Report.compare, biased.data_set, biased.measure, PAIR)
        unbiased = unbiased.of_tasks(biased.values.index)
        if biased.available and unbiased.available:
            pairs.append((biased, unbiased))
    if not pairs:
        return None
    better, numbers = [], {}
    for name in PAIR.methods:
        gains = [biased.average(name) - unbiased.average(name) for biased, unbiased in pairs]
        higher, changed = sum(gain > 0 for gain in gains), sum(gain != 0 for gain in gains)
        average = float(np.mean(gains))
        better.append(average > 0 and 2 * higher > changed)
        numbers |= {f"{name}: average difference": average, f"{name}: higher": higher}
        numbers |= {f"{name}: changed": changed, f"{name}: compared": len(gains)}
        for (biased, _), gain in zip(pairs, gains, strict=True):
            numbers[f"{name}, {biased.data_set}, {measure_name(biased.measure)}"] = gain
    return all_or_any(better), numbers


@CLAIMS.add(
    _judge,
    "average improvement of the less popular half of the classes less that of the others",
    [REUTERS],
)
def gains_are_larger_for_less_popular_classes(report: Report, compared: Compared) -> Ruling:
    positives = training_positives(report.results.fits, REUTERS)
    excess, numbers = {}, {}
    for comparison in compared:
        changes, label = comparison.task_differences, measure_name(comparison.measure)
        counts = positives.reindex(changes.index)
        rare = counts < counts.median()
        more = float(changes[rare].mean() - changes[~rare].mean())
        excess[comparison.measure] = numbers[f"{label}: less popular − more popular"] = more
        rho = scipy.stats.spearmanr(counts, changes).statistic if changes.nunique() > 1 else 0.0
        numbers[f"{label}: Spearman's rho with positives"] = float(rho)
    most = sum(more > 0 for more in excess.values()) >= 3
    especially_f1 = excess["f1"] > 0 and excess["f1"] == max(excess.values())
    return grade(most and especially_f1, most or especially_f1), numbers


@CLAIMS.add(
    _judge,
    "share of the final fits that need at most 500 iterations (without line search if counted)",
    COLLECTIONS,
    needs_all=False,
    of_classes=False,
)
def often_converges_after_a_few_hundred_iterations(report: Report, compared: Compared) -> Ruling:
    fits = cutting_plane_iterations(report.results.fits)
    if fits.empty:
        return None
    # A fit that did not reach the tolerance does not count, however few its iterations are.
    few = fits["sufficed"] & (fits["iterations"] <= A_FEW_HUNDRED)
    shares = few.groupby(fits["data_set"]).mean().reindex(COLLECTIONS).dropna()
    often = shares > 0.5
    numbers: Numbers = {f"{name}: share": float(share) for name, share in shares.items()}
    medians = fits.groupby("data_set")["iterations"].median().reindex(shares.index)
    numbers |= {f"{name}: median": float(median) for name, median in medians.items()}
    numbers |= {"fits": len(fits), "fits not converged": int((~fits["sufficed"]).sum())}
    return grade(bool(often.all()), 2 * often.sum() >= len(often)), numbers


@CLAIMS.add(
    _judge,
    "share of test predictions that differ, of all classes",
    (REUTERS, OPTDIGITS),
    needs_all=False,
    of_classes=False,
)
def error_rate_gives_the_ordinary_svm(report: Report, compared: Compared) -> Ruling:
    study = report.results.study("error_rate")
    if study.empty:
        return None
    sums = study.groupby("data_set")[["n_different", "n_test"]].sum()
    shares = sums["n_different"] / sums["n_test"]
    numbers: Numbers = {f"{name}: share that differs": share for name, share in shares.items()}
    largest = float(shares.max())
    return grade(largest <= 0.001, largest <= 0.01), numbers


def finding(numbers: Mapping[str, Numbers]) -> str:
    """Return the main result as a sentence; `numbers` maps ids of claims to {name: number}."""
    reuters, averages = numbers["f1-reuters"], numbers["most-improve"]
    ours, other = (percent(reuters[f"F1: {method}"]) for method in PAIR.methods)
    return (
        f"The multivariate SVM beats class costs in {averages['improved']} of "
        f"{averages['known']} averages over classes (median over seeds); on Reuters F1 is "
        f"{ours} % against {other} %."
    )
