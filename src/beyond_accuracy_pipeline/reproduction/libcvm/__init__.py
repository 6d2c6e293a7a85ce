"""Core vector machine and ball vector machine from arrays, step by step as LibCVM 2.2."""

from beyond_accuracy_pipeline.reproduction.libcvm.core_set import Solution
from beyond_accuracy_pipeline.reproduction.libcvm.kernels import (
    KERNEL_NAMES,
    Kernel,
    KernelName,
    inner_products,
    inverse_mean_squared_distance,
    libcvm_width,
)
from beyond_accuracy_pipeline.reproduction.libcvm.training import Machine, train_machine

__all__ = [
    "KERNEL_NAMES",
    "Kernel",
    "KernelName",
    "Machine",
    "Solution",
    "inner_products",
    "inverse_mean_squared_distance",
    "libcvm_width",
    "train_machine",
]
