"""Precision against recall of all thresholds, with the operating point that was chosen."""

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from beyond_accuracy.measures.contingency import precision, recall
from beyond_accuracy.measures.operating_curve import OperatingCurve, RankedExamples
from beyond_accuracy.operating_points.constraints import Constraint, parse_constraints

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.lines import Line2D

_GRID = 201


class OperatingPointDisplay:
    """Precision–recall curve with the operating point, lines of equal F1 and constraints.

    Make it with `from_estimator`.

    Parameters
    ----------
    curve : OperatingCurve
    threshold : float
    threshold_interval : tuple of float, optional
        The part of the curve between these thresholds is drawn bold.
    constraints : list of Constraint, optional
        The region in which one of them does not hold is shaded.

    Attributes
    ----------
    figure_, ax_ : matplotlib Figure and Axes
    line_, point_ : matplotlib artists

    References
    ----------
    https://scikit-learn.org/stable/auto_examples/model_selection/plot_precision_recall.html

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from beyond_accuracy import OperatingPointClassifier
    >>> from beyond_accuracy.operating_points import OperatingPointDisplay
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> regression = LogisticRegression(max_iter=10_000)
    >>> model = OperatingPointClassifier(regression, "f1").fit(X[::2], y[::2])
    >>> OperatingPointDisplay.from_estimator(model, X[1::2], y[1::2]).ax_.get_xlabel()
    'Recall'
    """

    def __init__(
        self,
        curve: OperatingCurve,
        threshold: float,
        threshold_interval: tuple[float, float] | None = None,
        constraints: list[Constraint] | None = None,
    ) -> None:
        self.curve = curve
        self.threshold = threshold
        self.threshold_interval = threshold_interval
        self.constraints: list[Constraint] = constraints or []

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        ax: "Axes | None" = None,
        name: str | None = None,
    ) -> Self:
        """Draw a fitted `OperatingPointClassifier` on X, shape (n, d), and y, shape (n,).

        Those should be data that it has not seen; NotFittedError if it is not fitted.
        """
        check_is_fitted(estimator)
        positive = np.asarray(y) == estimator.classes_[1]
        examples = RankedExamples(positive, estimator.scores(X))
        interval = getattr(estimator, "threshold_interval_", None)
        display = cls(
            examples.curve(sample_weight),
            estimator.best_threshold_,
            interval,
            [each for each in parse_constraints(estimator.constraints) if not each.is_budget],
        )
        return display.plot(ax=ax, name=name or type(estimator.estimator_).__name__)

    def plot(self, ax: "Axes | None" = None, *, name: str | None = None) -> Self:
        """Draw on given axes, or on new ones; returns self."""
        import matplotlib.pyplot as plt

        if ax is None:
            _, ax = plt.subplots()
        self.ax_: Axes = ax
        self.figure_: Figure | SubFigure = ax.figure
        self._shade(ax)
        self._iso_f_lines(ax)
        recalls, precisions = self._path(np.ones(len(self.curve.thresholds) - 1, dtype=bool))
        self.line_: Line2D
        (self.line_,) = ax.plot(recalls, precisions, drawstyle="steps-post", label=name)
        if self.threshold_interval is not None:
            low, high = self.threshold_interval
            thresholds = self.curve.thresholds[:-1]
            within = self._path((thresholds >= low) & (thresholds <= high))
            ax.plot(*within, lw=4, alpha=0.5, color=self.line_.get_color(), label="interval")
        place = np.searchsorted(self.curve.thresholds[1:-1], self.threshold, side="right")
        if self.threshold == np.inf:
            place = len(self.curve.thresholds) - 1
        table = tuple(counts[place] for counts in self.curve.tables)
        self.point_: Line2D
        (self.point_,) = ax.plot(recall(*table), precision(*table), "o", color="black")
        ax.set(xlabel="Recall", ylabel="Precision", xlim=(0, 1.01), ylim=(0, 1.01))
        if name is not None:
            ax.legend(loc="lower left")
        return self

    def _path(self, chosen):
        # From right to left: predicting nothing, the last table, has no precision.
        tables = tuple(counts[:-1][chosen] for counts in self.curve.tables)
        return recall(*tables), precision(*tables)

    def _shade(self, ax):
        if not self.constraints:
            return
        tp, fp, fn, tn = (counts[0] for counts in self.curve.tables)
        axis = np.linspace(1e-3, 1, _GRID)
        recalls, precisions = np.meshgrid(axis, axis)
        found = recalls * (tp + fn)
        wrong = found * (1 / precisions - 1)
        tables = found, wrong, (tp + fn) - found, (fp + tn) - wrong
        possible = wrong <= fp + tn
        met = np.logical_and.reduce([each.holds(*tables) for each in self.constraints])
        broken = np.where(possible & ~met, 1.0, 0.0)
        ax.contourf(recalls, precisions, broken, levels=[0.5, 1.5], colors=["0.9"])

    def _iso_f_lines(self, ax):
        recalls = np.linspace(1e-3, 1, _GRID)
        for value in (0.2, 0.4, 0.6, 0.8):
            reachable = recalls[recalls > value / (2 - value)]
            ax.plot(
                reachable, value * reachable / (2 * reachable - value), ":", lw=0.8, color="0.6"
            )
            ax.annotate(f"F1 {value:g}", (1.0, value / (2 - value)), fontsize=7, color="0.5")
