"""Write the sentences that recommend a method, from the compared values of one criterion."""

import pandas as pd

from beyond_accuracy.comparison.criteria import RULES, Criterion
from beyond_accuracy.comparison.evaluation import PLAIN, TUNED
from beyond_accuracy.comparison.intervals import NO, OPEN, YES

_MOST_LISTED = 3


def label(row: pd.Series) -> str:
    """Return the name of a method for readers, from a row of `Comparison.table`.

    The name ends with the variant, such as "tuned threshold", unless the variant is "plain".
    """
    return row["method"] if row["variant"] == PLAIN else f"{row['method']}, {row['variant']}"


def number(value: float, *, sign: bool = False) -> str:
    """Format a number with three decimals, or fewer if it is large and more if it is tiny.

    With `sign`, positive numbers get a plus sign.
    """
    size = abs(value)
    form = ",.1f" if size >= 10 else ".3f" if size >= 0.001 or size == 0 else ".2g"
    return f"{value:{'+' if sign else ''}{form}}".replace("-", "−")


def interval(low: float, high: float, *, sign: bool = False) -> str:
    """Format an interval, such as "[0.512, 0.634]". With `sign`, positive ends get a plus sign."""
    return f"[{number(low, sign=sign)}, {number(high, sign=sign)}]"


def recommend(
    rows: pd.DataFrame, rule: pd.Series, criterion: Criterion, margin: float
) -> tuple[object, str]:
    """Recommend a method for one measure or the average cost, and explain the choice.

    Return (index of the recommended row, sentence with the explanation). `rows` is the part of
    `Comparison.table` for the criterion, ordered from simple to complex methods. `rule` is the row
    of the best rule that ignores the features, and is not in `rows`. The first method within
    `margin` of the best is recommended. The index is None if no method is better than the rule.
    """
    trivial = _no_better(rule, criterion, margin)
    if trivial:
        return None, trivial
    best = rows.loc[(criterion.sign * rows["difference"]).idxmax()]
    good = rows[rows["within"] == YES]
    used = good.iloc[0]
    if used.name == best.name:
        superlative = "highest" if criterion.sign > 0 else "lowest"
        why = f"it has the {superlative} {criterion.label}, {number(best['value'])}"
        others = rows[(rows["within"] == OPEN) & (rows.index != best.name)]
        if len(others):
            why += f" (too few rows to tell about {_listed(others)})"
    else:
        why = (
            f"it is the simplest of {len(good)} methods within {margin:.3g} of the best, "
            f"{label(best)}, at {_difference(used)}"
        )
    return used.name, f"Use {label(used)}: {why}; {_on_threshold(rows, used, criterion, margin)}."


def _listed(rows) -> str:
    if len(rows) > _MOST_LISTED:
        return f"{len(rows)} others"
    *others, last = (f"“{label(row)}”" for _, row in rows.iterrows())
    return " and ".join(filter(None, [", ".join(others), last]))


def _difference(row) -> str:
    ends = interval(row["difference_low"], row["difference_high"], sign=True)
    return f"{number(row['difference'], sign=True)} {ends}"


def _no_better(rule, criterion, margin) -> str:
    """Return a sentence if no method is better than the trivial rule, otherwise ""."""
    said = f"{RULES[rule['method']]} ({criterion.label} {number(rule['value'])})"
    ends = rule["difference_low"], rule["difference_high"]
    high = ends[1] if criterion.sign > 0 else -ends[0]
    within = criterion.sign * rule["difference"] >= -margin
    if high < 0 and not within:
        return ""
    if high < 0:
        remedy = "compare by a measure that tells more"
        return f"No method is better than {said} by more than {margin:.3g}: {remedy}."
    if within:
        why = "the features say nothing about the target that this comparison could use"
        return f"No method is better than {said}: {why}."
    why = "too few rows to tell whether the features say anything about the target"
    return f"No method is shown to be better than {said}: {why}."


def _on_threshold(rows, used, criterion, margin) -> str:
    """Return the part of the recommendation that says whether a tuned threshold is enough."""
    if not criterion.has_threshold:
        return f"{criterion.label} depends on the order of scores alone, not on a threshold"
    tuned = rows[rows["variant"] == TUNED]
    if tuned.empty:
        return "no threshold was tuned, as all methods decide by themselves"
    if used["variant"] == TUNED:
        is_plain = (rows["variant"] == PLAIN) & (rows["method"] == used["method"])
        others = rows[(rows["variant"] != TUNED) & ~is_plain]
        end = "difference_high" if criterion.sign > 0 else "difference_low"
        better = others[criterion.sign * others[end] > margin]
        enough = "a tuned threshold is enough"
        if len(better):
            enough += f", though so few rows leave open whether {_listed(better)} is better"
        plain = rows[is_plain]
        if plain.empty:
            return enough
        needed = {
            NO: "and is needed",
            OPEN: "with too few rows to tell whether it is needed",
            YES: "and is hardly needed",
        }[plain.iloc[0]["within"]]
        return f"{enough}, {needed}: without it the difference is {_difference(plain.iloc[0])}"
    if (tuned["method"] == used["method"]).any() and used["variant"] == PLAIN:
        return "its threshold needs no tuning"
    good = tuned[tuned["within"] == YES]
    if len(good):
        return f"a tuned threshold does as well, with {label(good.iloc[0])}"
    nearest = tuned.loc[(criterion.sign * tuned["difference"]).idxmax()]
    if (tuned["within"] == NO).all():
        said = "a tuned threshold is not enough"
    else:
        said = "there are too few rows to tell whether a tuned threshold is enough"
    return f"{said}: {label(nearest)} is at {_difference(nearest)}"
