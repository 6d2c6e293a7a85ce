"""Figures: their files, and what Figure 1 draws."""

import xml.etree.ElementTree as ElementTree

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from PIL import Image

from beyond_accuracy import reporting
from beyond_accuracy.reporting.figures import figure_style, write_figure
from beyond_accuracy.reporting.intervals_table import IntervalLookup
from beyond_accuracy.reporting.joachims2005.figures import figure1
from beyond_accuracy.reporting.results import PaperResults

from .synthetic_run import PAPER


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


def test_figure1_draws_the_averages_of_the_bins(reported):
    results = PaperResults(reported.results, PAPER)
    figure = figure1(results, reported.configuration)
    panels = [panel for panel in figure.axes if panel.get_title(loc="left")]
    assert [panel.get_title(loc="left") for panel in panels] == [
        "F1",
        "PRBEP",
        "Rec@2p",
        "ROC area",
    ]
    rows = results.intervals[
        (results.intervals["data_set"] == "text")
        & (results.intervals["measure"] == "f1")
        & (results.intervals["method"] == "difference")
        & (results.intervals["group"] != "all")
    ]
    container = panels[0].containers[0]
    np.testing.assert_allclose(container.lines[0].get_ydata(), 100 * rows["estimate"])
    segments = np.array(container.lines[2][0].get_segments())[:, :, 1]
    low, high = IntervalLookup(results.intervals).difference("text", "f1", "1–2")
    assert segments[0] == pytest.approx((100 * low, 100 * high))
    classes = [points for points in panels[0].collections if isinstance(points, PathCollection)]
    assert sum(len(points.get_offsets()) for points in classes) == 6


def test_figure1_is_about_reuters_wherever_it_stands_in_the_list(reported):
    """The run has no results of Reuters, and yet no other data set takes its place unnamed."""
    results = PaperResults(reported.results, PAPER)
    configuration = reported.configuration | {"data_sets": ["text", "reuters21578-modapte"]}
    text = figure1(results, configuration).texts[0].get_text()
    assert "reuters21578-modapte: nothing to draw" in text
    title = figure1(results, reported.configuration).get_suptitle()
    assert title.startswith("text (Reuters is not selected)")


def test_nothing_to_draw_is_said(reported, tmp_path):
    configuration = reported.configuration | {"data_sets": ["absent"]}
    figure = figure1(PaperResults(reported.results, PAPER), configuration)
    assert "absent: nothing to draw" in figure.texts[0].get_text()
    reporting.build_figure(reported.results, PAPER, "figure1", configuration, tmp_path / "figure1")
    assert (tmp_path / "figure1.svg").is_file()
