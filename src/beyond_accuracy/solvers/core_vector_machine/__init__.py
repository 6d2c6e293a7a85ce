"""Core vector machines from arrays: L2-SVMs as minimum enclosing balls."""

from beyond_accuracy.solvers.core_vector_machine.core_set import BallSolution, solve_ball
from beyond_accuracy.solvers.core_vector_machine.normalized_kernel import (
    KERNEL_NAMES,
    KernelName,
    NormalizedKernel,
    all_products,
    inner_products,
    inverse_mean_squared_distance,
    libcvm_width,
)

__all__ = [
    "KERNEL_NAMES",
    "BallSolution",
    "KernelName",
    "NormalizedKernel",
    "all_products",
    "inverse_mean_squared_distance",
    "inner_products",
    "libcvm_width",
    "solve_ball",
]
