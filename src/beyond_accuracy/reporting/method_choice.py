"""Which of several methods to use, from their nested results on one data set."""

from collections.abc import Mapping, Sequence
from importlib import resources
from typing import NamedTuple

import numpy as np
import pandas as pd
from markupsafe import Markup

from beyond_accuracy.measures import get_measure
from beyond_accuracy.reporting.bootstrap import (
    macro_averages,
    percentile_interval,
    resampled_values,
)
from beyond_accuracy.reporting.formats import percent, percent_change, percent_interval, seconds
from beyond_accuracy.reporting.html_tables import plain_table
from beyond_accuracy.reporting.resampled_measures import resampled_measure
from beyond_accuracy.reporting.table_files import template

_LEVEL = 0.95
_RESAMPLES = 500
COLUMNS = ("value", "low", "high", "difference", "difference_low", "difference_high", "as_good")

Folds = Sequence[tuple[np.ndarray, np.ndarray]]
"""Of each fold: which test examples are positive, and their decision values."""


class Choice(NamedTuple):
    """A recommendation: the method, why, and whether tuning a threshold is all one needs."""

    method: str
    why: str
    threshold: str


def intervals(methods: Mapping[str, Folds], measure: str, seed: int) -> pd.DataFrame:
    """Averages over folds with bootstrap intervals, and the differences to the best method.

    Test examples are resampled within folds, the same for all methods, so that differences are
    paired; models are not fitted again, so that intervals leave out what other training data
    would change. One row a method, in the order given, with the columns `COLUMNS`; `as_good` is
    whether the interval of the difference to the best method holds 0.
    """
    values = {
        name: np.array([get_measure(measure).score(y, decision) for y, decision in folds])
        for name, folds in methods.items()
    }
    n_folds = len(next(iter(values.values())))
    resampled = {name: [] for name in methods}
    for fold in range(n_folds):
        evaluators = [[resampled_measure(measure, *folds[fold])] for folds in methods.values()]
        n_examples = len(next(iter(methods.values()))[fold][0])
        drawn = resampled_values(evaluators, n_examples, _RESAMPLES, [seed, fold])
        for name, column in zip(methods, drawn, strict=True):
            resampled[name].append(column[:, 0])
    averages = {
        name: macro_averages(np.column_stack(columns), values[name])
        for name, columns in resampled.items()
    }
    means = {name: float(each.mean()) for name, each in values.items()}
    best = max(means, key=means.get)
    rows = []
    for name in methods:
        value = percentile_interval(means[name], averages[name], _LEVEL)
        difference = percentile_interval(
            means[name] - means[best], averages[name] - averages[best], _LEVEL
        )
        as_good = difference.low <= 0 <= difference.high
        rows.append((*value[:3], *difference[:3], as_good))
    return pd.DataFrame(rows, index=list(methods), columns=list(COLUMNS))


def choose(scores: pd.DataFrame, labels: Mapping[str, str], measure: str) -> Choice:
    """Of the methods that are as good as the best the simplest, the first in `labels`.

    Parameters
    ----------
    scores : DataFrame
        As `intervals` returns it.
    labels : mapping
        Names for people, from the simplest method on; tuned ones end in ``_tuned``.
    measure : str
    """
    label = get_measure(measure).label
    best = scores["value"].idxmax()
    equal = [name for name in labels if name in scores.index and scores.loc[name, "as_good"]]
    method = equal[0]
    if method == best:
        why = f"It has the highest {label}, {percent(scores.loc[best, 'value'])} %"
        why += " and no simpler method is as good." if len(equal) == 1 else "."
    else:
        row = scores.loc[method]
        why = (
            f"It is the simplest of {len(equal)} methods that cannot be told from the best, "
            f"{labels[best]}: {percent_change(row['difference'])} points, interval "
            f"{percent_interval(row['difference_low'], row['difference_high'], sign=True)}."
        )
    return Choice(method, why, _on_threshold(scores, labels, label, equal))


_NOT_TOLD = "cannot be told from the best"


def _on_threshold(scores, labels, label, equal) -> str:
    tuned = [name for name in labels if name in scores.index and name.endswith("_tuned")]
    if not tuned:
        return (
            f"Tuning a threshold is no answer here: {label} depends on the order of scores alone."
        )
    plain = [name for name in equal if name.removesuffix("_weighted") + "_tuned" in tuned]
    plain = [name for name in plain if not name.endswith("_weighted")]
    if plain:
        return f"Nothing shows that a threshold needs tuning: {labels[plain[0]]} {_NOT_TOLD}."
    good = [name for name in tuned if name in equal]
    if good and good[0] == equal[0]:
        return f"Tuning a threshold is all you need: {labels[good[0]]} {_NOT_TOLD}."
    if good:
        return f"Tuning a threshold does as well: {labels[good[0]]} {_NOT_TOLD}."
    nearest = scores.loc[tuned, "value"].idxmax()
    row = scores.loc[nearest]
    interval = percent_interval(row["difference_low"], row["difference_high"], sign=True)
    return (
        f"Tuning a threshold is not enough: {labels[nearest]} stays "
        f"{percent_change(row['difference'])} points from the best, interval {interval}."
    )


def shown(scores: pd.DataFrame, labels: Mapping[str, str], label: str) -> pd.DataFrame:
    """The table for people, best method first; `scores` has a column `seconds` too.

    Methods without a value come last, with the `reason`.
    """
    ordered = scores.sort_values("value", ascending=False, kind="stable", na_position="last")
    rows = []
    for name, row in ordered.iterrows():
        cells = [labels[name], percent(row["value"]), percent_interval(row["low"], row["high"])]
        if pd.isna(row["value"]):
            cells += ["", "", str(row["reason"])]
        else:
            low, high = row["difference_low"], row["difference_high"]
            difference = f"{percent_change(row['difference'])} "
            difference += percent_interval(low, high, sign=True)
            cells += [difference, seconds(row["seconds"]), "yes" if row["as_good"] else ""]
        rows.append(cells)
    columns = ["Method", f"{label} (%)", "95 % interval", "Against the best", "Seconds"]
    return pd.DataFrame(rows, columns=[*columns, "As good as the best"])


def comparison_page(
    table: pd.DataFrame, choice: Choice | None, labels: Mapping[str, str], facts: Mapping[str, str]
) -> str:
    """The page of a comparison: what to use, the table and the data, nothing loaded from elsewhere.

    `facts` are what is said of data and protocol, by heading; `table` is that of `shown`.
    """
    assets = resources.files("beyond_accuracy.reporting.site") / "assets"
    styles = [assets / "libraries" / "pico.min.css", assets / "site.css"]
    # Files of this package, with nothing of the data.
    text = "\n".join(file.read_text(encoding="utf-8") for file in styles)
    style = Markup(text)  # nosec B704
    return template("comparison.html.jinja").render(
        style=style,
        choice=choice,
        method=labels[choice.method] if choice else None,
        table=plain_table(table, ["Method"]),
        facts=facts,
    )
