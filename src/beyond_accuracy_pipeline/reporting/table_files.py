"""Write tables: their numbers as CSV and JSON, and their texts as HTML, LaTeX and JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import jinja2
import numpy as np
import pandas as pd
from markupsafe import Markup, escape

from beyond_accuracy_pipeline.results.columns import MISSING
from beyond_accuracy_pipeline.results.damage import reading
from beyond_accuracy_pipeline.results.frames import write_csv

from .formats import UNAVAILABLE
from .html_tables import table_parts
from .report import SUBSTITUTE_MARK, Report
from .tables import INSIDE, OUTSIDE, Table, display, index_of_texts

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

SHOWN = "shown.json"
"""The suffix of the file with the texts and styles of a table."""

# Tables of this many columns name the best column of a row, unless more values tie.
_WIDE, _TIES = 6, 3

# Rows beyond which a LaTeX table may break over pages.
LONG_TABLE = 45

# Characters that a plain LaTeX installation lacks.
LATEX_CHARACTERS = str.maketrans(
    {
        "†": r"\textsuperscript{\dag}",
        "‡": r"\textsuperscript{\ddag}",
        "§": r"\textsuperscript{\S}",
        "¶": r"\textsuperscript{\P}",
        "‖": r"\textsuperscript{$\|$}",
        "−": "$-$",
        "–": "--",
        "±": r"$\pm$",
        "×": r"$\times$",
        "≥": r"$\ge$",
        "≤": r"$\le$",
        "½": r"$\frac{1}{2}$",
        "…": r"\dots{}",
        "∞": r"$\infty$",
        "<": "$<$",
        ">": "$>$",
    }
)


@dataclass(frozen=True)
class ShownTable:
    """Table whose cells are formatted texts, as shown to readers.

    `styles` has the shape of `cells`, and style names such as "bold underline".
    """

    caption: str
    notes: Sequence[str]
    cells: pd.DataFrame
    styles: pd.DataFrame
    sortable: bool = True

    @property
    def has_values(self) -> bool:
        """Whether a cell shows a number of our run, not only numbers that a paper prints."""
        cells = self.cells
        ours = ["published" not in str(name).lower() for name in cells.columns]
        ours = ours if any(ours) else [True] * len(ours)
        rows = ["published" not in str(name).lower() for name in cells.index]
        texts = cells.loc[rows, ours].to_numpy().ravel()
        return not all(_BLANK.fullmatch(text) for text in texts)

    @property
    def notes_on_pages(self) -> list[str]:
        """Notes for web pages: the table's notes, and explanations of styles and of sorting."""
        notes = [*self.notes]
        if _has_style(self.styles, {INSIDE, OUTSIDE}).any(axis=None):
            notes.append(BESIDE_NOTE)
        return notes if self.sortable else [*notes, UNSORTABLE_NOTE]


def write_table(report: Report, table: Table, stem: str | Path) -> None:
    """Write the numbers and the formatted texts of a table to files.

    The numbers are written to `<stem>.csv` and `.json`, and the texts to `<stem>.shown.json`,
    `.html` and `.tex`.
    """
    Path(stem).parent.mkdir(parents=True, exist_ok=True)
    write_numbers(table.numbers, stem)
    write_shown(show(report, table), stem)


def show(report: Report, table: Table) -> ShownTable:
    """Format the cells of a table as texts, and add notes, for example on missing data sets.

    Rows of data sets that are missing in this run are left out.
    """
    frame = table.numbers
    notes = [*table.notes]
    if table.has_intervals:
        notes.append(report.interval_note())
    shown = table
    if "data_set" in frame:
        # Rows over all data sets have a name that is none of theirs.
        rows = set(frame["data_set"])
        notes += report.data_set_notes([name for name in report.data_sets if name in rows])
        missing = list(filter(report.results.missing, rows))
        shown = replace(table, frame=table.frame[~frame["data_set"].isin(missing)])
    cells, styles = display(shown)
    return ShownTable(table.caption, notes, cells, _of_originals(styles), not table.stacked)


