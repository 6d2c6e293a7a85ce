"""Optimization on arrays, independent of scikit-learn and of the experiments of papers."""

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
