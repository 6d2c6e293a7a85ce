"""Read the values that a figure shows from its lines, points and bars."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from .formats import significant

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMNS = ["panel", "series", "x", "y"]
_TITLES = "point_titles"


def title_points(artist: Artist, titles: Sequence[str]) -> None:
    """Set the hover texts of the points of a Matplotlib line or scatter, for SVG files.

    `titles` has one text per point. `write_figure` writes the texts to the SVG file.
    """
    setattr(artist, _TITLES, list(titles))


def name_values(figure: Figure) -> tuple[pd.DataFrame, dict[str, str | list[str]]]:
    """Return the values that a figure shows, and hover texts for its lines, scatters and bars.

    The values are a table with one row per point or bar, and the columns panel, series, x and y.
    The hover texts are a dict: the id of an element maps to a text, or to a list with one text per
    point. Elements of `figure` without an id get one.
    """
    names = _legend(figure)
    rows: list[tuple[Any, ...]] = []
    titles: dict[str, str | list[str]] = {}
    for number, axes in enumerate(figure.axes):
        own = axes.get_label()
        panel = own or " ".join(filter(None, map(axes.get_title, ("left", "center", "right"))))
        # The label of a line with error bars is the label of their container.
        labelled = {each.lines[0]: each for each in axes.containers if hasattr(each, "lines")}
        for place, (artist, x, y) in enumerate(_artists(axes)):
            label = str(labelled.get(artist, artist).get_label())
            series = names.get(_look(artist)) or ("" if label.startswith("_") else label)
            rows += [(panel, series, *point) for point in zip(x, y, strict=True)]
            name = f"values-{number}-{place}"
            if artist.get_gid() not in (None, name):
                continue
            artist.set_gid(name)
            points = zip(x, y, strict=True)
            texts = [f"{series}: " * bool(series) + f"{_text(a)}, {_text(b)}" for a, b in points]
            texts = getattr(artist, _TITLES, texts)
            is_scatter = hasattr(artist, "get_offsets")
            is_marked = getattr(artist, "get_marker", lambda: "")() not in (None, "", " ", "None")
            single = texts[0] if len(texts) == 1 else series
            titles[name] = texts if is_scatter or is_marked else single
    return pd.DataFrame(rows, columns=COLUMNS), {
        name: text for name, text in titles.items() if text
    }


def _artists(axes: Axes) -> Iterator[tuple[Artist, Any, Any]]:
    """Yield (artist, x, y) for each line, bar and scatter in coordinates of the data."""
    from matplotlib.container import BarContainer

    for line in axes.lines:
        if line.get_transform() is axes.transData:
            yield line, *map(np.asarray, (line.get_xdata(), line.get_ydata()))
    for container in axes.containers:
        if isinstance(container, BarContainer):
            for bar in container:
                yield bar, [bar.get_x() + bar.get_width() / 2], [bar.get_y() + bar.get_height()]
    for collection in axes.collections:
        offsets = np.asarray(collection.get_offsets())
        if collection.get_offset_transform() is axes.transData and len(offsets):
            yield collection, offsets[:, 0], offsets[:, 1]


def _look(artist: Artist) -> Hashable:
    """Return an artist's colour, and a line's marker, by which the legend identifies it."""
    from matplotlib.colors import to_hex

    if hasattr(artist, "get_marker"):
        return to_hex(artist.get_color()), str(artist.get_marker())
    colour = artist.get_facecolor()
    colour = colour[0] if np.ndim(colour) == 2 and len(colour) else colour
    return to_hex(colour) if np.size(colour) else ""


def _legend(figure: Figure) -> dict[Hashable, str]:
    legends = [*figure.legends, *(axes.get_legend() for axes in figure.axes)]
    return {
        _look(handle): text.get_text()
        for legend in legends
        if legend is not None
        for handle, text in zip(legend.legend_handles, legend.get_texts(), strict=True)
    }


def _text(value: Any) -> str:
    return significant(float(value)) if isinstance(value, (int, float, np.number)) else str(value)
