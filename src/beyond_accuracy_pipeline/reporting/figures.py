"""Write figures as SVG and PNG files, with the same bytes on every run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from beyond_accuracy_pipeline.results.frames import write_csv

from .drawn_values import name_values
from .vector_graphics import add_titles

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMN_WIDTH = 3.5
PAGE_WIDTH = 7.2

# Okabe and Ito's palette, which stays apart for colour-blind readers and in grey.
COLOURS = {
    "blue": "#0072B2",
    "orange": "#E69F00",
    "green": "#009E73",
    "vermilion": "#D55E00",
    "purple": "#CC79A7",
    "sky": "#56B4E9",
    "grey": "#7A7A7A",
    "black": "#000000",
}


@contextmanager
def figure_style() -> Iterator[None]:
    """Return a context in which figures have the project's style, not the user's matplotlibrc."""
    import matplotlib as mpl

    style = resources.files(__package__) / "figures.mplstyle"
    with mpl.rc_context(), resources.as_file(style) as file:
        mpl.rcdefaults()
        mpl.rcParams.update(mpl.rc_params_from_file(file, use_default_template=False))
        yield


def panel_grid(n_panels: int, columns: int, **options: Any) -> tuple[Figure, list[Axes]]:
    """Create a figure with `n_panels` panels, `columns` per row; return the figure and the panels.

    The option `height` is in inches per row, and `width` in inches for the figure. Other options go
    to Matplotlib's `Figure.subplots`.
    """
    from matplotlib.figure import Figure

    rows = -(-n_panels // columns)
    height = 0.5 + options.pop("height", 2.1) * rows
    width = options.pop("width", PAGE_WIDTH)
    figure = Figure(figsize=(width, height), layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False, **options).ravel()
    for panel in panels[n_panels:]:
        panel.set_axis_off()
    return figure, list(panels[:n_panels])


def write_figure(figure: Figure, stem: str | Path) -> None:
    """Write a figure to `<stem>.svg` (with hover texts) and `.png`, and its values to `.csv`."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    stem = Path(stem)
    stem.parent.mkdir(parents=True, exist_ok=True)
    FigureCanvasAgg(figure)
    values, titles = name_values(figure)
    write_csv(f"{stem}.csv", values, float_format="%.10g")
    with figure_style():
        figure.savefig(f"{stem}.svg", metadata={"Date": None, "Creator": None})
        add_titles(Path(f"{stem}.svg"), titles)
        # The layout takes a third of the time, and both files have the same.
        figure.set_layout_engine("none")
        figure.savefig(f"{stem}.png", metadata={"Software": None})


def message_figure(text: str) -> Figure:
    """Return a figure that only shows a text, such as the reason why nothing can be drawn."""
    from matplotlib.figure import Figure

    with figure_style():
        figure = Figure(figsize=(PAGE_WIDTH, 1.4))
        figure.text(0.5, 0.5, text, ha="center", va="center", wrap=True)
    return figure
