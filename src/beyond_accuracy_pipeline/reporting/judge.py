"""Verdicts on claims that compare methods on the tasks of some data sets.

`judge_declared` judges claims that paper.yaml declares: methods, data sets, measures and
conditions. For other comparisons, `judge_comparisons` applies a function, the claim's rule.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from beyond_accuracy_pipeline.results.variants import HEADLINE

from .comparison import Comparison, ComparisonKey, Pair
from .formats import join_notes
from .names import measure_name
from .report import Report
from .verdict import Numbers, Ruling, Verdict, VerdictName, grade

ALPHA = 0.05
COMPARABLE = "at least comparable"
SIGNED_RANK = "two-tailed Wilcoxon signed-rank test over classes"

Compared = Sequence[Comparison]
Rule = Callable[[Compared], Ruling]

QUANTIFIERS: dict[str, Callable[[list[bool]], bool]] = {
    "all": all,
    "most": lambda answers: 2 * sum(answers) > len(answers),
    "some": any,
}
RELATIONS: dict[str, Callable[[Report, Comparison], bool]] = {
    "larger": lambda _, own: own.difference > 0,
    "significantly larger": lambda _, own: own.difference > 0 and own.test.p_value < ALPHA,
    "insignificantly larger": lambda _, own: own.difference > 0 and own.test.p_value >= ALPHA,
    COMPARABLE: lambda report, own: (
        own.difference >= 0
        or report.intervals.difference(own.data_set, own.measure, own.pair)[1] >= 0
    ),
}


def parse_condition(text: str) -> list[tuple[str, str]]:
    """Parse a condition on comparisons of methods, such as "all larger or some larger".

    Return [(quantifier, relation), …], for example [("all", "larger"), ("some", "larger")]. Unknown
    words raise ValueError.
    """
    parts = [part.partition(" ") for part in text.split(" or ")]
    if any(part[0] not in QUANTIFIERS or part[2] not in RELATIONS for part in parts):
        raise ValueError(
            f"a quantifier ({', '.join(QUANTIFIERS)}) and a relation ({', '.join(RELATIONS)}), "
            'such as "all larger", or several of these separated by "or"'
        )
    return [(quantifier, relation) for quantifier, _, relation in parts]


def compare_methods(
    report: Report, pairs: Iterable[Pair], data_sets: Iterable[str], measures: Sequence[str]
) -> list[Comparison]:
    """Return one comparison per pair of methods, data set and measure, in this order."""
    names = list(data_sets)
    return [
        report.once(Report.compare, data_set, measure, pair)
        for pair in pairs
        for data_set in names
        for measure in measures
    ]


def declared_comparisons(report: Report, declared: Mapping[str, Any]) -> list[ComparisonKey]:
    """Return the comparisons that a claim declares, as (data set, measure, pair of methods).

    `declared` is the value of the claim's key "compare" in the configuration file paper.yaml.
    """
    return [
        (data_set, measure, Pair(method, rival))
        for method in declared["methods"]
        for rival in declared["against"]
        for data_set in declared.get("data_sets") or report.paper.data_sets
        for measure in declared["measures"]
    ]


def judge_declared(report: Report, claim: Mapping[str, Any]) -> Verdict:
    """Judge a claim that compares methods, as declared in the configuration file paper.yaml.

    `claim` is the claim's entry in this file. Its key "compare" names methods, data sets and
    measures. Its keys "reproduced" and "partly" are the conditions for these verdicts, such as "all
    larger": in all comparisons, the method has a larger average than its rival. The verdict's
    numbers come from signed-rank tests over classes. If there are no classes, or if the condition
    is that methods are comparable, they come from bootstrap intervals.
    """
    own = claim["compare"]
    compared = [report.once(Report.compare, *key) for key in declared_comparisons(report, own)]
    conditions = [parse_condition(claim[name]) for name in ("reproduced", "partly")]
    by_intervals = any(relation == COMPARABLE for _, relation in conditions[0])
    by_intervals |= all(each.n_tasks <= 1 for each in compared)

    def rule(compared: Compared) -> Ruling:
        complete = _complete(compared)
        if not complete:
            return None
        holds = [
            any(
                QUANTIFIERS[quantifier]([RELATIONS[relation](report, each) for each in complete])
                for quantifier, relation in condition
            )
            for condition in conditions
        ]
        numbers = interval_numbers(report, complete) if by_intervals else test_numbers(compared)
        return grade(*holds), numbers

    labels = ", ".join(measure_name(measure) for measure in own["measures"])
    test = SIGNED_RANK
    if by_intervals:
        test = f"differences of {labels} and their paired bootstrap intervals over test examples"
    verdict = judge_comparisons(
        rule, test, report, compared, needs_all=False, of_classes=not by_intervals
    )
    if report.paper.remark is None:
        return verdict
    note = report.paper.remark(report, {*own["methods"], *own["against"]})
    return replace(verdict, note=join_notes([note, verdict.note]))


def judge_comparisons(
    rule: Rule,
    test: str,
    report: Report,
    compared: Compared,
    *,
    needs_all: bool = True,
    of_classes: bool = True,
) -> Verdict:
    """Apply a claim's rule to comparisons of methods, and return the verdict with notes.

    The function `rule` takes `compared`, the comparisons, and returns a verdict with its numbers.
    `test` names the statistical test. If `needs_all`, one comparison without results makes the
    claim not testable. If `of_classes`, the attribute `without` of the result has the classes whose
    omission changes the verdict. Otherwise, a note names the data sets whose omission changes it.
    """
    data_sets = list(dict.fromkeys(own.data_set for own in compared))
    absent = list(dict.fromkeys(own.data_set for own in compared if not own.available))
    used = [name for name in data_sets if name not in absent]
    methods = {name for own in compared for name in own.pair.methods}
    ruling = None if needs_all and absent else rule(compared)
    if ruling is None:
        return Verdict("not testable", note=report.reasons(absent, methods))
    verdict, numbers = ruling
    decisive, without = "", None
    if of_classes:
        labels = comparison_labels(own.key for own in compared)
        for own in compared:
            if own.available:
                name = labels[own.key]
                numbers |= {f"{name}: classes with the sign of the difference": own.n_same_sign}
        is_headline = report.results.variant.reading == HEADLINE
        without = _without_each_class(rule, report, compared, verdict) if is_headline else {}
    else:
        decisive = decisive_data_sets(
            used, verdict, lambda left_out: rule([c for c in compared if c.data_set != left_out])
        )
    judged = Verdict(verdict, numbers, test, decisive, without)
    return with_data_notes(judged, report, data_sets, used, methods)


def with_data_notes(
    verdict: Verdict,
    report: Report,
    data_sets: Sequence[str],
    used: Collection[str],
    methods: Collection[str],
) -> Verdict:
    """Add notes to a verdict: on data sets without results, and on replaced data sets.

    `data_sets` are the claim's data sets, and `used` the data sets with results. If one of
    `methods` failed on a data set, a note says why.
    """
    absent = [name for name in data_sets if name not in used]
    present = [name for name in data_sets if name in used]
    notes = (verdict.note, report.reasons(absent, methods), report.substitutes(present))
    return replace(verdict, note=join_notes(notes))


def decisive_data_sets(
    names: Sequence[str], verdict: VerdictName, without: Callable[[str], Ruling]
) -> str:
    """Return a note that names the data sets whose omission changes the verdict on a claim.

    `names` are the claim's data sets, and `verdict` is the verdict on all of them. The function
    `without` takes the name of a data set, and judges the claim without this data set.
    """
    if len(names) == 1:
        return f"It rests on {names[0]} alone."
    others = {name: ruling[0] for name in names if (ruling := without(name))}
    return join_notes(
        f"without {name} it is {other}" for name, other in others.items() if other != verdict
    )


def _without_each_class(
    rule: Rule, report: Report, compared: Compared, verdict: VerdictName
) -> dict[str, VerdictName]:
    """Return {class: changed verdict} for the classes without which the verdict changes."""
    without = {}
    for data_set in dict.fromkeys(own.data_set for own in compared):
        tasks = [own.values.index for own in compared if own.data_set == data_set]
        for task in dict.fromkeys(task for index in tasks for task in index):
            others = [
                report.once(_one_less, own.data_set, own.measure, own.pair, task)
                if own.data_set == data_set
                else own
                for own in compared
            ]
            if not all(own.available for own in others if own.data_set == data_set):
                continue
            ruling = rule(others)
            other = ruling[0] if ruling else "not testable"
            if other != verdict:
                without[f"{task} ({data_set})"] = other
    return without


def _one_less(report: Report, data_set: str, measure: str, pair: Pair, task: str) -> Comparison:
    """Return a comparison without the class `task`; cached, because several claims need it."""
    return report.once(Report.compare, data_set, measure, pair).without(task)


def _complete(compared: Compared) -> list[Comparison]:
    """Return the comparisons on data sets on which every comparison has results."""
    absent = {own.data_set for own in compared if not own.available}
    return [own for own in compared if own.data_set not in absent]


def comparison_labels(keys: Iterable[ComparisonKey]) -> dict[ComparisonKey, str]:
    """Return a label per comparison, such as "F1", or "letter, svm less lr, F1".

    The data set and the pair of methods are in the labels only if there are several. `keys` are
    tuples (data set, measure, pair).
    """
    keys = list(keys)
    several_data_sets = len({data_set for data_set, _, _ in keys}) > 1
    several_pairs = len({pair for _, _, pair in keys}) > 1
    return {
        (data_set, measure, pair): (
            f"{data_set}, " * several_data_sets
            + f"{' less '.join(pair.methods)}, " * several_pairs
            + measure_name(measure)
        )
        for data_set, measure, pair in keys
    }


def test_numbers(compared: Compared) -> Numbers:
    """Return the numbers of significance tests, such as {"F1: wins": 12, "F1: p": 0.01, …}.

    `compared` has comparisons of two methods, of which `comparison_labels` makes the keys. For each
    comparison, there are both averages, their difference, wins and losses of the proposed method
    over classes, and the p-value of Wilcoxon's signed-rank test. Data sets on which a comparison
    has no results are left out.
    """
    numbers: Numbers = {}
    labels = comparison_labels(own.key for own in compared)
    for own in _complete(compared):
        label = labels[own.key]
        numbers |= {f"{label}: {method}": own.average(method) for method in own.pair.methods}
        numbers |= {
            f"{label}: difference": own.difference,
            f"{label}: wins": own.counts.wins,
            f"{label}: losses": own.counts.losses,
            f"{label}: p": own.test.p_value,
        }
    return numbers


def interval_numbers(report: Report, compared: Compared) -> Numbers:
    """Return differences between two methods' average test values, with bootstrap intervals.

    `compared` has comparisons of two methods. Differences have keys such as "letter, SVM less LR"
    (SVM minus LR on the data set letter); with several measures, ", F1" or the like follows. The
    ends of an interval have this key with ": interval from" or ": interval to" at the end.
    """
    numbers: Numbers = {}
    several_measures = len({own.measure for own in compared}) > 1
    for own in compared:
        first, second = map(report.method_label, own.pair.methods)
        place = f"{own.data_set}, {first} less {second}"
        place += f", {measure_name(own.measure)}" * several_measures
        low, high = report.intervals.difference(own.data_set, own.measure, own.pair)
        numbers |= {place: own.difference, f"{place}: interval from": low}
        numbers[f"{place}: interval to"] = high
    return numbers
