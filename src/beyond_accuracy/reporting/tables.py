"""Tables as CSV (raw numbers), HTML (a page of its own, also inlined in the site) and LaTeX."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import jinja2
import pandas as pd
from markupsafe import Markup, escape

from beyond_accuracy.reporting.statistics import stars

SUBSTITUTE_MARK = "†"
UNAVAILABLE = "n/a"

# Rows beyond which a LaTeX table may break over pages.
LONG_TABLE = 45

# Characters that Unicode has and a plain LaTeX installation has not.
LATEX_CHARACTERS = str.maketrans(
    {
        "†": r"\textsuperscript{\dag}",
        "‡": r"\textsuperscript{\ddag}",
        "§": r"\textsuperscript{\S}",
        "¶": r"\textsuperscript{\P}",
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
class Table:
    """A table before it is written.

    Attributes
    ----------
    frame : DataFrame
        The numbers at full precision, tidy; becomes the CSV file.
    display : DataFrame
        The same as text for readers; index and columns may have levels. Becomes HTML and LaTeX.
    caption : str
        What is shown, in a sentence or two.
    notes : tuple of str
        Conventions, substitutes, what is missing and why.
    cell_styles : DataFrame of str, optional
        Shape of `display`: how each cell is set, "bold", "underline", both with a space between
        them, or empty.
    """

    frame: pd.DataFrame
    display: pd.DataFrame
    caption: str
    notes: tuple[str, ...] = field(default=())
    cell_styles: pd.DataFrame | None = None


def write_table(
    frame: pd.DataFrame,
    stem: str | Path,
    *,
    caption: str,
    notes: Sequence[str] = (),
    display: pd.DataFrame | None = None,
    cell_styles: pd.DataFrame | None = None,
) -> None:
    """Write `<stem>.csv`, `<stem>.html` and `<stem>.tex`.

    `display` holds the cells as text for HTML and LaTeX; without it `frame` is shown as it is.
    Cells are escaped, so a data set may be called `a&b<c`.
    """
    stem = Path(stem)
    stem.parent.mkdir(parents=True, exist_ok=True)
    display = frame if display is None else display
    frame.to_csv(_with_suffix(stem, ".csv"), index=False, lineterminator="\n")
    fragment = _html(display, caption, notes, cell_styles)
    page = template("table.html.jinja").render(caption=caption, fragment=fragment)
    label = f"table:{stem.parent.parent.name}:{stem.name}"
    _with_suffix(stem, ".html").write_text(page, encoding="utf-8")
    _with_suffix(stem, ".tex").write_text(
        _latex(display, caption, notes, label, cell_styles), encoding="utf-8"
    )


def table_fragment(page: str) -> str:
    """Return the part of a written HTML page between its table markers."""
    return page.split("<!-- table -->", 1)[1].split("<!-- end of table -->", 1)[0]


@cache
def template(name: str) -> jinja2.Template:
    """Load one of the packaged templates."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("beyond_accuracy.reporting.templates", "."),
        autoescape=jinja2.select_autoescape(("html", "html.jinja")),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template(name)


def percent(value: float, *, sign: bool = False) -> str:
    """Show a fraction as a percentage with two decimals, or what stands for a missing one."""
    if pd.isna(value):
        return UNAVAILABLE
    text = f"{100 * value:{'+' if sign else ''}.2f}"
    return text.replace("-", "−")


def percent_interval(low: float, high: float, *, sign: bool = False) -> str:
    """Show an interval of fractions as percentages with one decimal, empty if it is missing."""
    if pd.isna(low) or pd.isna(high):
        return ""
    plus = "+" if sign else ""
    return f"[{100 * low:{plus}.1f}, {100 * high:{plus}.1f}]".replace("-", "−")


def p_value(value: float, levels: Mapping[str, float]) -> str:
    """Show a p-value with its stars."""
    if pd.isna(value):
        return UNAVAILABLE
    text = "<0.0001" if value < 0.0001 else f"{value:.4f}"
    return text + stars(value, levels)


def count(value: float) -> str:
    """Show a whole number with thousands separated, empty if unknown."""
    return "" if value is None or pd.isna(value) else f"{int(value):,}"


def star_note(levels: Mapping[str, float]) -> str:
    """Say what the stars stand for."""
    return ", ".join(f"{mark} p ≤ {level:g}" for mark, level in levels.items())


HTML_STYLES = {"bold": "<strong>{}</strong>", "underline": "<u>{}</u>"}
LATEX_STYLES = {"bold": "textbf:--rwrap;", "underline": "underline:--rwrap;"}


def _html(
    display: pd.DataFrame,
    caption: str,
    notes: Sequence[str],
    cell_styles: pd.DataFrame | None,
) -> str:
    escaped = display.map(escape)
    for row, column, styles in _styled_cells(cell_styles):
        for style in styles:
            cell = escaped.iat[row, column]
            escaped.iat[row, column] = Markup(HTML_STYLES[style]).format(cell)
    styler = escaped.rename_axis(index=lambda _: None).style.set_uuid("t")
    styler = styler.format_index(escape="html").format_index(escape="html", axis=1)
    if isinstance(display.index, pd.RangeIndex):
        styler = styler.hide(axis="index")
    table = styler.to_html(exclude_styles=True)
    return template("table_fragment.html.jinja").render(caption=caption, notes=notes, table=table)


def _styled_cells(cell_styles: pd.DataFrame | None) -> list[tuple[int, int, list[str]]]:
    """Return row, column and styles of the cells that have any."""
    if cell_styles is None:
        return []
    return [
        (row, column, style.split())
        for row, styles in enumerate(cell_styles.to_numpy())
        for column, style in enumerate(styles)
        if style
    ]


def _latex(
    display: pd.DataFrame,
    caption: str,
    notes: Sequence[str],
    label: str,
    cell_styles: pd.DataFrame | None,
) -> str:
    styler = display.rename_axis(index=lambda _: None).style.format(escape="latex")
    styler = styler.format_index(escape="latex").format_index(escape="latex", axis=1)
    levels = display.index.nlevels
    if isinstance(display.index, pd.RangeIndex):
        styler, levels = styler.hide(axis="index"), 0
    for row, column, styles in _styled_cells(cell_styles):
        cell = pd.IndexSlice[display.index[row], display.columns[column]]
        properties = "".join(LATEX_STYLES[style] for style in styles)
        styler = styler.map(lambda _, properties=properties: properties, subset=cell)
    long = len(display) > LONG_TABLE
    text = styler.to_latex(
        environment="longtable" if long else None,
        caption=_latex_escape(caption) if long else None,
        label=label if long else None,
        hrules=True,
        column_format="l" * levels + "r" * display.shape[1],
        multicol_align="c",
        multirow_align="t",
        clines="skip-last;data" if levels > 1 else None,
    )
    # Lines between groups in the manner of booktabs, none right above the last one.
    text = re.sub(r"\\cline\{[-\d]+\}\n(?=\\bottomrule)", "", text)
    text = re.sub(r"\\cline\{[-\d]+\}", r"\\midrule", text)
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


def _with_suffix(stem: Path, suffix: str) -> Path:
    return stem.with_name(stem.name + suffix)
