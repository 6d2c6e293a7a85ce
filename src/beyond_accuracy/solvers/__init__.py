"""How it is optimized: arrays in, arrays out; nothing here knows scikit-learn or a paper."""

from beyond_accuracy.solvers.cutting_planes import CuttingPlaneSolver, Iteration, Solution
from beyond_accuracy.solvers.multivariate_svm import make_solver, multivariate_svm_path

__all__ = [
    "CuttingPlaneSolver",
    "Iteration",
    "Solution",
    "make_solver",
    "multivariate_svm_path",
]
