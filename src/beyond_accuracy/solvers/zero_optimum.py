"""Whether w = 0 minimizes ½‖w‖² + C·R(w) for every C: then no C lets the measure be learned.

At w = 0 every labelling with the largest loss attains R. Its gradients there are their convex hull,
and w = 0 is optimal for every C if and only if the hull contains 0. Where these labellings keep
between two numbers of true positives and flip between two numbers of negatives, the hull contains 0
if and only if shares 0 ≤ α, β ≤ 1 of the positives and the negatives exist with

    Σ α_i·(x_i, 1) over the positives = Σ β_j·(x_j, 1) over the negatives

and with sums between the same numbers: a linear program. For F_β, the Jaccard index and recall at
most k ≥ P, all positives are flipped: α = 1. For ROC area and average precision the worst ranking
swaps every pair, which leaves the means of the classes to be compared; for a partial ROC area every
positive with some of the negatives, as many as the highest false positive rate allows.
"""

import math
from dataclasses import dataclass

import numpy as np
import scipy

from beyond_accuracy.measures import get_measure
from beyond_accuracy.measures.losses import (
    AveragePrecisionLoss,
    ConstrainedLoss,
    ContingencyLoss,
    Loss,
    PartialRocAreaLoss,
    RocAreaLoss,
    SeparableLoss,
    TopLoss,
)
from beyond_accuracy.solvers.multivariate_svm import training_loss

_UNKNOWN = (
    "the labellings of the largest loss are not those of a range of true positives and a range of "
    "false positives: whether w = 0 is optimal is not known for such a measure"
)
_TOLERANCE = 1e-9


@dataclass(frozen=True)
class _WorstLabellings:
    """Numbers of flipped examples, least and most, of the labellings with the largest loss."""

    positives: tuple[int, int]
    negatives: tuple[int, int]


def zero_is_optimal(X, positive, measure, *, at_most_k=None, fit_intercept=True) -> bool:
    """Whether w = 0 is an optimum of the multivariate SVM for every C > 0.

    If it is, no C can help: the features must change, or the measure. The cost is that of a linear
    program with n variables and a constraint a feature (HiGHS, through SciPy).

    Parameters
    ----------
    X : ndarray or sparse matrix, shape (n, d), float64 or float32
    positive : array of bool, shape (n,)
        At least one True and one False.
    measure, at_most_k, fit_intercept
        See `make_solver`.

    Raises
    ------
    ValueError
        If the measure is unknown or cannot be trained on; if it is a function of the contingency
        table whose worst labellings are not those of a range of true positives and a range of
        false positives; or if the program could not be solved.
    """
    positive = np.asarray(positive, dtype=bool)
    loss = training_loss(measure, at_most_k)
    X = scipy.sparse.csr_array(X, dtype=np.float64)
    if fit_intercept:
        X = scipy.sparse.hstack([X, np.ones((len(positive), 1))], format="csr")
    # Rows of one size, since the program's tolerance is absolute.
    largest = abs(X).max(axis=0).toarray().ravel()
    X = X @ scipy.sparse.diags_array(1.0 / np.where(largest > 0, largest, 1.0))
    if isinstance(loss, RocAreaLoss | AveragePrecisionLoss):
        means = [X[rows].mean(axis=0) for rows in (positive, ~positive)]
        return bool(np.abs(means[0] - means[1]).max() <= _TOLERANCE)
    if isinstance(loss, PartialRocAreaLoss):
        size = math.ceil(round(loss.highest_rate * np.count_nonzero(~positive), 9))
        total = scipy.sparse.csr_array(X[positive].mean(axis=0)[None, :] * size)
        return _balanced(total, X[~positive], _WorstLabellings((1, 1), (size, size)))
    n_positives = int(np.count_nonzero(positive))
    worst = _worst_labellings(loss, n_positives, len(positive) - n_positives)
    return worst is None or _balanced(X[positive], X[~positive], worst)


