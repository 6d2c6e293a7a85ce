"""Tables as CSV and JSON (raw numbers), HTML (a page of its own, also in the site) and LaTeX."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import jinja2
import numpy as np
import pandas as pd
from markupsafe import escape

from beyond_accuracy_pipeline.reporting.formats import UNAVAILABLE
from beyond_accuracy_pipeline.reporting.html_tables import table_parts
from beyond_accuracy_pipeline.reporting.report import SUBSTITUTE_MARK, Report
from beyond_accuracy_pipeline.reporting.tables import INSIDE, OUTSIDE, Table, display
from beyond_accuracy_pipeline.results.columns import MISSING
from beyond_accuracy_pipeline.results.frames import write_csv

if TYPE_CHECKING:
    # It imports all of matplotlib.
    from pandas.io.formats.style import Styler

EMPTY = '<p class="empty">'
"""What the HTML of a table without any value begins with."""

# Rows beyond which a LaTeX table may break over pages.
LONG_TABLE = 45

# Characters that Unicode has and a plain LaTeX installation has not.
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


def write_table(report: Report, table: Table, stem: str | Path) -> None:
    """Write `<stem>.csv` and `.json` (the numbers), `<stem>.html` and `.tex` (what readers see).

    Cells are escaped, so a data set may be called `a&b<c`. Notes on intervals, substitutes and
    missing data sets are added here. Readers see no rows of missing data sets, and a sentence in
    the HTML file of a table without any value.
    """
    stem = Path(stem)
    stem.parent.mkdir(parents=True, exist_ok=True)
    frame = table.numbers
    write_numbers(frame, stem)
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
    styles = _of_originals(styles)
    if _without_values(cells):
        sentence = escape(f"{table.caption.rstrip('.')}: no values in this run.")
        fragment = f"{EMPTY}{sentence}</p>\n"
    else:
        beside = [BESIDE_NOTE] if styles.map(_is_beside).to_numpy().any() else []
        fragment = _html(
            cells, table.caption, [*notes, *beside], styles, sortable=not table.stacked
        )
    page = template("table.html.jinja").render(caption=table.caption, fragment=fragment)
    label = f"table:{stem.parent.parent.name}:{stem.name}"
    Path(f"{stem}.html").write_text(page, encoding="utf-8")
    latex = _latex(cells, table.caption, notes, label, styles)
    Path(f"{stem}.tex").write_text(latex, encoding="utf-8")


# A cell without a value, or with a count of nothing such as "0/0 (0/0)".
_BLANK = re.compile("|".join([UNAVAILABLE, *MISSING, "not testable", "not rerun", "[0/:() –]*"]))


def _without_values(cells: pd.DataFrame) -> bool:
    """Whether no cell holds a value of the run; published numbers beside ours do not count."""
    ours = ["published" not in str(name).lower() for name in cells.columns]
    ours = ours if any(ours) else [True] * len(ours)
    rows = ["published" not in str(name).lower() for name in cells.index]
    texts = cells.loc[rows, ours].to_numpy().ravel()
    return all(_BLANK.fullmatch(text) for text in texts)


def write_numbers(frame: pd.DataFrame, stem: Path) -> None:
    """Write the numbers of a table: `<stem>.csv`, and `<stem>.json` in pandas' orient "split".

    Records, which repeat the names of columns in each row, take twice the space.
    """
    write_csv(f"{stem}.csv", frame, float_format="%.10g")
    known = frame.astype(object).where(frame.notna(), None)
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    rows = ",\n".join(map(encode, known.to_numpy().tolist()))
    text = f'{{"columns": {encode(list(frame))},\n"data": [\n{rows}\n]}}\n'
    Path(f"{stem}.json").write_text(text, encoding="utf-8")


_BEGIN, _END = "<!-- table -->", "<!-- end of table -->"


def table_fragment(page: str) -> str:
    """Return the part of a written HTML page between its table markers."""
    return page.split(_BEGIN, 1)[1].split(_END, 1)[0]


def is_empty(page: Path) -> bool:
    """Whether the HTML page of a table says that it has no values."""
    return EMPTY in page.read_text(encoding="utf-8")


def table_alone(page: str) -> str:
    """Return a written HTML page without what is around its table, of which it is one still."""
    return f"{_BEGIN}{table_fragment(page)}{_END}\n"


@cache
def template(name: str) -> jinja2.Template:
    """Load one of the packaged templates."""
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


def _styler(cells: pd.DataFrame) -> Styler:
    """Return what writes a table, its headings escaped; rows without names have no index."""
    styler = cells.rename_axis(index=lambda _: None).style.format_index(escape="latex")
    styler = styler.format_index(escape="latex", axis=1)
    return styler.hide(axis="index") if isinstance(cells.index, pd.RangeIndex) else styler


def _is_beside(look: str) -> bool:
    return bool({INSIDE, OUTSIDE} & set(look.split()))


def _of_originals(styles: pd.DataFrame) -> pd.DataFrame:
    """Leave a substitute's numbers without the looks of what is compared with the published."""
    stands_in = [SUBSTITUTE_MARK in str(index) for index in styles.index]
    if not any(stands_in):
        return styles
    plain = styles.map(lambda look: " ".join(set(look.split()) - {INSIDE, OUTSIDE}))
    of_all = np.repeat(np.array(stands_in)[:, np.newaxis], styles.shape[1], axis=1)
    return plain.where(of_all, styles)


def _html(
    cells: pd.DataFrame,
    caption: str,
    notes: Sequence[str],
    styles: pd.DataFrame,
    *,
    sortable: bool = True,
) -> str:
    parts = table_parts(cells, styles) | {"sortable": sortable}
    return template("table_fragment.html.jinja").render(caption=caption, notes=notes, **parts)


def _latex(
    cells: pd.DataFrame, caption: str, notes: Sequence[str], label: str, styles: pd.DataFrame
) -> str:
    styler = _styler(cells).format(escape="latex")
    for (row, column), names in np.ndenumerate(styles):
        if set(names.split()) & set(LATEX_STYLES):
            cell = pd.IndexSlice[cells.index[row], cells.columns[column]]
            properties = "".join(LATEX_STYLES.get(name, "") for name in names.split())
            styler = styler.map(lambda _, properties=properties: properties, subset=cell)
    levels = 0 if isinstance(cells.index, pd.RangeIndex) else cells.index.nlevels
    long = len(cells) > LONG_TABLE
    text = styler.to_latex(
        environment="longtable" if long else None,
        caption=_latex_escape(caption) if long else None,
        label=label if long else None,
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
        caption=_latex_escape(caption),
        label=label,
        table=text.rstrip(),
        notes=[_latex_escape(note) for note in notes],
    )
    return page.translate(LATEX_CHARACTERS)


def _latex_escape(text: str) -> str:
    styler = pd.DataFrame([[text]]).style.format(escape="latex")
    return styler.hide(axis="index").hide(axis="columns").to_string(delimiter="").strip()
