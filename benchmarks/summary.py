"""The ten comparisons that open RESULTS.md, as a table and a picture, from the sections' cells."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.report import Section, bold, number, table

FIGURE = "summary.svg"
COLUMNS = ("task", "rival", "its seconds", "our seconds", "its result", "our result")

_RIVALS = "Operating points against other packages"
_ENUMERATION = "Against the enumeration of contingency tables"
_HINGE = "Cost-sensitive hinge loss"


@dataclass(frozen=True)
class Comparison:
    """One task: the cells of a section with the seconds and results of a rival and this package."""

    task: str
    rival: str
    title: str
    row: Sequence[str]
    columns: Sequence[str]

    def read(self, sections: Sequence[Section]) -> list[str] | None:
        """Return the cells of the row that begins with `row`, or None if it was not measured."""
        for section in sections:
            for row in section.rows if section.title == self.title else ():
                if tuple(row[: len(self.row)]) == tuple(self.row):
                    cells = [row[section.columns.index(name)] for name in self.columns]
                    return None if "–" in cells else [cell.strip("*") for cell in cells]
        return None


def _trained(task, data):
    """Return a comparison with the enumeration of contingency tables."""
    rival, row = "Algorithm 1 with enumeration", (data, "F1")
    return Comparison(task, rival, _ENUMERATION, row, _shares("enumeration", "this package"))


def _hinge(C):
    """Return a comparison with LIBLINEAR for weighted costs."""
    task, row = f"weighted hinge loss on ijcnn1, C = {C}", ("ijcnn1", C)
    return Comparison(task, "LIBLINEAR", _HINGE, row, _shares("LIBLINEAR", "auto"))


def _shares(theirs, ours):
    return (f"{theirs}, s", f"{ours}, s", f"{theirs}, share", f"{ours}, share")


def _package(task, rival, problem, remark=""):
    """Return a comparison with another package for thresholds."""
    columns = ("rival, s", "this package, s", "rival, objective", "this package, objective")
    return Comparison(task, rival + remark, _RIVALS, (problem, rival), columns)


COMPARISONS = (
    _trained("train for F1 on 20,000 rows of ijcnn1", "ijcnn1, 20,000 rows"),
    _trained('train for F1 on Reuters "earn"', 'Reuters "earn"'),
    Comparison(
        "train for the error rate on ijcnn1", "scikit-learn, LinearSVC",
        "Error rate against LIBLINEAR", ("ijcnn1",), _shares("LinearSVC", "this package"),
    ),
    _hinge("1"),
    _hinge("100"),
    _package(
        "the best of 1,000,000 thresholds for F1", "scikit-learn, 100 thresholds",
        "f1, one of 1,000,000 thresholds",
    ),
    _package(
        "threshold for F1, new rows of ijcnn1", "scikit-learn, TunedThresholdClassifierCV",
        "F1 on new rows of ijcnn1, logistic regression, 5 folds",
    ),
    _package(
        "threshold for F1, new rows of generated data", "imbalanced-learn, RandomUnderSampler",
        "F1 on new rows, logistic regression and threshold",
    ),
    _package(
        "threshold for F1, scores of breast cancer", "optimal-classification-cutoffs, auto",
        "F1 on out-of-fold scores of breast cancer",
    ),
    _package(
        "macro-F1 of 20 labels, at most 1 per row", "xcolumns, Frank-Wolfe",
        "macro-F1 of 20 labels, at most 1 a row (xcolumns: exactly 1)", ", exactly 1 per row",
    ),
)  # fmt: skip


def summary_section(sections: Sequence[Section]) -> tuple[str, list[tuple[str, float]]]:
    """Return the table in Markdown, and the ratio of seconds per comparison that was measured."""
    rows, ratios = [], []
    for each in COMPARISONS:
        cells = each.read(sections)
        if cells is None:
            continue
        ratios.append((f"{each.task}\n{each.rival}", number(cells[0]) / number(cells[1])))
        rows.append((each.task, each.rival, *bold(cells[:2], min), *bold(cells[2:], max)))
    return table(COLUMNS, rows), ratios


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
