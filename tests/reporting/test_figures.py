"""Figures: their files, their style and their panels."""

import re
import xml.etree.ElementTree as ElementTree

import matplotlib as mpl
from matplotlib.figure import Figure
from PIL import Image

from beyond_accuracy_pipeline.reporting.figures import figure_style, panel_grid, write_figure
from beyond_accuracy_pipeline.reporting.vector_graphics import inline


def test_svg_and_png_without_dates(tmp_path):
    figure = Figure(figsize=(2, 1))
    figure.subplots().plot([0, 1])
    write_figure(figure, tmp_path / "figures" / "figure1")
    svg = (tmp_path / "figures" / "figure1.svg").read_text(encoding="utf-8")
    assert ElementTree.fromstring(svg).tag.endswith("svg")
    assert "<dc:date>" not in svg
    assert mpl.__version__ not in svg
    with Image.open(tmp_path / "figures" / "figure1.png") as image:
        assert image.size == (400, 200)
        assert "Software" not in image.info


def test_the_style_does_not_leak():
    before = mpl.rcParams["svg.hashsalt"], mpl.rcParams["font.size"]
    with figure_style():
        assert mpl.rcParams["svg.hashsalt"] == "beyond-accuracy"
    assert (mpl.rcParams["svg.hashsalt"], mpl.rcParams["font.size"]) == before


def test_panels_beyond_the_last_are_blank():
    figure, panels = panel_grid(3, 2, sharex=True)
    assert len(panels) == 3
    assert [axes.axison for axes in figure.axes] == [True, True, True, False]


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
