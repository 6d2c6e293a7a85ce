"""The files of a table."""

from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

from beyond_accuracy_pipeline.reporting.table_files import (
    BESIDE_NOTE,
    ShownTable,
    read_shown,
    table_html,
    with_best,
    write_shown,
    write_table,
)
from beyond_accuracy_pipeline.reporting.tables import Across, Column, Table

FRAME = pd.DataFrame({"name": ["a&b<c", "50 %_"], "value": [1 / 3, 0.5], "_bold": [True, False]})
COLUMNS = [Column("name", "name"), Column("value", "value", str, bold="_bold")]
INDEX = [Column("Group", "value", lambda value: "g"), Column("Member", "name")]
REPORT = SimpleNamespace()


@pytest.fixture
def stem(tmp_path):
    return tmp_path / "paper.v1" / "tables" / "table.1"


def read(stem, suffix):
    return (stem.parent / f"{stem.name}.{suffix}").read_text(encoding="utf-8")


def test_all_files_with_escaped_text(stem):
    table = Table(FRAME, [], COLUMNS, "Less < more & 10 %", ["†: a_b ≥ c"])
    write_table(REPORT, table, stem)
    read_back = pd.read_csv(f"{stem}.csv", float_precision="round_trip")
    pd.testing.assert_frame_equal(read_back, FRAME[["name", "value"]])
    split = pd.read_json(Path(f"{stem}.json"), orient="split", precise_float=True)
    pd.testing.assert_frame_equal(split, FRAME[["name", "value"]])
    html = read(stem, "html")
    assert "a&amp;b&lt;c" in html
    assert "<strong>0.3333333333333333</strong>" in html
    assert "<strong>0.5</strong>" not in html
    assert "<caption><span>Less &lt; more &amp; 10 %</span></caption>" in html
    tex = read(stem, "tex")
    assert r"a\&b$<$c" in tex
    assert r"50 \%\_" in tex
    assert r"\textbf{0.3333333333333333}" in tex
    assert r"\textsuperscript{\dag}: a\_b $\ge$ c" in tex
    for command in (r"\toprule", r"\midrule", r"\bottomrule", r"\begin{table}", r"\end{table}"):
        assert tex.count(command) == 1


@pytest.mark.parametrize(
    "columns",
    [COLUMNS, [Across("name", str.upper, [*COLUMNS, Column("twice", "value", str)], beside=True)]],
)
@pytest.mark.parametrize("index", [[], INDEX[:1], INDEX])
def test_what_readers_see_is_read_as_it_was_written(stem, index, columns):
    write_table(REPORT, Table(FRAME, index, columns, "c", ["a note"]), stem)
    shown = read_shown(stem.parent / f"{stem.name}.shown.json")
    assert table_html(shown, shown.notes_on_pages) in read(stem, "html")
    copy = stem.parent / "copy"
    write_shown(shown, copy)
    for suffix in ("shown.json", "html", "tex"):
        own, other = read(stem, suffix), read(copy, suffix)
        assert own == other.replace("table:paper.v1:copy", "table:paper.v1:table.1")


def test_long_tables_may_break_over_pages(stem):
    frame = pd.DataFrame({"n": range(100)})
    write_table(
        REPORT, Table(frame, [Column("n", "n", str)], [Column("n", "n", str)], "Many"), stem
    )
    tex = read(stem, "tex")
    assert r"\begin{longtable}" in tex
    assert r"\begin{table}" not in tex
    assert tex.count(r"\caption") == 2  # the second is for the continued pages


def test_rows_of_one_group_share_its_heading_in_latex(stem):
    write_table(REPORT, Table(FRAME, INDEX, COLUMNS[1:], "c"), stem)
    assert r"\multirow[t]{2}{*}{g}" in read(stem, "tex")


def test_headings_say_what_they_head_and_intervals_can_be_hidden(stem):
    frame = pd.DataFrame({"name": ["a", "a", "b"], "by": list("xyx"), "n": [1200.0, -0.5, None]})
    form = Column("n", "n", lambda value: "n/a" if pd.isna(value) else f"{value:,.1f} [0, 1]")
    across = Across("by", str.upper, [form, Column("twice", "n")], beside=True)
    write_table(REPORT, Table(frame, [Column("Name", "name")], [across], "c"), stem)
    html = read(stem, "html")
    assert '<th scope="col" rowspan="2">Name</th>' in html
    assert html.count('<th scope="col" class="number">') == 4
    assert html.count('<th scope="colgroup" colspan="2">') == 2
    assert html.count('<th scope="row">') == 2
    assert "<td>1,200.0<small> [0, 1]</small></td>" in html
    assert "<td>n/a</td>" in html


def test_wide_tables_name_the_best_column_of_a_row():
    columns = list("abcdef")
    cells = pd.DataFrame([[*"123456"], [*"234562"]], ["x", "y"], columns)
    styles = pd.DataFrame("", cells.index, columns)
    styles.loc["x", "c"] = styles.loc["y", "a"] = "bold"  # "f" shows the value of "a"
    shown = with_best(ShownTable("c", [], cells, styles))
    assert shown.cells["Best"].tolist() == ["c", "a or f"]
    styles.loc["x", "d"] = "underline"
    styles.loc["y", "e"] = "bold underline"
    assert with_best(ShownTable("c", [], cells, styles)).cells["Best"].tolist() == ["d", "e"]
    styles.loc["x", list("abcd")] = "underline"
    styles.loc["x", "b"] = "bold underline"
    best = with_best(ShownTable("c", [], cells, styles)).cells["Best"]
    assert best.tolist() == ["b or 3 more", "e"]
    narrow = ShownTable("c", [], cells[["a", "c"]], styles[["a", "c"]])
    assert with_best(narrow) is narrow


def test_groups_of_two_levels_that_end_together_are_parted_by_one_line(stem):
    frame = pd.DataFrame({"outer": list("aabb"), "inner": list("ccdd"), "n": range(4)})
    index = [Column(name, name, str) for name in frame]
    write_table(REPORT, Table(frame, index, [Column("value", "n", str)], "c"), stem)
    assert read(stem, "tex").count(r"\midrule") == 2  # the first is below the headings


def test_published_numbers_are_set_by_whether_they_lie_inside(stem):
    frame = pd.DataFrame(
        {"name": list("abcd"), "ours": 0.5, "low": 0.4, "high": [0.6, 0.6, None, 0.6]}
    )
    frame["published"] = [0.55, 0.65, 0.55, None]
    column = Column("Published", "published", str, inside=("published", "low", "high"))
    write_table(REPORT, Table(frame, [Column("Name", "name")], [column], "c"), stem)
    html = read(stem, "html")
    assert '<span class="inside">0.55</span>' in html
    assert '<span class="outside">0.65</span>' in html
    assert html.count("<span class") == 2
    assert BESIDE_NOTE in html
    frame["name"] += "†"
    write_table(REPORT, Table(frame, [Column("Name", "name")], [column], "c"), stem)
    assert "<span class" not in read(stem, "html")


def test_a_table_of_lines_is_not_sorted_by_columns(stem):
    frame = pd.DataFrame({"name": ["a", "a"], "by": list("xy"), "n": [1.0, 2.0]})
    lines = [Column("value", "n", str), Column("twice", "n", lambda n: str(2 * n))]
    table = Table(frame, [Column("Name", "name")], [Across("by", str, lines)], "c")
    write_table(REPORT, table, stem)
    html = read(stem, "html")
    assert 'data-ordering="false"' in html
    assert '<th scope="col">Quantity</th>' in html
    assert '<th scope="col"></th>' not in html
