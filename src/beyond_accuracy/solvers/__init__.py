"""Optimization on arrays, independent of scikit-learn and of the experiments of papers."""

from beyond_accuracy.solvers.cutting_planes import CuttingPlaneSolver
from beyond_accuracy.solvers.iterations import Iteration, Solution
from beyond_accuracy.solvers.multivariate_svm import make_solver, training_loss

__all__ = ["CuttingPlaneSolver", "Iteration", "Solution", "make_solver", "training_loss"]
