"""The ten comparisons that open RESULTS.md, as a table and a picture, from the sections' cells."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.report import Section, table

FIGURE = "summary.svg"
COLUMNS = ("task", "rival", "its seconds", "our seconds", "its result", "our result")

_RIVALS = "Operating points against other packages"
_HINGE = "Cost-sensitive hinge loss"
_OWN = "this package"


@dataclass(frozen=True)
class Cell:
    """One cell of a section: the row that begins with `row`, in the column named `column`."""

    title: str
    row: Sequence[str]
    column: str

    def read(self, sections: Sequence[Section]) -> str | None:
        """Return the text of the cell, or None if this run did not measure it."""
        for section in sections:
            if section.title == self.title and self.column in section.columns:
                for row in section.rows:
                    if tuple(row[: len(self.row)]) == tuple(self.row):
                        return row[section.columns.index(self.column)] or None
        return None


@dataclass(frozen=True)
class Comparison:
    """One task: seconds of a rival and of this package, and what both reach if it differs."""

    task: str
    rival: str
    seconds: tuple[Cell, Cell]
    results: tuple[Cell, Cell] | None = None


def _columns(task, rival, title, row, theirs, ours, results=None):
    """Return a comparison of two columns of one row."""
    return Comparison(
        task,
        rival,
        (Cell(title, row, theirs), Cell(title, row, ours)),
        results and (Cell(title, row, results[0]), Cell(title, row, results[1])),
    )


def _packages(task, rival, problem, remark=""):
    """Return a comparison of the rows of two packages on the same problem."""
    seconds, results = (
        (Cell(_RIVALS, (problem, rival), column), Cell(_RIVALS, (problem, _OWN), column))
        for column in ("seconds", "objective")
    )
    return Comparison(task, rival + remark, seconds, results)


COMPARISONS = (
    Comparison(
        "train for F1 on ijcnn1",
        "SVM-perf, measured on another machine",
        (
            Cell("Measured elsewhere, not in this run", ("ijcnn1, C = 499.9", "F1"), "seconds"),
            Cell("Time to a given primal", ("primal ≤ 45135",), "seconds"),
        ),
    ),
    _columns(
        "train for F1 on dense", "Algorithm 1 with enumeration",
        "Against the enumeration of contingency tables", ("dense", "F1", "fit, Algorithm 1"),
        "enumeration, s", "this package, s",
    ),
    _columns(
        "train for the error rate on ijcnn1", "scikit-learn, LinearSVC",
        "Error rate against LIBLINEAR", ("ijcnn1",), "LinearSVC, s", "this package, s",
    ),
    _columns(
        "weighted hinge loss on ijcnn1, C = 1", "LIBLINEAR",
        _HINGE, ("ijcnn1", "1"), "LIBLINEAR, s", "auto, s",
    ),
    _columns(
        "weighted hinge loss on ijcnn1, C = 100", "LIBLINEAR",
        _HINGE, ("ijcnn1", "100"), "LIBLINEAR, s", "auto, s",
    ),
    _columns(
        "the best of 1,000,000 thresholds for F1", "scikit-learn, which compares 100",
        "Operating points", ("f1",), "scikit-learn, s", "this package, s",
        ("its best", "our best"),
    ),
    _packages(
        "threshold for F1, new rows of ijcnn1", "scikit-learn, TunedThresholdClassifierCV",
        "F1 on new rows of ijcnn1, logistic regression, 5 folds",
    ),
    _packages(
        "threshold for F1, new rows of generated data", "imbalanced-learn, RandomUnderSampler",
        "F1 on new rows, logistic regression and threshold",
    ),
    _packages(
        "threshold for F1, scores of breast cancer", "optimal-classification-cutoffs, auto",
        "F1 on out-of-fold scores of breast cancer",
    ),
    _packages(
        "macro-F1 of 20 labels, at most 1 per row", "xcolumns, Frank-Wolfe",
        "macro-F1 of 20 labels, at most 1 a row (xcolumns: exactly 1)", ", exactly 1 per row",
    ),
)  # fmt: skip


def summary_section(sections: Sequence[Section]) -> tuple[str, list[tuple[str, float]]]:
    """Return the table in Markdown, and the ratio of seconds per comparison that was measured."""
    rows, ratios = [], []
    for each in COMPARISONS:
        seconds = [cell.read(sections) for cell in each.seconds]
        if None in seconds:
            continue
        results = [cell.read(sections) or "" for cell in each.results] if each.results else ["", ""]
        # The better of two values is bold, on either side.
        theirs, ours = (float(text.replace(",", "")) for text in seconds)
        ratios.append((f"{each.task}\n{each.rival}", theirs / ours))
        rows.append((each.task, each.rival, *_bold(seconds, min), *_bold(results, max)))
    return table(COLUMNS, rows), ratios


def _bold(texts, better):
    """Mark the better of two numbers; equal and empty ones stay unmarked."""
    if not all(texts) or texts[0] == texts[1]:
        return texts
    best = better(texts, key=lambda text: float(text.replace(",", "")))
    return [f"**{text}**" if text == best else text for text in texts]


def draw(ratios: Sequence[tuple[str, float]], folder) -> str:
    """Draw how many times the rival's seconds are ours; write it and return the file's name."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    labels, values = zip(*reversed(ratios), strict=True)
    figure, axes = plt.subplots(figsize=(8, 0.5 * len(labels) + 1), layout="constrained")
    colours = ["tab:blue" if value >= 1 else "tab:orange" for value in values]
    bars = axes.barh(labels, [value - 1 for value in values], left=1, color=colours)
    # The seconds are rounded to three digits, so their ratios have two.
    axes.bar_label(bars, [f"{float(f'{value:.2g}'):g}×" for value in values], padding=3)
    axes.axvline(1, color="0.3", linewidth=1)
    axes.set(xscale="log", xlabel="the rival's seconds / ours (right of 1: we are faster)")
    axes.set_xlim(min(values) / 4, max(values) * 3)
    axes.tick_params(axis="y", labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(folder / FIGURE)
    plt.close(figure)
    return FIGURE