def advice_at_zero(measure) -> str:
    """Return what to do if w = 0 is optimal for a measure: no C can help."""
    other = 'train on another measure, such as "roc_area", or change the features'
    loss = get_measure(measure).loss
    if isinstance(loss, RocAreaLoss | PartialRocAreaLoss | AveragePrecisionLoss):
        return "change the features, or take a kernel or another classifier"
    if isinstance(loss, TopLoss):
        return f"rank by another classifier; {other}"
    objective = f'"{measure}"' if isinstance(measure, str) else "the measure"
    if isinstance(loss, ConstrainedLoss):
        other_rate = "precision" if loss.of == "recall" else "recall"
        objective = f'"{loss.of}", constraints="{other_rate} >= {loss.bound:g}"'
    return (
        "choose a threshold of another classifier, as OperatingPointClassifier("
        f"LogisticRegression(), {objective}) does; {other}"
    )


def _worst_labellings(loss: Loss, n_positives: int, n_negatives: int) -> _WorstLabellings | None:
    """The labellings with the largest loss; None if that is 0, since R(0) is 0 then."""
    match loss:
        case TopLoss():
            k = loss.size.count(n_positives, n_positives + n_negatives)
            if loss.at_most:
                return _WorstLabellings((n_positives,) * 2, (0, min(k, n_negatives)))
            flipped = n_positives - max(k - n_negatives, 0)
            predicted = n_positives if loss.relative_to == "positives" else k
            if n_positives - flipped >= predicted:
                return None
            return _WorstLabellings((flipped,) * 2, (min(k, n_negatives),) * 2)
        case SeparableLoss():
            costs = loss.costs(n_positives, n_negatives)
            ranges = [
                (count if cost > 0 else 0, count)
                for cost, count in zip(costs, (n_positives, n_negatives), strict=True)
            ]
            return _WorstLabellings(*ranges) if max(costs) > 0 else None
        case ConstrainedLoss(of="precision"):
            least = math.ceil(round(loss.bound * n_positives, 9))
            return _WorstLabellings((n_positives - least + 1, n_positives), (0, n_negatives))
        case ConstrainedLoss():
            raise ValueError(_UNKNOWN)
        case ContingencyLoss():
            return _worst_tables(loss, n_positives, n_negatives)
        case _:
            return _WorstLabellings((n_positives,) * 2, (0, n_negatives))


def _worst_tables(loss: ContingencyLoss, n_positives: int, n_negatives: int):
    fn, fp = np.arange(n_positives + 1.0)[:, None], np.arange(n_negatives + 1.0)[None, :]
    values = loss.function(n_positives - fn, fp, fn, n_negatives - fp)
    values = np.broadcast_to(values, (n_positives + 1, n_negatives + 1))
    if values.min() >= 1.0:
        return None
    worst = values == values.min()
    positives, negatives = (np.flatnonzero(worst.any(axis=axis)) for axis in (1, 0))
    ranges = [(int(counts[0]), int(counts[-1])) for counts in (positives, negatives)]
    if np.count_nonzero(worst) != np.prod([high - low + 1 for low, high in ranges]):
        raise ValueError(_UNKNOWN)
    return _WorstLabellings(*ranges)


def _balanced(positives, negatives, worst: _WorstLabellings) -> bool:
    """Whether there are shares α and β with equal weighted sums of both classes."""
    blocks, bounds, target, sums = [negatives.T], [(0, 1)] * negatives.shape[0], 0.0, []
    sums.append((0, negatives.shape[0], worst.negatives))
    if worst.positives == (positives.shape[0],) * 2:
        target = positives.sum(axis=0)
    else:
        blocks.append(-positives.T)
        bounds += [(0, 1)] * positives.shape[0]
        target = np.zeros(positives.shape[1])
        sums.append((negatives.shape[0], len(bounds), worst.positives))
    rows, limits = [], []
    for start, stop, (low, high) in sums:
        row = np.zeros(len(bounds))
        row[start:stop] = 1.0
        rows += [row, -row]
        limits += [high, -low]
    result = scipy.optimize.linprog(
        np.zeros(len(bounds)),
        A_eq=scipy.sparse.hstack(blocks, format="csr"),
        b_eq=target,
        A_ub=np.array(rows),
        b_ub=limits,
        bounds=bounds,
        method="highs",
        options={"primal_feasibility_tolerance": _TOLERANCE},
    )
    feasible, infeasible = 0, 2
    if result.status not in (feasible, infeasible):
        raise ValueError(f"the linear program could not be solved: {result.message}")
    return result.status == feasible
