"""Plot precision against recall for all thresholds, with the chosen operating point."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_array, check_consistent_length, column_or_1d
from sklearn.utils.validation import check_is_fitted

from beyond_accuracy.measures.contingency import precision, recall
from beyond_accuracy.measures.operating_curve import OperatingCurve, RankedExamples
from beyond_accuracy.operating_points.choice import table_at
from beyond_accuracy.operating_points.constraints import Constraint, parse_constraints
from beyond_accuracy.scikit_learn import check_sample_weight, innermost

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.lines import Line2D

_GRID = 201


class OperatingPointDisplay:
    """Plot of the precision–recall curve, with an operating point and the constraints.

    It also shows lines of equal F1. Create it with `from_estimator` or `from_predictions`.

    Parameters
    ----------
    curve : OperatingCurve
        Contingency tables of all thresholds.
    threshold : float
        Threshold of the operating point.
    threshold_interval : tuple of float, optional
        The part of the curve between these thresholds is drawn bold.
    constraints : str, Constraint or list of them, optional
        The region in which a constraint is violated is shaded. The operating point respects
        budgets, such as "predicted_positives <= 500".

    Attributes
    ----------
    figure_, ax_ : matplotlib Figure and Axes
    line_, point_ : matplotlib artists
        The curve and the operating point.

    References
    ----------
    J. Davis, M. Goadrich, The Relationship Between Precision-Recall and ROC Curves, ICML 2006.
    https://doi.org/10.1145/1143844.1143874

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
        constraints: str | Constraint | Sequence[str | Constraint] | None = None,
    ) -> None:
        self.curve = curve
        self.threshold = threshold
        self.threshold_interval = threshold_interval
        self.constraints: list[Constraint] = parse_constraints(constraints)

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
        **kwargs: Any,
    ) -> Self:
        """Plot the precision–recall curve and the threshold of an `OperatingPointClassifier`.

        `estimator` is the fitted classifier, or a fitted Pipeline or search that ends with it. X,
        shape (n, d), and y, shape (n,), should be data that it has not seen. For `ax`, `name` and
        `**kwargs`, see `plot`.
        """
        check_is_fitted(estimator)
        model, X = innermost(estimator, X)
        if not hasattr(model, "best_threshold_"):
            raise ValueError(
                f"{type(model).__name__} has no operating point: give an "
                "OperatingPointClassifier, or a pipeline or search that ends in one, or call "
                "from_predictions(y, scores, threshold)"
            )
        if getattr(model, "by_savings_", False):
            raise ValueError(
                "the threshold is one of expected savings, not of scores; draw these with "
                "OperatingPointDisplay.from_predictions(y, savings, model.best_threshold_)"
            )
        return cls.from_predictions(
            y,
            model.scores(X),
            model.best_threshold_,
            threshold_interval=getattr(model, "threshold_interval_", None),
            constraints=parse_constraints(model.constraints, model.batch_size),
            pos_label=model.pos_label_,
            sample_weight=sample_weight,
            ax=ax,
            name=name or type(model.estimator_).__name__,
            **kwargs,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        threshold: float,
        *,
        threshold_interval: tuple[float, float] | None = None,
        constraints: str | Constraint | Sequence[str | Constraint] | None = None,
        pos_label: Any = None,
        sample_weight: ArrayLike | None = None,
        ax: "Axes | None" = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> Self:
        """Plot the precision–recall curve of scores, with the point at a threshold.

        `y_score`, shape (n,), may hold scores of any classifier, such as out-of-fold scores.
        `pos_label` is the positive class of the labels `y_true`, shape (n,); None is the second of
        two classes in sorted order. `threshold_interval` and `constraints` are parameters of the
        class. For `ax`, `name` and `**kwargs`, see `plot`.
        """
        check_consistent_length(y_true, y_score, sample_weight)
        y_true = column_or_1d(y_true)
        y_score = check_array(y_score, ensure_2d=False, dtype=np.float64, input_name="y_score")
        if sample_weight is not None:
            sample_weight = check_sample_weight(
                sample_weight, y_score, dtype=np.float64, ensure_non_negative=True
            )
        labels = np.unique(y_true)
        if pos_label is None and len(labels) > 2:
            raise ValueError(
                f"y_true has the labels {labels.tolist()}; of more than two give the positive one, "
                "pos_label"
            )
        positive = y_true == (labels[-1] if pos_label is None else pos_label)
        if not np.any(positive):
            raise ValueError("y_true has no positive example: recall is undefined")
        examples = RankedExamples(positive, y_score)
        curve = examples.curve(sample_weight)
        # The scores themselves: halfway between two scores a threshold's side would be unknown.
        curve = replace(curve, thresholds=np.append(curve.thresholds[:1], examples.values))
        display = cls(curve, threshold, threshold_interval, constraints)
        return display.plot(ax=ax, name=name, **kwargs)

    def plot(self, ax: "Axes | None" = None, *, name: str | None = None, **kwargs: Any) -> Self:
        """Plot the curve and the operating point on the axes `ax`, or on new axes; return self.

        `name` is the label of the curve, and `**kwargs` are matplotlib options of the curve.
        """
        try:
            import matplotlib.pyplot as plt
        except ImportError as error:
            raise ImportError(
                "OperatingPointDisplay draws with matplotlib, which is not installed: "
                "pip install matplotlib"
            ) from error
        if ax is None:
            _, ax = plt.subplots()
        self.ax_: Axes = ax
        self.figure_: Figure | SubFigure = ax.figure
        self._shade(ax)
        self._iso_f_lines(ax)
        recalls, precisions = self._path(np.ones(len(self.curve.thresholds) - 1, dtype=bool))
        style = {"drawstyle": "steps-post", "label": name or "all thresholds", **kwargs}
        self.line_: Line2D = ax.plot(recalls, precisions, **style)[0]
        if self.threshold_interval is not None:
            low, high = self.threshold_interval
            thresholds = self.curve.thresholds[:-1]
            within = self._path((thresholds >= low) & (thresholds <= high))
            # In the style of the line, so that it lies on the line.
            own = {"color": self.line_.get_color(), "drawstyle": self.line_.get_drawstyle()}
            ax.plot(*within, lw=4, alpha=0.5, label="interval", **own)
        place = int(np.searchsorted(self.curve.thresholds[1:], self.threshold, side="right"))
        table = table_at(self.curve.tables, place, self.constraints)
        point = recall(*table), precision(*table)
        self.point_: Line2D = ax.plot(*point, "o", color="black", label="operating point")[0]
        ax.set(xlabel="Recall", ylabel="Precision", xlim=(0, 1.01), ylim=(0, 1.01))
        ax.legend(loc="lower left")
        return self

    def _path(self, chosen):
        # The last table, which predicts nothing, has no precision.
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
        # Contours have no legend entry; an empty area has one.
        ax.fill_between([], [], color="0.9", label="a constraint is broken")

    def _iso_f_lines(self, ax):
        recalls = np.linspace(1e-3, 1, _GRID)
        for value in (0.2, 0.4, 0.6, 0.8):
            reachable = recalls[recalls > value / (2 - value)]
            line = value * reachable / (2 * reachable - value)
            ax.plot(reachable, line, ":", lw=0.8, color="0.6")
            end = 1.0, value / (2 - value)
            place = {"xytext": (8, 0), "textcoords": "offset points", "va": "center"}
            ax.annotate(f"F1 {value:g}", end, **place, fontsize=7, color="0.4")
