"""Figures: their files, the values in them, and their form on pages."""

import re
from xml.etree import ElementTree

import matplotlib as mpl
import pandas as pd
import pytest
from matplotlib.figure import Figure

from beyond_accuracy_pipeline.reporting.drawn_values import title_points
from beyond_accuracy_pipeline.reporting.figures import COLOURS, write_figure
from beyond_accuracy_pipeline.reporting.site.overview import _PALETTE
from beyond_accuracy_pipeline.reporting.vector_graphics import _THEMED, inline

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def figure():
    figure = Figure()
    left, right = figure.subplots(1, 2)
    left.set_title("Left", loc="left")
    right.set_label("right panel")
    first = left.plot([1, 2, 3], [0.25, 0.5, 1000.0], "o-", color="red")
    left.plot([1, 3], [0.1, 0.9], color="blue", label="plain")
    left.axhline(0.7)
    right.bar([0, 1], [2.0, 3.0], color="green")
    figure.legend(first, ["first"])
    return figure


def test_values_are_written_beside_the_figure(figure, tmp_path):
    write_figure(figure, tmp_path / "a.b")
    values = pd.read_csv(tmp_path / "a.b.csv", keep_default_na=False)
    rows = [tuple(row) for row in values.itertuples(index=False)]
    assert rows == [
        ("Left", "first", 1.0, 0.25),
        ("Left", "first", 2.0, 0.5),
        ("Left", "first", 3.0, 1000.0),
        ("Left", "plain", 1.0, 0.1),
        ("Left", "plain", 3.0, 0.9),
        ("right panel", "", 0.0, 2.0),
        ("right panel", "", 1.0, 3.0),
    ]


def test_marks_have_titles_with_their_values(figure, tmp_path):
    write_figure(figure, tmp_path / "figure")
    tree = ElementTree.parse(tmp_path / "figure.svg")
    titles = [title.text for title in tree.iter(f"{SVG}title")]
    assert titles == ["first: 1, 0.25", "first: 2, 0.5", "first: 3, 1,000", "plain", "0, 2", "1, 3"]
    marks = [use for use in tree.iter(f"{SVG}use") if use.find(f"{SVG}title") is not None]
    assert len(marks) == 3


def test_marks_that_are_cut_off_leave_no_wrong_titles(figure, tmp_path):
    figure.axes[0].set_xlim(2.9, 3.1)
    write_figure(figure, tmp_path / "figure")
    titles = {
        title.text for title in ElementTree.parse(tmp_path / "figure.svg").iter(f"{SVG}title")
    }
    assert not any(title.startswith("first") for title in titles)


def test_same_bytes_on_every_run(figure, tmp_path):
    for name in ("one", "two"):
        write_figure(figure, tmp_path / name)
    for suffix in ("svg", "png", "csv"):
        one, two = (tmp_path / f"{name}.{suffix}" for name in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()
    svg = (tmp_path / "one.svg").read_text(encoding="utf-8")
    assert "<dc:date>" not in svg
    assert mpl.__version__ not in svg


def test_error_bars_and_points_bear_their_own_names(tmp_path):
    figure = Figure()
    panel = figure.subplots()
    panel.errorbar([1, 2], [0.5, 0.75], yerr=0.1, fmt="o-", label="GFM")
    title_points(panel.scatter([3, 4], [0.1, 0.2]), ["crude: +0.1", "ship: +0.2"])
    panel.legend()
    write_figure(figure, tmp_path / "figure")
    tree = ElementTree.parse(tmp_path / "figure.svg")
    titles = [title.text for title in tree.iter(f"{SVG}title")]
    assert {"GFM: 1, 0.5", "GFM: 2, 0.75", "crude: +0.1", "ship: +0.2"} <= set(titles)
    values = pd.read_csv(tmp_path / "figure.csv", keep_default_na=False)
    assert values["series"].tolist() == ["GFM", "GFM", "", ""]


def test_two_figures_of_a_page_share_no_id_and_no_style(tmp_path):
    figure = Figure(figsize=(2, 1))
    (line,) = figure.subplots().plot([0, 1], "ok")
    line.set_url("page.html#row")
    write_figure(figure, tmp_path / "figure1")
    one, two = (inline(tmp_path / "figure1.svg", name) for name in ("one", "two"))
    ids = [set(re.findall(r'\bid="([^"]*)"', text)) for text in (one, two)]
    assert ids[0]
    assert not ids[0] & ids[1]
    named = set(re.findall(r'href="#([^"]*)"', one)) | set(re.findall(r"url\(#([^)]*)\)", one))
    assert named
    assert named <= ids[0]
    assert "<style" not in one
    assert "xmlns" not in one
    assert "#000000" not in one
    assert one.count('href="page.html#row" tabindex="-1"') == 1
    assert 'aria-hidden="true"' in one
    assert 'role="img" aria-label="A &lt;line&gt;"' in inline(
        tmp_path / "figure1.svg", "one", "A <line>"
    )


def test_no_paper_has_a_colour_that_pages_replace():
    """Pages replace black by the text colour, and a mark, which is a link, by the link colour."""
    colours = [COLOURS[name].lower() for name in _PALETTE]
    assert len(set(colours)) == len(colours)
    assert not set(colours) & set(_THEMED)
