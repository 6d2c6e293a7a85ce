"""Solvers for SVMs with a weighted hinge loss and a certified duality gap."""

from beyond_accuracy.solvers.hinge.bundle import BundleMethod
from beyond_accuracy.solvers.hinge.coordinate_descent import coordinate_descent
from beyond_accuracy.solvers.hinge.interior_point import interior_point
from beyond_accuracy.solvers.hinge.path import HingePath, HingeSolver
from beyond_accuracy.solvers.hinge.problem import HingeProblem

__all__ = [
    "BundleMethod",
    "HingePath",
    "HingeProblem",
    "HingeSolver",
    "coordinate_descent",
    "interior_point",
]