def write_shown(shown: ShownTable, stem: str | Path) -> None:
    """Write a formatted table to `<stem>.shown.json`, `<stem>.html` and `<stem>.tex`."""
    stem, cells = Path(stem), shown.cells
    content = {
        "caption": shown.caption,
        "notes": shown.notes,
        "sortable": shown.sortable,
        "names": [] if isinstance(cells.index, pd.RangeIndex) else list(cells.index.names),
        "columns": cells.columns.tolist(),
        "index": cells.index.tolist(),
        "cells": cells.to_numpy().tolist(),
        "styles": shown.styles.to_numpy().tolist(),
    }
    lines = ",\n".join(f"{_encode(key)}:{_encode(value)}" for key, value in content.items())
    Path(f"{stem}.{SHOWN}").write_text(f"{{{lines}}}\n", encoding="utf-8")
    page = template("table.html.jinja").render(
        caption=shown.caption, fragment=table_html(shown, shown.notes_on_pages)
    )
    Path(f"{stem}.html").write_text(page, encoding="utf-8")
    label = f"table:{stem.parent.parent.name}:{stem.name}"
    Path(f"{stem}.tex").write_text(_latex(shown, label), encoding="utf-8")


def read_shown(path: Path) -> ShownTable:
    with reading(path) as file:
        content = json.loads(file.read_text(encoding="utf-8"))
    names = content["names"]
    keys = [tuple(key) if len(names) > 1 else (key,) for key in content["index"]]
    index = index_of_texts(keys, names)
    titles = [tuple(name) if isinstance(name, list) else name for name in content["columns"]]
    cells, styles = (
        pd.DataFrame(content[part], index, pd.Index(titles), dtype=object)
        for part in ("cells", "styles")
    )
    return ShownTable(content["caption"], content["notes"], cells, styles, content["sortable"])


def table_html(shown: ShownTable, notes: Sequence[str | Markup]) -> str:
    """Return the HTML element of a table and its `notes`, or a sentence if it has no values."""
    if not shown.has_values:
        sentence = escape(f"{shown.caption.rstrip('.')}: no values in this run.")
        return f'<p class="empty">{sentence}</p>\n'
    parts = table_parts(shown.cells, shown.styles) | {"sortable": shown.sortable}
    return template("table_fragment.html.jinja").render(caption=shown.caption, notes=notes, **parts)


def with_best(shown: ShownTable) -> ShownTable:
    """Insert a first column "Best", which names the columns that are best in each row.

    Best values are underlined or, if nothing in the table is underlined, bold. A table with few
    columns, or with best values in less than half of its rows, is returned unchanged.
    """
    cells, styles = shown.cells, shown.styles
    marks = _has_style(styles, {"underline"})
    if not marks.any(axis=None):
        marks = _has_style(styles, {"bold"})
    counts = marks.sum(axis=1)
    if cells.columns.nlevels > 1 or cells.shape[1] < _WIDE or 2 * (counts > 0).sum() < len(cells):
        return shown
    best = []
    numbers = cells.map(lambda text: _NUMBER.match(str(text))[0]).to_numpy()
    bold = _has_style(styles, {"bold"}).to_numpy()
    for own, own_bold, shown_numbers in zip(marks.to_numpy(), bold, numbers, strict=True):
        # Values that look the same are all named, though unrounded ones differ.
        largest = {*shown_numbers[own]} - {""}
        names = list(cells.columns[own | [number in largest for number in shown_numbers]])
        boldest = list(cells.columns[own_bold])
        if len(names) > _TIES:
            more = f"{len(names) - len(boldest)} more"
            names = [*boldest, more] if 0 < len(boldest) <= _TIES else [f"{len(names)} methods"]
        best.append(" or ".join(names))
    cells, styles = cells.copy(), styles.copy()
    cells.insert(0, "Best", best)
    styles.insert(0, "Best", "")
    return replace(shown, cells=cells, styles=styles)


