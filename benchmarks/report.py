"""Results as Markdown: every number comes from the run."""

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Target:
    """Something to reach: what, the value asked for, the one found, and whether it suffices."""

    what: str
    asked: str
    found: str
    reached: bool

    @classmethod
    def at_most(cls, what: str, asked: float, value: float, unit: str = " s") -> "Target":
        """A number, such as of seconds, that must not exceed `asked`."""
        return cls(what, f"{asked:g}{unit}", f"{significant(value)}{unit}", value <= asked)


@dataclass(frozen=True)
class Section:
    """One benchmark: heading, explanation, table and targets."""

    title: str
    text: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    targets: Sequence[Target] = field(default=())
    figure: str | None = None


def markdown(scale, repetitions, machine, tasks, targets, sections, summary=None) -> str:
    """Return the whole report; `summary` is its first table and the name of its picture."""
    parts = ["# Results of the benchmarks"]
    if scale == "quick":
        parts.append("**A quick run on tiny data: the numbers below mean nothing.**")
    if summary:
        text, figure = summary
        parts += [
            f"![The rivals' seconds divided by those of this package]({figure})",
            text,
            "The better value is bold. Results are the measures that the tasks name; without one, "
            "both sides reach the same objective, to the accuracy that the section below states.",
            "## How it was measured",
        ]
    parts.append(
        f"Written by `python -m benchmarks` ({scale} sizes); no number is typed by hand. Seconds "
        f"are processor seconds of one thread, medians of {repetitions} runs in which the rivals "
        "take turns; kernels are compiled before the clock starts. All ratios are of numbers "
        "measured in this run. Only ratios to SVM-perf's seconds are not, and say so."
    )
    parts.append(table(("", ""), list(machine.items())))
    parts.append("Data:\n\n" + "\n".join(f"- {task.describe()}" for task in tasks))
    if tasks.ijcnn1 is None:
        parts.append("ijcnn1 was left out: BEYOND_ACCURACY_MIRROR does not name a mirror.")
    if targets and scale != "quick":
        rows = [(t.what, t.asked, t.found, "yes" if t.reached else "**no**") for t in targets]
        parts.append("## Targets")
        parts.append(table(("what", "asked", "found", "reached"), rows))
    for section in sections:
        parts += [f"## {section.title}", section.text, table(section.columns, section.rows)]
        if section.figure:
            parts.append(f"![{section.title}]({section.figure})")
    return "\n\n".join(parts) + "\n"


def significant(value: float) -> str:
    """Three significant digits without an exponent."""
    if value == 0 or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{float(f'{value:.3g}'):.12f}".rstrip("0").rstrip(".")


def table(columns, rows):
    lines = ["| " + " | ".join(columns) + " |", "|" + " --- |" * len(columns)]
    lines += [
        "| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows
    ]
    return "\n".join(lines)
