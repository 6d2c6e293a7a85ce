"""Edit SVG pictures: embed them in pages, and add texts that browsers show on hover."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.etree import ElementTree  # nosec B405 # it writes; defusedxml reads

from defusedxml.ElementTree import fromstring, parse

_SVG = "http://www.w3.org/2000/svg"
_LINK = "http://www.w3.org/1999/xlink"
_HREF = f"{{{_LINK}}}href"
_REFERENCE = re.compile(r"url\(#([^)]*)\)")
_ID = re.compile(r' id="([^"]*)"')
_REFERRED = re.compile(r'url\(#([^)]*)\)|href="#([^"]*)"')
# Colours that pages replace by the colours of their theme.
_THEMED = {"#000000": "currentColor", "#ffffff": "var(--paper)", "#e3e6ea": "var(--grid)"}
_COLOUR = re.compile(rf"(?<=: )(?:{'|'.join(_THEMED)})\b", re.IGNORECASE)

_COORDINATES = {"d", "x", "y", "width", "height"}
_DECIMALS = re.compile(r"-?\d+\.\d{3,}")


def inline(path: Path, name: str, label: str = "") -> str:
    """Read an SVG file, and return it as an element for HTML, in colours of the page's theme.

    `name` is a prefix that makes the ids in the picture unique on the page. `label` describes the
    picture to screen readers, which skip it if `label` is empty.
    """
    ElementTree.register_namespace("", _SVG)
    ElementTree.register_namespace("xlink", _LINK)
    root = fromstring(without_idle_ids(path.read_text(encoding="utf-8")))
    for parent in list(root.iter()):
        for child in list(parent):
            # Style rules would apply to the whole page.
            if child.tag in (f"{{{_SVG}}}metadata", f"{{{_SVG}}}style"):
                parent.remove(child)
    for element in root.iter():
        if "id" in element.attrib:
            element.set("id", f"{name}-{element.get('id')}")
        if "d" in element.attrib:
            element.set("d", " ".join(element.get("d").split()))
        reference = element.attrib.pop(_HREF, "")
        if reference.startswith("#"):
            element.set("href", f"#{name}-{reference[1:]}")
        elif reference:
            element.attrib.pop("target", None)
            element.set("href", reference)
            if element.tag == f"{{{_SVG}}}a":
                element.set("tabindex", "-1")
        for key in ("style", "clip-path"):
            if text := element.get(key):
                text = _REFERENCE.sub(rf"url(#{name}-\1)", text)
                element.set(key, _COLOUR.sub(lambda match: _THEMED[match[0].lower()], text))
    width, height = root.get("viewBox", "0 0 16 9").split()[2:]
    for key in ("width", "height", "version"):
        root.attrib.pop(key, None)
    look = f"aspect-ratio: {width} / {height}; stroke-linejoin: round; fill: currentColor"
    root.set("style", f"{look}; --width: {float(width):.0f}")
    root.attrib.update({"role": "img", "aria-label": label} if label else {"aria-hidden": "true"})
    text = ElementTree.tostring(root, encoding="unicode")
    # HTML knows the namespaces, and would show a prefix; indentation is a tenth of a picture.
    return re.sub(r'\sxmlns(:\w+)?="[^"]*"|(?<=>)\s+(?=<)', "", text)


def without_idle_ids(picture: str) -> str:
    """Return the text of an SVG picture without the ids that nothing in the picture uses."""
    referred = {found[1] or found[2] for found in _REFERRED.finditer(picture)}
    return _ID.sub(lambda found: found[0] if found[1] in referred else "", picture)


def without_indentation(picture: str) -> str:
    """Return the text of an SVG picture without indentation, to shorten it."""
    return re.sub(r"(?<=>)\s*\n\s*(?=<)", "\n", picture)


def add_titles(path: Path, titles: Mapping[str, str | Sequence[str]]) -> None:
    """Add hover texts to marks in an SVG file, and round coordinates to two decimals.

    `titles` maps the id of a group of marks, such as the points of a line, to a text for the group,
    or to a list with one text per mark. A list of another length is ignored.
    """
    ElementTree.register_namespace("", _SVG)
    ElementTree.register_namespace("xlink", _LINK)
    tree = parse(path)
    groups = {group.get("id"): group for group in tree.iter(f"{{{_SVG}}}g")}
    for name in titles.keys() & groups.keys():
        texts, marks = titles[name], [groups[name]]
        if isinstance(texts, str):
            texts = [texts]
        else:
            marks = list(groups[name].iter(f"{{{_SVG}}}use"))
        if len(marks) == len(texts):
            for mark, text in zip(marks, texts, strict=True):
                title = ElementTree.Element(f"{{{_SVG}}}title")
                title.text = text
                mark.insert(0, title)
    for element in tree.iter():
        for key in _COORDINATES & element.attrib.keys():
            element.set(key, _DECIMALS.sub(_two_decimals, element.attrib[key]))
    tree.write(path, encoding="utf-8", xml_declaration=True)


def _two_decimals(number: re.Match[str]) -> str:
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")
