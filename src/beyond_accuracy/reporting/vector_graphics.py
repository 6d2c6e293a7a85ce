"""Vector graphics that say their values: a title on each mark, which browsers show on hover."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.etree import ElementTree  # nosec B405 # it writes; defusedxml reads

from defusedxml.ElementTree import iterparse, parse

_SVG = "http://www.w3.org/2000/svg"
_LINK = "http://www.w3.org/1999/xlink"


def aspect_ratio(path: Path) -> str:
    """Return width / height of a picture as CSS has it, so that pages do not jump."""
    with open(path, "rb") as stream:
        _, root = next(iterparse(stream, events=["start"]))
    box = root.get("viewBox", "0 0 16 9").split()
    return f"{box[2]} / {box[3]}"


def add_titles(path: Path, titles: Mapping[str, str | Sequence[str]]) -> None:
    """Give the marks of a picture titles, by the id of their group.

    One text is for the group; several are for its marks in their order, and are left out where
    there are fewer or more marks, some being cut off.
    """
    ElementTree.register_namespace("", _SVG)
    ElementTree.register_namespace("xlink", _LINK)
    tree = parse(path)
    groups = {group.get("id"): group for group in tree.iter(f"{{{_SVG}}}g")}
    for name, title in titles.items():
        group = groups.get(name)
        if group is None:
            continue
        if isinstance(title, str):
            _prepend(group, title)
            continue
        marks = list(group.iter(f"{{{_SVG}}}use"))
        if len(marks) == len(title):
            for mark, text in zip(marks, title, strict=True):
                _prepend(mark, text)
    tree.write(path, encoding="utf-8", xml_declaration=True)


def _prepend(element, text):
    title = ElementTree.Element(f"{{{_SVG}}}title")
    title.text = text
    element.insert(0, title)
