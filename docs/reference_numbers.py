"""Pages whose numbers come from `reference/`: Jinja templates, filled in when Sphinx reads them."""

import csv
import difflib
import json
import re
import traceback
from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import StrictUndefined, TemplateSyntaxError, UndefinedError, nodes
from jinja2.sandbox import SandboxedEnvironment

from beyond_accuracy_pipeline.reporting.agreement import DISTANCES, distances, read_agreement

# Digits that are names, years or targets of links, and the number of papers.
ALLOWED = [
    r"\]\([^)]*\)",
    r"(?<!\w)(?:[Ff]1|C4\.5|Rec@2p|(?:−1|0) (?:and|or) 1)(?!\w)",
    r"\b(?:joachims2005|deng2006|dembczynski2011|li2013|cheng2016)\b",
    r"\b(?:ijcnn1|a3a|news20|Reuters-21578)\b",
    r"\b(?:19|20)\d\d\b",
    r"\b(?:[Ff]ive papers|[Tt]wenty years|threshold of ½)\b",
]
NUMBER = re.compile(
    r"\d[\d.,]*|\b(?:three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|"
    r"hundred|thousand)s?\b",
    re.IGNORECASE,
)
WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
VERDICTS = ["reproduced", "partly", "undecided", "not reproduced", "not testable"]


class PageError(ValueError):
    """A page says something that `reference/` does not."""


class Values(dict[str, Any]):
    """Values by name, whose missing names raise an error that lists the nearest ones."""

    def __init__(self, values: Any, where: str) -> None:
        super().__init__(values)
        self.where = where

    def __missing__(self, name: str) -> Any:
        raise PageError(f"{self.where} has no '{name}'; {nearest(name, self)}")


class Reference:
    """Functions that look values up in the folder of the reference runs."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.rows = lru_cache(self._rows)

    def _rows(self, table: str, paper: str | None = None) -> list[Values]:
        """Return the rows of a table, of a figure's values, or of a file beside the papers."""
        if paper and not (self.folder / paper).is_dir():
            papers = [file.name for file in self.folder.iterdir() if file.is_dir()]
            raise PageError(f"reference has no folder '{paper}'; {nearest(paper, papers)}")
        folders = ["tables", "figures"] if paper else ["."]
        files = [
            file for name in folders for file in (self.folder / (paper or "") / name).glob("*.csv")
        ]
        named = {file.stem: file for file in files}
        path = Values(named, f"reference/{paper or ''}".rstrip("/"))[table]
        with path.open(encoding="utf-8", newline="") as file:
            where = path.relative_to(self.folder.parent).as_posix()
            return [Values(row, where) for row in csv.DictReader(file)]

    def cell(self, paper: str | None, table: str, column: str, /, **where: Any) -> float | str:
        """Return a column's value in the one row whose other columns have the given values."""
        rows = self.rows(table, paper)
        for name, value in where.items():
            kept = [row for row in rows if row[name] == str(value)]
            if not kept:
                values = {row[name] for row in rows}
                raise PageError(
                    f"{rows[0].where} has no row with {name} '{value}'; {nearest(value, values)}"
                )
            rows = kept
        if len(rows) > 1:
            different = [name for name in rows[0] if len({row[name] for row in rows}) > 1]
            raise PageError(
                f"{rows[0].where} has {len(rows)} rows with {where}; "
                f"name one of {', '.join(different[:5])} too"
            )
        return self._value(rows[0][column], f"the cell '{column}' of {rows[0].where} with {where}")

    @staticmethod
    def _value(text: str, where: str) -> float | str:
        if not text:
            raise PageError(f"{where} is empty; choose another row or column")
        try:
            return float(text)
        except ValueError:
            return text

    def claim(self, paper: str, name: str) -> Values:
        """Return a row of claims.csv, with its numbers by name."""
        claims = {row["id"]: row for row in self.rows("claims") if row["paper"] == paper}
        if not claims:
            papers = {row["paper"] for row in self.rows("claims")}
            raise PageError(f"claims.csv has no paper '{paper}'; {nearest(paper, papers)}")
        row = Values(claims, f"claims.csv of {paper}")[name]
        numbers = Values(json.loads(row["numbers"] or "{}"), f"the claim {name} of {paper}")
        seeds = row["states"].removeprefix("at most ").split(" of ")[0]
        return Values({**row, "numbers": numbers, "seeds": float(seeds)}, row.where)

    def verdicts(self, paper: str | None = None) -> Values:
        """Return how many sentences of a paper, or of all, have each verdict."""
        found = Counter(
            row["verdict"]
            for row in self.rows("claims")
            if row["source"] == "paper" and paper in (None, row["paper"])
        )
        counts = {verdict: found[verdict] for verdict in VERDICTS}
        judged = found.total() - found["not testable"]
        return Values(counts | {"all": found.total(), "judged": judged}, "verdicts")

    def agreement(self, within: float | None = None, *, substitutes: bool = True) -> float:
        """Return how many published values are compared, or the share within a distance of ours.

        `within` is one of the distances in `beyond_accuracy_pipeline.reporting.agreement`.
        """
        cells = read_agreement(self.folder / "agreement.csv")
        if not substitutes:
            cells = cells[~cells["substitute"].eq(True)]
        counts = distances(cells)
        if within is None:
            return counts["n_values"]
        return counts["within"][DISTANCES.index(within)] / counts["n_values"]

    def sign_changes(self, paper: str, table: str, column: str) -> float:
        """Return in how many rows of a table a value's sign depends on the seed."""
        names = [f"{column}_{end}_of_states" for end in ("least", "most")]
        return sum(
            float(row[names[0]]) < 0 < float(row[names[1]]) for row in self.rows(table, paper)
        )

    def numbers(self, paper: str, name: str, ending: str) -> list[float]:
        """Return the numbers of a claim whose names have an ending."""
        found = self.claim(paper, name)["numbers"]
        if not (kept := [value for key, value in found.items() if key.endswith(ending)]):
            raise PageError(
                f"{found.where} has no number that ends with '{ending}'; {nearest(ending, found)}"
            )
        return kept


