"""Optimization on arrays: nothing here knows scikit-learn or a paper."""

from beyond_accuracy.solvers.cutting_planes import CuttingPlaneSolver
from beyond_accuracy.solvers.multivariate_svm import (
    make_solver,
    multivariate_svm_path,
    training_loss,
)
from beyond_accuracy.solvers.solution import Iteration, Solution

__all__ = [
    "CuttingPlaneSolver",
    "Iteration",
    "Solution",
    "make_solver",
    "multivariate_svm_path",
    "training_loss",
]
