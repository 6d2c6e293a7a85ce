"""Numbered figures of the article, taken from `reference/`."""

import re
from collections.abc import Callable
from pathlib import Path

from beyond_accuracy_pipeline.reporting.reference_values import Reference, Values


def article_figures(values: Reference, output: str | Path) -> Callable[..., str]:
    """Return a function for the article's template that numbers figures and cites their files.

    Figures of which only the top is shown are written into the folder `output` beside the page.
    """
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

    return figure
