"""Build the HTML page of a comparison: one file that loads no other files."""

import json
import math
import textwrap
from collections.abc import Sequence
from html import escape
from importlib import resources
from string import Template
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from beyond_accuracy.comparison.criteria import make_criterion
from beyond_accuracy.comparison.recommendation import interval, label, number
from beyond_accuracy.measures.operating_curve import RankedExamples
from beyond_accuracy.measures.threshold_measures import objective_and_constraint
from beyond_accuracy.operating_points import (
    best_operating_point,
    make_objective,
    parse_constraints,
)
from beyond_accuracy.operating_points.objectives import COST

if TYPE_CHECKING:
    from beyond_accuracy.comparison.comparison import Comparison

MOST_THRESHOLDS = 1000
_TOP, _LINE, _LETTERS = 4, 16, 44


def comparison_page(comparison: "Comparison", title: str, notes: Sequence[str]) -> str:
    """Return the HTML page of a comparison of classifiers; `notes` are lines about the data."""
    files = resources.files("beyond_accuracy.comparison") / "assets"
    names = ("page.html", "page.css", "explorer.js")
    page, style, script = ((files / name).read_text(encoding="utf-8") for name in names)
    data = explorer_data(comparison)
    facts = [*comparison.facts.items(), *(("Note", note) for note in notes)]
    return Template(page).substitute(
        title=escape(title),
        style=style,
        sections=measure_sections(comparison),
        explorer="" if data["curves"] else "hidden",
        data=json.dumps(data, ensure_ascii=False).replace("<", "\\u003c"),
        script=script,
        facts="".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in facts),
    )


def measure_sections(comparison: "Comparison") -> str:
    """Return one HTML section per measure: the recommendation, a chart and the table."""
    sections = []
    for measure, said in comparison.recommendation.items():
        rows = comparison.table[comparison.table["measure"] == measure]
        text = make_criterion(measure).label
        text = text[:1].upper() + text[1:]
        table = shown_table(rows).drop(columns="Measure").to_html(index=False, border=0)
        sections.append(
            f'<section><h2>{escape(text)}</h2><p class="answer">{escape(said)}</p>'
            f"<figure>{interval_chart(rows, text)}</figure>"
            f'<details><summary>All numbers</summary><div class="scroll" tabindex="0" '
            f'role="region" aria-label="{escape(text)}: all numbers">{table}</div></details>'
            "</section>"
        )
    return "\n".join(sections)


def shown_table(table: pd.DataFrame) -> pd.DataFrame:
    """Format `Comparison.table` for readers: numbers as texts and readable column names.

    The rows of each measure are sorted, best method first.
    """
    shown = []
    for _, rows in table.groupby("measure", sort=False):
        for _, row in _best_first(rows).iterrows():
            cells = {"Measure": row["measure"], "Method": label(row)}
            if pd.isna(row["value"]):
                cells |= {"Chosen": f"failed: {row['reason']}"}
            else:
                difference = number(row["difference"], sign=True)
                ends = interval(row["difference_low"], row["difference_high"], sign=True)
                cells |= {
                    "Value": number(row["value"]),
                    "95 % interval": interval(row["low"], row["high"]),
                    "Against the best": f"{difference} {ends}",
                    "Within 0.01 of it": row["within"],
                    "Probability": f"{row['probability']:.2f}",
                    "CPU seconds": "" if pd.isna(row["seconds"]) else f"{row['seconds']:.3g}",
                    "Chosen": "; ".join(filter(None, [row["parameters"], row["warnings"]])),
                }
            shown.append(cells)
    columns = ["Measure", "Method", "Value", "95 % interval", "Against the best"]
    columns += ["Within 0.01 of it", "Probability", "CPU seconds", "Chosen"]
    return pd.DataFrame(shown, columns=columns).fillna("")


def _best_first(rows):
    ascending = (rows["measure"] == COST).all()
    return rows.sort_values("value", ascending=bool(ascending), kind="stable")


