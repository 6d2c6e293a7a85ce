"""The plot of published numbers against ours."""

from beyond_accuracy_pipeline.reporting.figures import COLOURS
from beyond_accuracy_pipeline.reporting.site.overview import _PALETTE
from beyond_accuracy_pipeline.reporting.vector_graphics import _THEMED


def test_no_paper_has_a_colour_that_pages_replace():
    """Pages replace black by the text colour, and a mark, which is a link, by the link colour."""
    colours = [COLOURS[name].lower() for name in _PALETTE]
    assert len(set(colours)) == len(colours)
    assert not set(colours) & set(_THEMED)
