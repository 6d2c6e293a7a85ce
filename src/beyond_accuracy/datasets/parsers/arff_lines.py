"""The lines of an ARFF text, as liac-arff can read them."""

import re
from collections.abc import Iterator

from beyond_accuracy.datasets.errors import ParseError
from beyond_accuracy.datasets.raw_files import RawFile

_ATTRIBUTE = re.compile(r"^\s*@attribute(\s+|$)", re.IGNORECASE)
_TAKEN_FOR_ATTRIBUTE = re.compile(r"^\s*@attribute", re.IGNORECASE)
_NUMERIC = re.compile(r"\s(integer|numeric|real)\s*+(\[[^\[\]]*+\]\s*+)?$", re.IGNORECASE)
_DATE = re.compile(
    r"""^\s*@attribute\s+('[^']*'|"[^"]*"|\S+)\s+date(\s+("[^"]*"|'[^']*'|\S+))?\s*$""",
    re.IGNORECASE,
)
# Weka: % starts a comment and tabs separate, both outside quotes alone.
_QUOTED = r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
_COMMENT = re.compile(rf"""^((?:[^%'"]|{_QUOTED})*+)%.*$""", re.DOTALL)
# One without its end, and nothing more of its kind; by the kinds that have none already.
_SEPARATORS = {
    unclosed: re.compile(rf"((?!{kinds}){_QUOTED})|((?!{kinds})[\"'])|\s++(?:,\s*+)?|,\s*+")
    for unclosed, kinds in {"": "(?!)", '"': '"', "'": "'", "both": "[\"']"}.items()
}
# liac-arff tries all ways to divide a list that it cannot read, of which there are 2 to the power
# of its length: what passes here it reads at once, if no quoted value holds a comma. A name ends
# where it ends for liac-arff.
_NAME_AND_TYPE = re.compile(r"""^(?:".*"|'.*'|[^{}%,\s]*)\s+(.+)$""")
_VALUE = rf"""(?:{_QUOTED}|(?:[^\s,'"}}]|\}}(?!\s*$))(?:[^\s,}}]|\}}(?!\s*$))*+)?+"""
_QUOTED_OR_NOT = re.compile(rf"""({_QUOTED})|[^\s,'"][^\s,]*+""")
_VALUES = re.compile(rf"\{{\s*+{_VALUE}\s*+(?:,\s*+{_VALUE}\s*+)*+\}}\s*$")


_INDICES = re.compile(r"[{,]\s*+(\d++)")


class ArffLines:
    """Iterator over the lines of an ARFF text that knows where it is.

    It also rewrites what liac-arff mistakes or refuses and Weka reads: the type ``integer``, which
    liac-arff truncates although Weka takes it for numeric, a range after a type
    (``integer [0,9]``), tabs after ``@attribute`` or between the values of a row, and comments that
    follow on a line.
    """

    def __init__(self, text: str, file: RawFile):
        self._lines = _lines(text)
        self._file = file
        self._in_data = False
        self.number = 0
        self.shown = ""

    def __iter__(self):
        return self

    def _check_sparse(self, line):
        """Refuse a sparse row that gives an attribute twice; liac-arff would take the last."""
        if not line.lstrip().startswith("{") or "'" in line or '"' in line:
            return
        indices = _INDICES.findall(line)
        if len(set(indices)) < len(indices):
            valid = "one value for an attribute"
            raise ParseError(self._file.location, self.number, repr(self.shown), valid)

    def __next__(self) -> str:
        line = next(self._lines)
        self.number += 1
        self.shown = line.strip() if len(line) <= 80 else line[:80].strip() + "..."
        if "%" in line and not line.lstrip().startswith("%"):
            line = _COMMENT.sub(r"\1", line)
        if self._in_data:
            self._check_sparse(line)
            return _with_commas(line) if "\t" in line else line
        self._in_data = line.lstrip().lower().startswith("@data")
        if _TAKEN_FOR_ATTRIBUTE.match(line):
            if not _ATTRIBUTE.match(line):
                valid = "@attribute, a blank, a name and a type"
                raise ParseError(self._file.location, self.number, repr(self.shown), valid)
            if _DATE.match(line):
                found = f"a date attribute, {self.shown!r}"
                valid = "numeric or nominal attributes; drop or convert dates before use"
                raise ParseError(self._file.location, self.number, found, valid)
            declared = _NAME_AND_TYPE.match(_ATTRIBUTE.sub("", line).strip())
            values = declared[1] if declared else ""
            if values.startswith("{") and not _VALUES.match(values):
                found = f"the nominal attribute {self.shown!r}"
                valid = "its values in braces, separated by commas, quoted if they hold blanks"
                raise ParseError(self._file.location, self.number, found, valid)
            if "," in values:
                line = line.replace(values, _QUOTED_OR_NOT.sub(_without_comma, values))
            line = _NUMERIC.sub(" NUMERIC", _ATTRIBUTE.sub("@attribute ", line))
        return line


def _lines(text: str) -> Iterator[str]:
    """The lines of a text, one after the other; ``io.StringIO`` would take four bytes a letter."""
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


def _without_comma(match: re.Match) -> str:
    return match[0].replace(",", r"\054") if match[1] else match[0]


def _with_commas(line: str) -> str:
    """A row of dense ARFF whose values are separated by commas or tabs, by commas alone."""
    line = line.strip()
    if line.startswith(("{", "%")):
        return line
    parts, position, unclosed = [], 0, ""
    while match := _SEPARATORS[unclosed].search(line, position):
        parts += [line[position : match.start()], _as_comma(match)]
        position = match.end()
        # Whatever follows, no later quote of the kind has an end: each would be looked for.
        if match[2]:
            unclosed = "both" if unclosed else match[2]
    return "".join([*parts, line[position:]])


def _as_comma(match: re.Match) -> str:
    return match[0] if match[1] or match[2] or not {",", "\t"} & set(match[0]) else ","