def interval_chart(rows: pd.DataFrame, text: str) -> str:
    """Return an SVG chart of the values and intervals of one measure, best method first.

    `rows` is the part of `Comparison.table` for the measure, and `text` is the name of the measure.
    If there are no values, the result is an empty string.
    """
    known = _best_first(rows[rows["value"].notna()])
    if known.empty:
        return ""
    ticks = _ticks(float(known["low"].min()), float(known["high"].max()))

    def x(value):
        return f"{3 + 94 * (value - ticks[0]) / (ticks[-1] - ticks[0]):.2f}%"

    y, marks = _TOP, []
    for _, row in known.iterrows():
        weight = ' font-weight="bold"' if row["recommended"] else ""
        # Narrow screens would cut off the end of a long name.
        lines = textwrap.wrap(f"{label(row)}: {number(row['value'])}", _LETTERS)
        names = "".join(
            f'<text x="0" y="{y + 13 + _LINE * number_of_line}"{weight}>{escape(line)}</text>'
            for number_of_line, line in enumerate(lines)
        )
        y += _LINE * len(lines)
        marks.append(
            f'<g>{names}<line x1="{x(row["low"])}" x2="{x(row["high"])}" y1="{y + 8}" '
            f'y2="{y + 8}" stroke="currentColor"/><circle cx="{x(row["value"])}" cy="{y + 8}" '
            'r="4"/></g>'
        )
        y += _LINE + 4
    parts = [
        f'<line x1="{x(tick)}" x2="{x(tick)}" y1="{_TOP}" y2="{y}" stroke="currentColor" '
        f'stroke-opacity=".15"/><text x="{x(tick)}" y="{y + 16}" text-anchor="middle">'
        f"{f'{tick:g}'.replace('-', '−')}</text>"
        for tick in ticks
    ]
    described = escape(f"{text} of each method, best first, with 95 % intervals")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="100%" height="{y + 24}" role="img" '
        f'aria-label="{described}" fill="currentColor" font-size="13">'
        f"{''.join(parts + marks)}</svg>"
    )


def _ticks(low: float, high: float) -> list[float]:
    """Return three to six round numbers, in rising order, that enclose `low` and `high`."""
    span = (high - low) or max(abs(low), 1.0)
    power = 10 ** math.floor(math.log10(span / 4))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= span / 4)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [round(number * step, 12) for number in range(first, max(last, first + 1) + 1)]


def explorer_data(comparison: "Comparison") -> dict[str, Any]:
    """Return the data for the interactive choice of thresholds on the page of a comparison.

    The result is a dict of JSON types with two lists of dicts:

    - "measures": per measure, its "name", its "constraint" or None, and the index of the "curve"
      that is shown first.
    - "curves": per method, its "name", its "thresholds", and the true positives "tp", the false
      positives "fp" and, if there are costs, the average "cost" at each threshold. "positives" and
      "negatives" are the sizes of the classes. "starts" holds the index of the best threshold for
      each measure.

    If a method has more than `MOST_THRESHOLDS` thresholds, about so many are kept.
    """
    scores, table = comparison.held_out_scores, comparison.table
    positive = comparison.positive[scores.index]
    costs = None if comparison.costs is None else comparison.costs[scores.index]
    criteria = [make_criterion(name) for name in comparison.recommendation]
    measures = []
    for criterion in criteria:
        used = table[(table["measure"] == criterion.name) & table["recommended"].eq(True)]
        curve = next(iter(scores.columns.get_indexer(used["method"])), 0)
        constraint = _constraint(criterion)
        measures.append({"name": criterion.label, "constraint": constraint, "curve": int(curve)})
    curves = [
        {"name": method, **_curve(scores[method].to_numpy(), positive, costs, criteria)}
        for method in scores
    ]
    return {"measures": measures, "curves": curves}


def _constraint(criterion) -> dict[str, Any] | None:
    constrained = criterion.measure and objective_and_constraint(criterion.measure)
    if not constrained:
        return None
    (limit,) = parse_constraints(constrained[1])
    return {"quantity": limit.name, "bound": limit.bound}


def _curve(scores, positive, costs, criteria) -> dict[str, Any]:
    examples = RankedExamples(positive, scores)
    curve = examples.curve()
    n = len(curve.thresholds)
    best = [_best_threshold(each, positive, scores, costs) for each in criteria]
    starts = np.searchsorted(curve.thresholds[1:], best, side="right")
    places = np.arange(n)
    if n > MOST_THRESHOLDS:
        falling, n_half = -curve.tables[0], MOST_THRESHOLDS // 2
        by_recall = np.searchsorted(falling, np.linspace(falling[0], 0, n_half))
        places = np.concatenate([np.linspace(0, n - 1, n_half).astype(int), by_recall])
    places = np.unique([*places, *starts])
    tp, fp, fn, tn = (counts[places].astype(int).tolist() for counts in curve.tables)
    found = {
        "starts": np.searchsorted(places, starts).tolist(),
        "thresholds": curve.thresholds[places].tolist(),
        "tp": tp,
        "fp": fp,
        "positives": tp[0] + fn[0],
        "negatives": fp[0] + tn[0],
    }
    if costs is not None:
        objective = make_objective(COST, costs, positive)
        found["cost"] = objective.values(examples, curve.tables)[places].tolist()
    return found


def _best_threshold(criterion, positive, scores, costs) -> float:
    """Return the best threshold for a criterion, or the median score if no threshold matters."""
    if criterion.has_threshold:
        return criterion.best_point(positive, scores, costs).threshold
    constrained = criterion.measure and objective_and_constraint(criterion.measure)
    if not constrained:
        return float(np.median(scores))
    objective = make_objective(constrained[0], None, positive)
    limits = parse_constraints(constrained[1])
    return best_operating_point(RankedExamples(positive, scores), objective, limits).threshold
