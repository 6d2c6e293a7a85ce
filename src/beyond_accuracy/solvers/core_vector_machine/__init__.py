"""Core vector machine and ball vector machine from arrays, step by step as LibCVM 2.2."""

from beyond_accuracy.solvers.core_vector_machine.ball_vectors import solve_ball_vectors
from beyond_accuracy.solvers.core_vector_machine.core_set import Solution
from beyond_accuracy.solvers.core_vector_machine.core_vectors import solve_core_vectors
from beyond_accuracy.solvers.core_vector_machine.kernels import (
    KERNEL_NAMES,
    Kernel,
    KernelName,
    inner_products,
    inverse_mean_squared_distance,
    libcvm_width,
)

__all__ = [
    "KERNEL_NAMES",
    "Kernel",
    "KernelName",
    "Solution",
    "inner_products",
    "inverse_mean_squared_distance",
    "libcvm_width",
    "solve_ball_vectors",
    "solve_core_vectors",
]
