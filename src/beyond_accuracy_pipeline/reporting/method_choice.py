"""Which of several methods to use, from their nested results on one data set."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from importlib import resources
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from markupsafe import Markup, escape

from beyond_accuracy.measures import get_measure
from beyond_accuracy_pipeline.reporting.bootstrap import (
    macro_averages,
    percentile_interval,
    resampled_values,
)
from beyond_accuracy_pipeline.reporting.formats import (
    percent,
    percent_change,
    percent_interval,
    seconds,
)
from beyond_accuracy_pipeline.reporting.html_tables import plain_table
from beyond_accuracy_pipeline.reporting.resampled_measures import resampled_measure
from beyond_accuracy_pipeline.reporting.table_files import template

_LEVEL = 0.95
_RESAMPLES = 500
MARGIN = 0.01
"""Methods up to one percentage point below the best are as good in practice."""

YES, NO, OPEN = "yes", "no", "too few rows to tell"
COLUMNS = ("value", "low", "high", "difference", "difference_low", "difference_high", "as_good")

Folds = Sequence[tuple[np.ndarray, np.ndarray]]
"""Of each fold: which test examples are positive, and their decision values."""


class Choice(NamedTuple):
    """A recommendation: the method, why, and what that says of tuning a threshold.

    The method is "" if none is better than a trivial rule, as `why` says then.
    """

    method: str
    why: str
    threshold: str


def intervals(
    methods: Mapping[str, Folds],
    measure: str,
    seed: int,
    rules: Mapping[str, Folds] | None = None,
) -> pd.DataFrame:
    """Averages over folds with bootstrap intervals, and the differences to the best method.

    Test examples are resampled within folds, the same for all methods, so that differences are
    paired; models are not fitted again, so that intervals leave out what other training data
    would change. One row a method, in the order given, with the columns `COLUMNS`; `as_good` is
    `YES` if the interval of the difference to the best method lies above -`MARGIN`, `NO` if it lies
    below, else `OPEN`. Trivial `rules` have rows after those of methods, and are never the best.
    """
    names, methods = list(methods), {**methods, **(rules or {})}
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
    best = max(names, key=means.get)
    rows = []
    for name in methods:
        value = percentile_interval(means[name], averages[name], _LEVEL)
        difference = percentile_interval(
            means[name] - means[best], averages[name] - averages[best], _LEVEL
        )
        rows.append((*value[:3], *difference[:3], _as_good(difference.low, difference.high)))
    return pd.DataFrame(rows, index=list(methods), columns=list(COLUMNS))


def _as_good(low: float, high: float) -> str:
    if low > -MARGIN:
        return YES
    return NO if high < -MARGIN else OPEN


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
    by_answer = {
        answer: [
            name for name in labels if name in scores.index and _answer(scores, name) == answer
        ]
        for answer in (YES, NO, OPEN)
    }
    method = by_answer[YES][0]
    if method == best:
        why = f"It has the highest {label}, {percent(scores.loc[best, 'value'])} %."
        others = [name for name in by_answer[OPEN] if name != best]
        if others:
            listed = "; ".join(labels[name] for name in others)
            why += f" Too few rows to tell whether others are within {_POINT} of it: {listed}."
    else:
        why = (
            f"It is the simplest of {len(by_answer[YES])} methods that are within {_POINT} of the "
            f"best, {labels[best]}: {_difference(scores, method)}."
        )
    return Choice(method, why, _on_threshold(scores, labels, label, method))


def no_better(rule: pd.Series, said: str, measure: str, target: str) -> Choice | None:
    """What is said in place of a method if none is better than a trivial rule; None if one is.

    Parameters
    ----------
    rule : Series
        The row of the rule, as `intervals` returns it.
    said : str
        What the rule does, after "better than".
    measure : str
    target : str
        What is predicted, for people.
    """
    label = get_measure(measure).label
    said = f"{said} ({label} {percent(rule['value'])} %)"
    within = rule["difference"] >= -MARGIN
    if rule["difference_high"] < 0:
        if not within:
            return None
        why = f"better than {said} by more than {_POINT}: compare by a measure that tells more."
    elif within:
        why = (
            f"better than {said}: the features say nothing about {target} that this comparison "
            "could use."
        )
    else:
        why = (
            f"shown to be better than {said}: too few rows to tell whether the features say "
            f"anything about {target}."
        )
    return Choice("", f"No method is {why}", "")


_POINT = f"{100 * MARGIN:g} point"
_TUNED = "_tuned"


def _answer(scores: pd.DataFrame, name: str) -> str:
    return str(scores.loc[name, "as_good"])


def _difference(scores: pd.DataFrame, name: str) -> str:
    row = scores.loc[name]
    interval = percent_interval(row["difference_low"], row["difference_high"], sign=True)
    return f"{percent_change(row['difference'])} points, 95 % interval {interval}"


def _on_threshold(scores: pd.DataFrame, labels: Mapping[str, str], label: str, method: str) -> str:
    """What the method that is used says of tuning a threshold."""
    tuned = [name for name in labels if name in scores.index and name.endswith(_TUNED)]
    if not tuned:
        return (
            f"Tuning a threshold is no answer here: {label} depends on the order of scores alone."
        )
    tuned = [name for name in tuned if name.removesuffix(_TUNED) not in _WITH_COSTS] or tuned
    if method in tuned:
        plain = method.removesuffix(_TUNED)
        others = [name for name in scores.index if name not in tuned and name != plain]
        better = [name for name in others if scores.loc[name, "difference_high"] > MARGIN]
        text = "Tuning a threshold is enough."
        if better:
            listed = "; ".join(labels[name] for name in labels if name in better)
            text = (
                "Tuning a threshold is enough, as far as so few rows tell: they leave open whether "
                f"more is to be had from {listed}."
            )
        if plain not in scores.index:
            return text
        says = {
            NO: "It is needed",
            OPEN: "Too few rows to tell whether it is needed",
            YES: "It is not needed",
        }[_answer(scores, plain)]
        return (
            f"{text} {says}: {labels[plain]} without one differs by {_difference(scores, plain)}."
        )
    if f"{method}{_TUNED}" in tuned:
        return f"No threshold needs tuning: {labels[method]} is used as it is."
    good = [name for name in tuned if _answer(scores, name) == YES]
    if good:
        return f"Tuning a threshold does as well, and is less simple here: {labels[good[0]]}."
    nearest = scores.loc[tuned, "value"].idxmax()
    if all(_answer(scores, name) == NO for name in tuned):
        said = "Tuning a threshold is not enough"
    else:
        said = "There are too few rows to tell whether tuning a threshold is enough"
    return f"{said}: {labels[nearest]} is at {_difference(scores, nearest)}."


_WITH_COSTS = ("cost_svm",)
"""What has costs in its grid is tuned for the measure, and no plain method."""


def chosen_parameters(folds: Sequence[Mapping[str, Any]]) -> str:
    """What was chosen in the folds: the most frequent values, how often, and thresholds.

    A threshold has the name ``threshold``, and is shown from the least to the greatest.
    """
    values = [
        ", ".join(f"{key} {_number(value)}" for key, value in each.items() if key != "threshold")
        for each in folds
    ]
    if not any(values):
        return ""
    most, count = Counter(values).most_common(1)[0]
    text = f"{most} ({count} of {len(folds)} folds)"
    thresholds = [each["threshold"] for each in folds if "threshold" in each]
    if thresholds:
        text += f"; threshold {_number(min(thresholds), 3)} to {_number(max(thresholds), 3)}"
    return text


def _number(value: float, digits: int = 6) -> str:
    return f"{value:.{digits}g}".replace("-", "−")


def most_warned(folds: Sequence[Sequence[str]]) -> str:
    """What the fits of most folds warned of, in how many; "" where none did.

    Warnings that differ in their numbers alone count as one, in the words of the first.
    """
    texts = [{_NUMBERS.sub("", text): text for text in each} for each in folds]
    warned = Counter(kind for each in texts for kind in each)
    if not warned:
        return ""
    most, count = warned.most_common(1)[0]
    first = next(each[most] for each in texts if most in each)
    return f"warned in {count} of {len(folds)} folds: {first}"


_NUMBERS = re.compile(r"[\d.]+")


def interval_chart(scores: pd.DataFrame, labels: Mapping[str, str], label: str) -> str:
    """The values and their intervals as an SVG of its own, best first; "" of none."""
    from matplotlib.ticker import MaxNLocator

    known = scores[scores["value"].notna()].sort_values("value", ascending=False, kind="stable")
    if known.empty:
        return ""
    ends = float(known["low"].min()), float(known["high"].max())
    ticks = MaxNLocator(5, steps=[1, 2, 5, 10]).tick_values(*ends)
    low, high = ticks[0], ticks[-1]
    width, left, right, step = 640, 250, 16, 22
    scale = (width - left - right) / (high - low)
    height, base = step * (len(known) + 3), step * (len(known) + 1)
    parts = []
    for number, (name, row) in enumerate(known.iterrows()):
        y = step * (number + 1)
        x, x_low, x_high = (left + scale * (row[key] - low) for key in ("value", "low", "high"))
        title = (
            f"{labels[name]}: {percent(row['value'])} {percent_interval(row['low'], row['high'])}"
        )
        parts.append(
            f'<g><title>{escape(title)}</title><text x="{left - 10}" y="{y + 4}" '
            f'text-anchor="end">{escape(labels[name])}</text>'
            f'<line x1="{x_low:.1f}" x2="{x_high:.1f}" y1="{y}" y2="{y}" stroke="currentColor"/>'
            f'<circle cx="{x:.1f}" cy="{y}" r="4"/></g>'
        )
    for value in ticks:
        x = left + scale * (value - low)
        parts.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="6" y2="{base - 14}" stroke="currentColor" '
            f'stroke-opacity=".15"/><text x="{x:.1f}" y="{base}" text-anchor="middle">'
            f"{100 * value:g}</text>"
        )
    middle = (left + width - right) / 2
    parts.append(
        f'<text x="{middle}" y="{base + step}" text-anchor="middle">{escape(label)} (%); bars are '
        "95 % intervals</text>"
    )
    described = escape(
        f"{label} of each method in percent, with 95 % intervals; the table has them"
    )
    # On narrow pages letters have eight points, as those of figures have.
    points = width * 8 / 12
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{described}" '
        f'fill="currentColor" font-size="12" style="--width: {points:.0f}; max-width: 48rem">'
        f"{''.join(parts)}</svg>"
    )


_SEE_BELOW = "warned, see below"


def shown(
    scores: pd.DataFrame, labels: Mapping[str, str], label: str, rules: Collection[str] = ()
) -> pd.DataFrame:
    """The table for people, best first; `scores` has `seconds`, `parameters` and `warned` too.

    Methods without a value come last, with the `reason`; of `rules` none is called the best.
    """
    ordered = scores.sort_values("value", ascending=False, kind="stable", na_position="last")
    rows = []
    for name, row in ordered.iterrows():
        cells = [labels[name], percent(row["value"]), percent_interval(row["low"], row["high"])]
        if pd.isna(row["value"]):
            cells += ["", "", str(row["reason"]), ""]
        else:
            low, high = row["difference_low"], row["difference_high"]
            difference = f"{percent_change(row['difference'])} "
            difference += percent_interval(low, high, sign=True)
            answer = "best" if row["difference"] == 0 and name not in rules else row["as_good"]
            chosen = [row["parameters"], _SEE_BELOW if row["warned"] else ""]
            cells += [difference, seconds(row["seconds"]), answer, "; ".join(filter(None, chosen))]
        rows.append(cells)
    columns = ["Method", f"{label} (%)", "95 % interval", "Against the best", "CPU seconds"]
    return pd.DataFrame(rows, columns=[*columns, f"Within {_POINT} of it", "Chosen"])


def comparison_page(
    table: pd.DataFrame,
    choice: Choice | None,
    labels: Mapping[str, str],
    facts: Mapping[str, str],
    chart: str = "",
    warned: Mapping[str, str] | None = None,
) -> str:
    """The page of a comparison: what to use, the table and the data, nothing loaded from elsewhere.

    `facts` are what is said of data and protocol, by heading; `table` is that of `shown`, `chart`
    that of `interval_chart`; `warned` is what methods warned of, by their names.
    """
    assets = resources.files("beyond_accuracy_pipeline.reporting.site") / "assets"
    libraries = assets / "libraries"

    def inline(*files):
        # Files of this package, with nothing of the data.
        text = "\n".join(file.read_text(encoding="utf-8") for file in files)
        return Markup(text)  # nosec B704

    return template("comparison.html.jinja").render(
        style=inline(
            libraries / "pico.min.css",
            libraries / "dataTables.dataTables.min.css",
            assets / "site.css",
        ),
        theme=inline(assets / "theme.js"),
        script=inline(libraries / "dataTables.min.js", assets / "tables.js"),
        choice=choice,
        method=labels[choice.method] if choice and choice.method else None,
        table=plain_table(table, ["Method"]),
        facts=facts,
        # SVG that `interval_chart` writes, texts escaped.
        chart=Markup(chart),  # nosec B704
        warned=warned or {},
        margin=_POINT,
    )
