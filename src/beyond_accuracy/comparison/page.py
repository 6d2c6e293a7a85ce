"""Build the HTML page of a comparison: one file that loads no other files."""

import json
import math
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
_ROW, _TOP = 36, 4


def comparison_page(comparison: "Comparison", title: str, notes: Sequence[str]) -> str:
    """Return the HTML page of a comparison as text.

    `notes` are additional facts about the data, one line each.
    """
    files = resources.files("beyond_accuracy.comparison") / "assets"
    names = ("page.html", "page.css", "explorer.js")
    page, style, script = ((files / name).read_text(encoding="utf-8") for name in names)
    curves = explorer_curves(comparison)
    charts = []
    for measure, said in comparison.recommendation.items():
        rows = comparison.table[comparison.table["measure"] == measure]
        text = make_criterion(measure).label
        text = text[:1].upper() + text[1:]
        charts.append(
            f'<section><h2>{escape(text)}</h2><p class="answer">{escape(said)}</p>'
            f"<figure>{interval_chart(rows, text)}</figure></section>"
        )
    facts = [*comparison.facts.items(), *(("Note", note) for note in notes)]
    return Template(page).substitute(
        title=escape(title),
        style=style,
        charts="\n".join(charts),
        table=html_table(comparison.table),
        explorer="" if curves["curves"] else "hidden",
        curves=json.dumps(curves, ensure_ascii=False).replace("<", "\\u003c"),
        script=script,
        facts="".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in facts),
    )


def shown_table(table: pd.DataFrame) -> pd.DataFrame:
    """Return the comparison table with formatted texts and readable column names.

    Rows are sorted by measure, best method first.
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


def html_table(table: pd.DataFrame) -> str:
    """Return the comparison table as HTML, formatted by `shown_table`."""
    return shown_table(table).to_html(index=False, border=0)


def _best_first(rows):
    ascending = (rows["measure"] == COST).all()
    return rows.sort_values("value", ascending=bool(ascending), kind="stable")


def interval_chart(rows: pd.DataFrame, text: str) -> str:
    """Return an SVG chart of the values and intervals of one measure, best method first.

    `rows` are rows of the comparison table, and `text` is the name of the measure. The chart is an
    empty string if there is no value. Horizontal positions are percentages, so that the chart fits
    a narrow page with letters of constant size.
    """
    known = _best_first(rows[rows["value"].notna()])
    if known.empty:
        return ""
    ticks = _ticks(float(known["low"].min()), float(known["high"].max()))
    base = _TOP + _ROW * len(known)

    def x(value):
        return f"{3 + 94 * (value - ticks[0]) / (ticks[-1] - ticks[0]):.2f}%"

    parts = [
        f'<line x1="{x(tick)}" x2="{x(tick)}" y1="{_TOP}" y2="{base}" stroke="currentColor" '
        f'stroke-opacity=".15"/><text x="{x(tick)}" y="{base + 16}" text-anchor="middle">'
        f"{f'{tick:g}'.replace('-', '−')}</text>"
        for tick in ticks
    ]
    for place, (_, row) in enumerate(known.iterrows()):
        y = _TOP + _ROW * place
        weight = ' font-weight="bold"' if row["recommended"] else ""
        parts.append(
            f'<g><text x="0" y="{y + 13}"{weight}>{escape(label(row))}: '
            f'{number(row["value"])}</text><line x1="{x(row["low"])}" x2="{x(row["high"])}" '
            f'y1="{y + 24}" y2="{y + 24}" stroke="currentColor"/>'
            f'<circle cx="{x(row["value"])}" cy="{y + 24}" r="4"/></g>'
        )
    described = escape(f"{text} of each method, best first, with 95 % intervals")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="100%" height="{base + 24}" role="img" '
        f'aria-label="{described}" fill="currentColor" font-size="13">{"".join(parts)}</svg>'
    )


def _ticks(low: float, high: float) -> list[float]:
    """Return three to six round numbers, in rising order, that enclose `low` and `high`."""
    span = (high - low) or max(abs(low), 1.0)
    power = 10 ** math.floor(math.log10(span / 4))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= span / 4)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [round(number * step, 12) for number in range(first, max(last, first + 1) + 1)]


def explorer_curves(comparison: "Comparison") -> dict[str, Any]:
    """Return the data of the threshold explorer: true and false positives by threshold.

    There is one curve per measure and method, under the key "curves". Each has at most
    `MOST_THRESHOLDS` thresholds, evenly spaced in the ranks of the scores. They include the best
    threshold, at which the slider starts.
    """
    curves = []
    for measure, scores in comparison.held_out_scores.items():
        criterion = make_criterion(measure)
        for method in scores:
            curve = _curve(comparison, criterion, scores[method].to_numpy(), scores.index)
            curves.append({"name": f"{method}, for {criterion.label}", **curve})
    return {"curves": curves}


def _curve(comparison, criterion, scores, rows) -> dict[str, Any]:
    positive = comparison.positive[rows]
    costs = None if comparison.costs is None else comparison.costs[rows]
    examples = RankedExamples(positive, scores)
    point, constraint = None, None
    if criterion.has_threshold:
        point = criterion.best_point(positive, scores, costs)
    elif constrained := objective_and_constraint(criterion.measure):
        objective = make_objective(constrained[0], None, positive)
        limits = parse_constraints(constrained[1])
        constraint = {"quantity": limits[0].name, "bound": limits[0].bound}
        point = best_operating_point(examples, objective, limits)
    curve = examples.curve()
    n = len(curve.thresholds)
    start = n // 2
    if point is not None:
        start = int(np.searchsorted(curve.thresholds[1:], point.threshold, side="right"))
    places = np.unique([*np.linspace(0, n - 1, min(n, MOST_THRESHOLDS - 1)).astype(int), start])
    tp, fp, fn, tn = (counts[places].astype(int).tolist() for counts in curve.tables)
    found = {
        "start": int(np.searchsorted(places, start)),
        "thresholds": curve.thresholds[places].tolist(),
        "tp": tp,
        "fp": fp,
        "positives": tp[0] + fn[0],
        "negatives": fp[0] + tn[0],
        "constraint": constraint,
    }
    if costs is not None:
        objective = make_objective("cost", costs, positive)
        found["cost"] = objective.values(examples, curve.tables)[places].tolist()
    return found
