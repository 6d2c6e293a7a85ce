"""Multivariate SVMs whose scores are w·x plus a fixed offset per example."""

import numpy as np

from beyond_accuracy.solvers.cutting_planes import CuttingPlaneSolver
from beyond_accuracy.solvers.multivariate_svm import make_solver


class OffsetOracle:
    """Search for the most violated labelling at scores + offset.

    A labelling has the value Δ + weights·(scores + offset), where Δ is its loss. The labellings
    returned here have `loss` = Δ + weights·offset, so that their value is loss + weights·scores.
    `offset`, shape (n,), has the positives first. `oracle` is a search object of
    `beyond_accuracy.solvers.oracles`.
    """

    def __init__(self, oracle, offset):
        self.oracle = oracle
        self.offset = offset
        self.scale = oracle.scale
        self.weight_type = oracle.weight_type

    def search(self, scores):
        """Return the most violated labelling at scores + offset."""
        shifted = scores + self.offset
        labelling = self.oracle.search(shifted)
        constant = self.oracle.slope(labelling, shifted, self.offset)
        return labelling._replace(loss=labelling.loss + constant)

    def slope(self, labelling, scores, direction) -> float:
        """Return the derivative of a labelling's value when the scores move along `direction`."""
        return self.oracle.slope(labelling, scores + self.offset, direction)

    def weights(self, labelling, scores, out):
        """Write the gradient of a labelling's value with respect to the scores into `out`.

        Return `out`, shape (n,), with the positives first.
        """
        return self.oracle.weights(labelling, scores + self.offset, out)


def make_offset_solver(X, positive, measure, offset, **options) -> CuttingPlaneSolver:
    """Return a solver for scores offset + w·x, which can solve for several C; see `make_solver`.

    `offset`, shape (n,), is in the order of the rows of X. Raises ValueError if `make_solver` does,
    and if the offset holds NaN or infinity or is not one number per row.
    """
    offset = np.asarray(offset, dtype=np.float64)
    if offset.shape != (X.shape[0],) or not np.isfinite(offset).all():
        raise ValueError(
            f"offset must hold one finite number for each of the {X.shape[0]} rows of X, found "
            f"shape {offset.shape} and {np.count_nonzero(~np.isfinite(offset))} not finite"
        )
    # Without line search, cutting planes are used for every loss and all data.
    checked = make_solver(X, positive, measure, **{**options, "line_search": False})
    return CuttingPlaneSolver(
        checked.data,
        OffsetOracle(checked.oracle, checked.data.ordered(offset)),
        max_planes=options.get("max_planes", 1000),
        line_search=options.get("line_search", True),
    )
