"""What the arenas recommend, in the repository's documents.

Written from the reference's tables, so that no method in them is typed in.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import pandas as pd

from beyond_accuracy.reporting.arena.recommendation import for_probabilities
from beyond_accuracy.reporting.arena.values import measure_title
from beyond_accuracy.reporting.documents import replace_table
from beyond_accuracy.reporting.formats import decimals, percent_change
from beyond_accuracy.reporting.names import contestant_name
from beyond_accuracy.reporting.paper import Paper
from beyond_accuracy.results import layout
from beyond_accuracy.results.damage import existing

README, PAGE = "README.md", "docs/results/arena.md"
_ALL = "all tasks"
SEVERAL = {"arena_multiclass": "several classes", "arena_multilabel": "several labels"}
"""How documents call the tasks of the arenas whose ranks stand in one table."""
SITUATIONS = {
    # Features decide which methods there are, and the number of examples which is best.
    "arena": ["dense features", "sparse features"],
    "arena_multiclass": ["below 1,000 examples", "1,000 examples or more"],
    "arena_multilabel": [_ALL],
}
"""The kinds of tasks that recommendations are for."""


def write_recommendations(
    reference: str | Path, documents: str | Path, arenas: Mapping[str, Paper]
) -> None:
    """Replace the recommendations in README.md and docs/results/arena.md by the reference's.

    Parameters
    ----------
    reference : path
        The folder of the reference. An arena that it does not have leaves its tables as they are.
    documents : path
        The repository. In both documents the recommendations for binary tasks are the table whose
        first line begins with "| measure | dense features", those for others begin with
        "| several classes" and "| several labels"; on the page, ranks begin with
        "| average rank, " and what they are of.
    arenas : dict of str to Paper
        Their definitions, by name.

    Raises
    ------
    FileNotFoundError
        If a file is not there.
    ValueError
        If a document has no such table, or several.
    """
    folder = Path(documents)
    texts = {name: existing(folder / name).read_text(encoding="utf-8") for name in (README, PAGE)}
    for arena, paper in arenas.items():
        if not (Path(reference) / arena).is_dir():
            continue
        several = SEVERAL.get(arena, "")
        situations = SITUATIONS[arena]
        read = partial(_read, Path(reference), arena)
        ranks = read("table_ranks" if several else "table_situations")
        recommended = read("table_recommendation")
        for name in (README, PAGE):
            evidence = name == PAGE
            table = _recommendations(paper, recommended, situations, several, evidence)
            texts[name] = replace_table(texts[name], table, name)
        for situation in [_ALL] if several else situations:
            own = ranks[ranks["situation"] == situation]
            texts[PAGE] = replace_table(texts[PAGE], _ranks(paper, own, several or situation), PAGE)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


def _read(reference: Path, arena: str, table: str) -> pd.DataFrame:
    path = layout.TABLE.format(paper=arena, table=table, suffix="csv")
    return pd.read_csv(existing(reference / path), keep_default_na=True)


def _recommendations(
    paper: Paper,
    recommended: pd.DataFrame,
    situations: Sequence[str],
    several: str,
    evidence: bool,
) -> list[list[str]]:
    own = recommended[~recommended["probabilities"]].set_index(["measure", "when"])
    others = for_probabilities(recommended)
    measures = list(dict.fromkeys(recommended["measure"]))
    n_data_sets = [own.xs(name, level="when")["n_data_sets"].max() for name in situations]
    head = [several or "measure"] + [
        f"{'take' if name == _ALL else name} ({n} data sets)"
        for name, n in zip(situations, n_data_sets, strict=True)
    ]
    rows = [
        [measure_title(measure)]
        + [
            _cell(own.loc[(measure, name)], paper.methods, evidence, others.get((measure, name)))
            for name in situations
        ]
        for measure in measures
    ]
    return [head, *rows]


def _cell(row: pd.Series, labels: Mapping[str, str], evidence: bool, other: str | None) -> str:
    if pd.isna(row["recommended"]):
        return "too few data sets"
    # Decisions of multi-label methods go by names that are no methods'.
    method, best = (contestant_name(row[name], labels) for name in ("recommended", "best"))
    text = f"{method}; for probabilities {contestant_name(other, labels)}" if other else method
    if method == best or not evidence:
        return text
    against = f"{percent_change(row['difference'])}, {row['not_worse']:.2f}"
    return f"{text} (best-ranked: {best}; {against})"


def _ranks(paper: Paper, ranks: pd.DataFrame, of: str) -> list[list[str]]:
    wide = ranks.pivot_table("rank", "method", "measure", sort=False)
    best = wide.eq(wide.min())
    shown = decimals(1)
    rows = [
        [contestant_name(method, paper.methods)]
        + [_rank(wide.at[method, name], best.at[method, name], shown) for name in wide]
        for method in wide.index
    ]
    return [[f"average rank, {of}", *map(measure_title, wide)], *rows]


def _rank(value: float, best: bool, shown: Callable[[float], str]) -> str:
    if pd.isna(value):
        return ""
    return f"**{shown(value)}**" if best else shown(value)
