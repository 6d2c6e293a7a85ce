"""The lines of an ARFF text, as liac-arff can read them."""

import io
import re

import arff

# Weka: % starts a comment, blanks and tabs separate, both outside quotes alone.
_QUOTED = r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
_COMMENT = re.compile(rf"""^((?:[^%'"]|{_QUOTED})*+)%.*$""", re.DOTALL)
_SEPARATOR = re.compile(rf"({_QUOTED})|\s*,\s*|\s+")
_ATTRIBUTE = re.compile(r"^\s*@attribute\s+", re.IGNORECASE)
_NUMERIC = re.compile(r"\s(integer|numeric|real)\s*+(\[[^\[\]]*+\]\s*+)?$", re.IGNORECASE)
# liac-arff tries all ways to divide a list of values that has no end, 2 to the power of its length.
_NOMINAL = re.compile(r"""^(?:".*"|'.*'|[^{}%,\s]*)\s+(\{.+)$""")
_VALUE = rf"""(?:{_QUOTED}|(?:[^\s,'"}}]|\}}(?!\s*$))(?:[^\s,}}]|\}}(?!\s*$))*+)?+"""
_VALUES = re.compile(rf"\{{\s*+{_VALUE}\s*+(?:,\s*+{_VALUE}\s*+)*+\}}\s*$")


class ArffLines:
    """Iterator over the lines of an ARFF text that knows where it is.

    It also rewrites what liac-arff mistakes or refuses and Weka reads: the type ``integer``, which
    liac-arff truncates although Weka takes it for numeric, a range after a type
    (``integer [0,9]``), tabs after ``@attribute`` or between the values of a row, and comments that
    follow on a line.
    """

    def __init__(self, text: str):
        self._lines = io.StringIO(text)
        self._in_data = False
        self.number = 0
        self.shown = ""

    def __iter__(self):
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.number += 1
        self.shown = line.strip() if len(line) <= 80 else line[:80].strip() + "..."
        if "%" in line and not line.lstrip().startswith("%"):
            line = _COMMENT.sub(r"\1", line)
        if self._in_data:
            return _with_commas(line) if "\t" in line else line
        self._in_data = line.lstrip().lower().startswith("@data")
        if _ATTRIBUTE.match(line):
            nominal = _NOMINAL.match(_ATTRIBUTE.sub("", line).strip())
            if nominal and not _VALUES.match(nominal[1]):
                raise arff.BadAttributeType
            line = _NUMERIC.sub(" NUMERIC", _ATTRIBUTE.sub("@attribute ", line))
        return line


def _with_commas(line: str) -> str:
    """Return a row of dense ARFF whose values are separated by commas alone, not by tabs."""
    line = line.strip()
    if line.startswith(("{", "%")):
        return line
    return _SEPARATOR.sub(_as_comma, line)


def _as_comma(match: re.Match) -> str:
    return match[0] if match[1] or not {",", "\t"} & set(match[0]) else ","
