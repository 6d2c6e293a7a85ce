"""Recommend a method for each measure and kind of tasks, from the results of an arena."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from ..formats import if_known, percent_change
from ..names import measure_name
from ..report import Report
from ..tables import Across, Column, Table
from .ranks import ROPE, average_ranks, worse_by_pair
from .values import better_is_positive, by_data_set, situations, task_values

AS_GOOD = 0.9
"""Probability of not being worse in practice that a recommended method needs."""

FEWEST = 5
"""Number of data sets that a recommendation needs."""

NOTHING = {
    **dict.fromkeys(("recommended", "contenders", "best", "n_data_sets"), ""),
    **dict.fromkeys(("rank", "rank_of_best", "difference", "not_worse"), float("nan")),
    **{"threshold": "", "threshold_method": "", "threshold_not_worse": float("nan")},
}
"""`not_worse` is the least probability, over all other methods, that the recommended method is not
worse by more than `ROPE`. Without a recommended method, `contenders` has the methods for which this
probability is at least one half, as JSON. `threshold` says whether tuning a threshold is enough:
"not needed", "enough", "not enough", "undecided", or "" if no method tunes a threshold."""
COLUMNS = ["measure", "situation", "when", "probabilities", *NOTHING, "evidence"]


@dataclass(frozen=True)
class Contestants:
    """Groups of methods in a comparison of many methods. Each group is a list of method ids.

    - `simple_first`: all methods that can be recommended, simpler ones first
    - `probabilistic`: methods whose class probabilities are not distorted, for example by class
      weights
    - `plain`: methods without tuning or class weights
    - `tuned`: methods that only tune a decision threshold
    """

    simple_first: Sequence[str]
    probabilistic: Sequence[str] = ()
    plain: Sequence[str] = ()
    tuned: Sequence[str] = ()


def recommend(
    table: pd.DataFrame,
    simple_first: Sequence[str],
    plain: Sequence[str] = (),
    tuned: Sequence[str] = (),
) -> dict[str, Any]:
    """Recommend the simplest method that is not worse in practice than any other method.

    `table` has one row per data set and one column per method; larger values are better.
    `simple_first` lists methods, simpler ones first. A method is worse in practice if it is worse
    by over 1 percentage point with a probability above 0.1.

    Return a dict. The key "recommended" has the method, or "" if no method qualifies or there are
    too few data sets. Other keys say, for example, whether tuning a decision threshold is enough.
    For this, `plain` lists methods without tuning, and `tuned` methods that only tune a threshold.
    """
    order = [name for name in simple_first if name in table]
    result = NOTHING | {"n_data_sets": len(table)}
    if len(table) < FEWEST or not order:
        return result
    table = table[order]
    ranks = average_ranks(table)
    # In a tie, the first one.
    best = str(ranks.idxmin())
    worse = worse_by_pair(table)
    not_worse = 1 - worse.max(axis=1)
    result |= {"best": best, "rank_of_best": ranks[best]}
    result |= _threshold(worse, not_worse, plain, tuned)
    good = [name for name in order if not_worse[name] >= AS_GOOD]
    if not good:
        nearest = not_worse[not_worse >= min(0.5, not_worse.max())].round(4)
        return result | {"contenders": json.dumps(nearest.to_dict())}
    method = good[0]
    return result | {
        "recommended": method,
        "rank": ranks[method],
        "difference": float((table[method] - table[best]).mean()),
        "not_worse": not_worse[method],
    }


def _threshold(
    worse: pd.DataFrame, not_worse: pd.Series, plain: Sequence[str], tuned: Sequence[str]
) -> dict[str, Any]:
    """Return the entries on a tuned threshold of a recommendation, or {} if no method tunes one."""
    if not set(tuned) & set(worse.index):
        return {}
    names = [name for name in worse.index if name in plain or name in tuned]
    good = [name for name in names if not_worse[name] >= AS_GOOD]
    good_plain = [name for name in good if name in plain]
    others = worse.loc[names].drop(columns=names).min()
    if good_plain:
        verdict, method = "not needed", good_plain[0]
    elif good:
        verdict, method = "enough", good[0]
    elif len(others) and others.max() >= AS_GOOD:
        verdict, method = "not enough", others.idxmax()
    else:
        verdict, method = "undecided", not_worse[names].idxmax()
    return {
        "threshold": verdict,
        "threshold_method": method,
        "threshold_not_worse": not_worse[method],
    }


def recommendations(report: Report, contestants: Contestants) -> pd.DataFrame:
    """Recommend a method for each measure and kind of tasks, such as tasks with sparse features.

    Return one row per measure and kind. If `contestants.probabilistic` is not empty, there is a
    second row, in which `probabilities` is true. It recommends a method whose class probabilities
    are not distorted, for example by class weights.
    """
    rows = report.once(task_values)
    recommended = []
    for measure in report.measures:
        for situation in situations(rows):
            of_kind = rows[situation.holds(rows)]
            if of_kind.empty:
                continue
            kinds: Mapping[bool, Sequence[str]] = {False: contestants.simple_first}
            if contestants.probabilistic:
                kinds |= {True: contestants.probabilistic}
            for probabilities, methods in kinds.items():
                order = [name for name in methods if name in set(of_kind["method"])]
                table = by_data_set(of_kind, measure, order)
                result = recommend(table, order, contestants.plain, contestants.tuned)
                keys = (measure, situation.name, situation.label, probabilities)
                recommended.append((*keys, *result.values(), "table_pairs"))
    return pd.DataFrame(recommended, columns=COLUMNS)


def advice(row: Mapping[str, Any], label: Callable[[str], str], other: str | None = None) -> str:
    """Return a recommendation in words, such as "LR, weighted (0.95)" or "too few data sets".

    The number is the probability that the method is not worse in practice than any other. `row` is
    a row of the table made by `recommendations`. The function `label` returns a method's name by
    its id. `other` names the methods to use if class probabilities are needed.
    """
    if known(row["recommended"]):
        text = f"{label(row['recommended'])} ({_probability(row['not_worse'])})"
    elif known(row["contenders"]):
        nearest = json.loads(row["contenders"])
        listed = [f"{label(name)} ({_probability(value)})" for name, value in nearest.items()]
        text = f"undecided: {' or '.join(listed)}"
    else:
        return "too few data sets"
    return f"{text}; for probabilities {other}" if other else text


_THRESHOLD_ADVICE = {
    "not needed": "not needed: {} without tuning ({})",
    "enough": "yes: {} ({})",
    "not enough": "no: {} is better ({})",
    "undecided": "undecided; the nearest is {} ({})",
}


def threshold_advice(row: Mapping[str, Any], label: Callable[[str], str]) -> str:
    """Return a text on whether tuning a decision threshold is enough; "" if no method tunes one.

    The text begins with "yes", "no", "not needed" or "undecided", such as "yes: LR, threshold tuned
    (0.93)". The number is the probability that this method is not worse in practice than any other.
    `row` is a row of the table made by `recommendations`. The function `label` returns a method's
    name by its id.
    """
    if not known(row["threshold"]):
        return ""
    shown = _probability(row["threshold_not_worse"])
    return _THRESHOLD_ADVICE[row["threshold"]].format(label(row["threshold_method"]), shown)


def _probability(value: float) -> str:
    """Return a probability rounded down to two decimals, so that 0.899 is not shown as 0.90."""
    return f"{math.floor(100 * value + 1e-9) / 100:.2f}"


def known(value: Any) -> bool:
    """Return whether a value from a CSV file is a text; empty texts are read as NaN."""
    return isinstance(value, str) and value != ""


def for_probabilities(
    recommended: pd.DataFrame, label: Callable[[str], str]
) -> dict[tuple[str, str], str]:
    """Return {(measure, kind of tasks): methods to use if class probabilities are needed}.

    `recommended` is a table made by `recommendations`. The function `label` returns a method's name
    by its id. An entry is left out if the same methods are recommended to all users.
    """
    named: dict[bool, dict[tuple[str, str], list[str]]] = {False: {}, True: {}}
    undecided = set()
    for row in recommended.to_dict("records"):
        key, names = (row["measure"], row["when"]), []
        if known(row["recommended"]):
            names = [row["recommended"]]
        elif known(row["contenders"]):
            names = list(json.loads(row["contenders"]))
            undecided.add((row["probabilities"], key))
        named[row["probabilities"]][key] = names
    return {
        key: "undecided: " * ((True, key) in undecided) + " or ".join(map(label, names))
        for key, names in named[True].items()
        if names and set(names) != set(named[False].get(key, []))
    }


def recommendation_table(report: Report, contestants: Contestants) -> Table:
    """Return a table of recommended methods, one row per kind of tasks.

    For each measure, columns have the recommended method, the method with the best rank, the
    evidence, and whether tuning a decision threshold is enough. `contestants` lists the methods
    that can be recommended.
    """
    frame = recommendations(report, contestants)
    rows, label = frame.to_dict("records"), report.method_label
    frame["column"] = [
        row["when"] + ", probabilities needed" * row["probabilities"] for row in rows
    ]
    frame["use"] = [advice(row, label) for row in rows]

    def evidence(difference: float, not_worse: float, n_data_sets: int) -> str:
        return f"{percent_change(difference)}; {_probability(not_worse)}; {n_data_sets}"

    # All methods with probabilities are plain or tuned.
    frame["enough"] = ["" if row["probabilities"] else threshold_advice(row, label) for row in rows]
    lines = [
        Column("Use", "use"),
        Column("Best-ranked", "best", label),
        Column("Evidence", ("difference", "not_worse", "n_data_sets"), if_known(evidence)),
        Column("Is a threshold enough?", "enough"),
    ]
    return Table(
        frame=frame,
        index=[Column("Tasks", "column")],
        columns=[Across("measure", measure_name, lines)],
        caption=(
            "What to use: the simplest method that, against each of the others, is not worse by "
            f"more than {100 * ROPE:g} percentage point, with a probability of {AS_GOOD:.0%}."
        ),
        notes=[
            "Simpler methods are those that stand first: "
            f"{'; '.join(map(label, contestants.simple_first))}.",
            "In brackets: the least, over all other methods, of the probabilities of not being "
            "worse, rounded down, by the Bayesian signed-rank test (Benavoli et al. 2017). "
            f"Undecided: it is below {AS_GOOD:g} for every method; named are those of one half.",
            "Evidence: mean difference from the best-ranked in percentage points; that "
            f"probability; number of data sets. Fewer than {FEWEST} give no recommendation.",
            "A tuned threshold is enough if the rule holds for a method that tunes only that, not "
            "needed if it holds for the method without tuning, and not enough if one method is "
            "better than all of these.",
            *better_is_positive(report),
        ],
    )