_NUMBER = re.compile(r"[−\d.,]*")
# A cell without a value, or with a count of nothing such as "0/0 (0/0)".
_BLANK = re.compile("|".join([UNAVAILABLE, *MISSING, "not testable", "not rerun", "[0/:() –]*"]))


def write_numbers(frame: pd.DataFrame, stem: str | Path) -> None:
    """Write a table of numbers to `<stem>.csv`, and in pandas' layout "split" to `<stem>.json`."""
    write_csv(f"{stem}.csv", frame, float_format="%.10g")
    known = frame.astype(object).where(frame.notna(), None)
    rows = ",\n".join(map(_encode, known.to_numpy().tolist()))
    text = f'{{"columns": {_encode(list(frame))},\n"data": [\n{rows}\n]}}\n'
    Path(f"{stem}.json").write_text(text, encoding="utf-8")


@cache
def template(name: str) -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("beyond_accuracy_pipeline.reporting.templates", "."),
        autoescape=jinja2.select_autoescape(("html", "html.jinja")),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template(name)


LATEX_STYLES = {"bold": "textbf:--rwrap;", "underline": "underline:--rwrap;"}
BESIDE_NOTE = "Published numbers: underlined inside our interval, dotted outside it."
UNSORTABLE_NOTE = (
    "Lines belong together, and keep their order; the values can be sorted on the pages of data "
    "sets and methods."
)


def _has_style(styles: pd.DataFrame, names: Set[str]) -> pd.DataFrame:
    return styles.map(lambda look: not names.isdisjoint(look.split()))


def _of_originals(styles: pd.DataFrame) -> pd.DataFrame:
    """Return styles in which substitutes are not compared with published numbers."""
    is_substitute = np.array([SUBSTITUTE_MARK in str(index) for index in styles.index], dtype=bool)
    plain = styles.map(lambda look: " ".join(set(look.split()) - {INSIDE, OUTSIDE}))
    return styles.mask(np.broadcast_to(is_substitute[:, np.newaxis], styles.shape), plain)


def _latex(shown: ShownTable, label: str) -> str:
    cells = shown.cells
    styler = cells.rename_axis(index=lambda _: None).style.format(escape="latex")
    styler = styler.format_index(escape="latex").format_index(escape="latex", axis=1)
    levels = cells.index.nlevels
    if isinstance(cells.index, pd.RangeIndex):
        styler, levels = styler.hide(axis="index"), 0
    for (row, column), names in np.ndenumerate(shown.styles):
        if set(names.split()) & set(LATEX_STYLES):
            cell = pd.IndexSlice[cells.index[row], cells.columns[column]]
            properties = "".join(LATEX_STYLES.get(name, "") for name in names.split())
            styler = styler.map(lambda _, properties=properties: properties, subset=cell)
    long = len(cells) > LONG_TABLE
    caption = _latex_escape(shown.caption)
    text = styler.to_latex(
        **{"environment": "longtable", "caption": caption, "label": label} if long else {},
        hrules=True,
        column_format="l" * levels + "r" * cells.shape[1],
        multicol_align="c",
        multirow_align="t",
        clines="skip-last;data" if levels > 1 else None,
    )
    # Lines between groups in the manner of booktabs, none right above the last one.
    # Groups of several levels that end together have several.
    lines = r"\\cline\{[-\d]+\}(?: \\cline\{[-\d]+\})*"
    text = re.sub(rf"{lines}\n(?=\\bottomrule)", "", text)
    text = re.sub(lines, r"\\midrule", text)
    page = template("table.tex.jinja").render(
        long=long,
        caption=caption,
        label=label,
        table=text.rstrip(),
        notes=[_latex_escape(note) for note in shown.notes],
    )
    return page.translate(LATEX_CHARACTERS)


def _latex_escape(text: str) -> str:
    styler = pd.DataFrame([[text]]).style.format(escape="latex")
    return styler.hide(axis="index").hide(axis="columns").to_string(delimiter="").strip()
