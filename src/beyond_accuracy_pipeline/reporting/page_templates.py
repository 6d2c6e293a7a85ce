"""Pages whose numbers come from `reference/`: Jinja templates in which no number is typed."""

import re
import traceback
from collections.abc import Callable, Mapping
from statistics import median
from typing import Any

from jinja2 import StrictUndefined, TemplateSyntaxError, UndefinedError, nodes
from jinja2.sandbox import SandboxedEnvironment

from .reference_values import PageError, Reference, nearest

# Digits that are names, years, levels, code or targets of links, and the number of papers.
ALLOWED = [
    r"\]\([^)]*\)",
    r"`[^`]*`",
    r"^\d+\. ",
    r"\b(?:Algorithm|Figure|Proposition|Section|Table|Theorem|[Ff]ormula) \(?\d[\d.]*\)?",
    r"\b95 %",
    r"\bw = 0\b",
    r"\{(?:−1|0), 1\}",
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


def expect(condition: bool) -> str:
    """Return nothing, or raise an error if what the text says no longer holds."""
    if not condition:
        raise PageError("what the text says here does not hold in reference/; rewrite the sentence")
    return ""


def words(value: float) -> str:
    """Return a whole number up to ten as a word, other numbers as digits."""
    return WORDS[int(value)] if value in range(len(WORDS)) else f"{value:,.10g}"


FILTERS: dict[str, Callable[..., Any]] = {
    "percent": lambda value, places=1: f"{100 * value:.{places}f} %",
    "hundredths": lambda value, places=1: f"{100 * value:.{places}f}".replace("-", "−"),
    "points": lambda value, places=1: f"{100 * value:+.{places}f}".replace("-", "−"),
    "decimals": lambda value, places: f"{value:,.{places}f}".replace("-", "−"),
    "number": lambda value: f"{value:,.10g}",
    "words": words,
    "median": median,
}


def check_typed_numbers(tree: nodes.Template) -> None:
    """Check that a template types no number, as text or as an expression."""
    names = re.compile("|".join(ALLOWED), re.MULTILINE)

    def check(node: nodes.Node, argument: bool) -> None:
        if isinstance(node, nodes.TemplateData):
            unnamed = names.sub(lambda match: re.sub(r"\S", " ", match[0]), node.data)
            if match := NUMBER.search(unnamed):
                line = node.lineno + unnamed[: match.start()].count("\n")
                near = " ".join(node.data[max(0, match.start() - 30) : match.end() + 20].split())
                raise TemplateSyntaxError(
                    f"the number '{match[0]}' is typed in '{near}'; "
                    "take it from reference/ with cell(), claim() or compared(), "
                    "or write given('...') if it is no result",
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


def given(text: str) -> str:
    """Return a text whose numbers are not results, such as sizes that a paper or protocol states.

    The check for typed numbers does not look into it.
    """
    return text


def render(text: str, page: str, values: Reference, functions: Mapping[str, Any]) -> str:
    """Fill in a template with values of the reference; `PageError` names page and line.

    Templates can call methods of `values`, `expect`, `given`, and the additional `functions`.
    """
    environment = SandboxedEnvironment(
        undefined=StrictUndefined, trim_blocks=True, keep_trailing_newline=True
    )
    environment.filters |= FILTERS
    methods = ("cell", "claim", "compared", "verdicts", "rows", "agreement", "numbers")
    known = {name: getattr(values, name) for name in (*methods, "sign_changes")}
    known |= {"expect": expect, "given": given, **functions}
    try:
        check_typed_numbers(environment.parse(text))
        return environment.from_string(text, globals=known).render()
    except TemplateSyntaxError as error:
        raise PageError(f"{page}:{error.lineno}: {error.message}") from error
    except (PageError, UndefinedError, TypeError, ValueError) as error:
        frames = traceback.extract_tb(error.__traceback__)
        line = [frame.lineno for frame in frames if frame.filename == "<template>"][-1:]
        message = str(error)
        if isinstance(error, UndefinedError) and "' is undefined" in message:
            message += f"; {nearest(message.split(chr(39))[1], known)}"
        raise PageError(f"{page}:{line[0] if line else 1}: {message}") from error