def nearest(name: Any, options: Iterable[str]) -> str:
    """Return an end of an error message that lists valid values, nearest ones first."""
    options = sorted(options)
    near = difflib.get_close_matches(str(name), options, 4, 0.4) or options[:8]
    return f"valid near it: {', '.join(near)}"


def expect(condition: bool) -> str:
    """Return nothing, or raise an error if what the text says no longer holds."""
    if not condition:
        raise PageError("what the text says here does not hold in reference/; rewrite the sentence")
    return ""


def words(value: float) -> str:
    """Return a whole number up to ten as a word, other numbers as digits."""
    return WORDS[int(value)] if value in range(len(WORDS)) else f"{value:,.10g}"


FILTERS: dict[str, Callable[..., str]] = {
    "percent": lambda value, places=1: f"{100 * value:.{places}f} %",
    "hundredths": lambda value, places=1: f"{100 * value:.{places}f}",
    "points": lambda value, places=1: f"{100 * value:+.{places}f}".replace("-", "−"),
    "decimals": lambda value, places: f"{value:,.{places}f}".replace("-", "−"),
    "number": lambda value: f"{value:,.10g}",
    "words": words,
}


def check_typed_numbers(tree: nodes.Template) -> None:
    """Check that a template types no number, as text or as an expression."""

    names = re.compile("|".join(ALLOWED))

    def check(node: nodes.Node, argument: bool) -> None:
        if isinstance(node, nodes.TemplateData):
            unnamed = names.sub(lambda match: re.sub(r"\S", " ", match[0]), node.data)
            if match := NUMBER.search(unnamed):
                line = node.lineno + unnamed[: match.start()].count("\n")
                near = " ".join(node.data[max(0, match.start() - 30) : match.end() + 20].split())
                raise TemplateSyntaxError(
                    f"the number '{match[0]}' is typed in '{near}'; "
                    "take it from reference/ with cell() or claim(), "
                    "or add a name to ALLOWED in docs/reference_numbers.py",
                    line,
                )
        elif (
            isinstance(node, nodes.Const)
            and not argument
            and NUMBER.search(names.sub("", str(node.value)))
        ):
            raise TemplateSyntaxError(
                f"the number '{node.value}' is typed in an expression; take it from reference/",
                node.lineno,
            )
        for child in node.iter_child_nodes():
            filtered = isinstance(node, nodes.Filter) and child is node.node
            inside = isinstance(node, nodes.Call | nodes.Filter | nodes.Getitem | nodes.Compare)
            check(child, (argument or inside) and not filtered)

    check(tree, argument=False)


def render(text: str, page: str, reference: str | Path, output: str | Path) -> str:
    """Return a page with its numbers and figures; errors name page and line.

    Figures of which only the top is shown are written into the folder `output` beside the page.
    """
    values = Reference(reference)
    figures: list[str] = []

    def figure(paper: str, name: str, caller: Callable[[], str], top: float | None = None) -> str:
        folder = values.folder / paper / "figures"
        named = {file.stem: file for file in folder.glob("*.svg")}
        path = Values(named, f"reference/{paper}/figures")[name]
        address = f"../reference/{paper}/figures/{path.name}"
        if top:
            Path(output).mkdir(parents=True, exist_ok=True)
            copy = Path(output) / f"{paper}_{path.name}"
            svg = path.read_text(encoding="utf-8")
            svg = re.sub(r'height="[\d.]+pt" viewBox="0 0 ([\d.]+) [\d.]+"',
                         rf'height="{top}pt" viewBox="0 0 \1 {top}"', svg, count=1)  # fmt: skip
            copy.write_text(svg, encoding="utf-8")
            address = f"{Path(output).name}/{copy.name}"
        figures.append(name)
        caption = " ".join(caller().split())
        plain = re.sub(r"[*`]|\]\([^)]*\)|\[", "", caption).split(". ")[0]
        return (
            f"```{{figure}} {address}\n:alt: {plain}\n\n**Figure {len(figures)}.** {caption}\n```\n"
        )

    environment = SandboxedEnvironment(
        undefined=StrictUndefined, trim_blocks=True, keep_trailing_newline=True
    )
    environment.filters |= FILTERS
    functions = {
        "cell": values.cell,
        "claim": values.claim,
        "verdicts": values.verdicts,
        "rows": values.rows,
        "agreement": values.agreement,
        "sign_changes": values.sign_changes,
        "numbers": values.numbers,
        "figure": figure,
        "expect": expect,
    }
    try:
        check_typed_numbers(environment.parse(text))
        return environment.from_string(text, globals=functions).render()
    except TemplateSyntaxError as error:
        raise PageError(f"{page}:{error.lineno}: {error.message}") from error
    except (PageError, UndefinedError, TypeError, ValueError) as error:
        frames = traceback.extract_tb(error.__traceback__)
        line = [frame.lineno for frame in frames if frame.filename == "<template>"][-1:]
        message = str(error)
        if isinstance(error, UndefinedError) and "' is undefined" in message:
            message += f"; {nearest(message.split(chr(39))[1], functions)}"
        raise PageError(f"{page}:{line[0] if line else 1}: {message}") from error
