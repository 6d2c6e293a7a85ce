"""Core vector machine and ball vector machine for arrays, step by step as in LibCVM 2.2."""

from typing import Literal

from beyond_accuracy_pipeline.reproduction.libcvm.ball_vectors import solve_ball_vectors
from beyond_accuracy_pipeline.reproduction.libcvm.core_set import CoreSet, Solution
from beyond_accuracy_pipeline.reproduction.libcvm.core_vectors import solve_core_vectors

Machine = Literal["cvm", "bvm"]


def train_machine(X, positive, kernel, *, machine="cvm", C=1.0, epsilon=1e-3, seed=0) -> Solution:
    """Train LibCVM's core vector machine ("cvm") or ball vector machine ("bvm"), an L2-SVM.

    `positive`, bool of shape (n,), marks the positive examples. See `CoreVectorMachine` for the
    other arguments.
    """
    if machine == "bvm" and not kernel.has_constant_diagonal:
        raise ValueError(f"a ball vector machine needs constant k(x, x), unlike {kernel.name!r}")
    core = CoreSet(X, positive, kernel, C, seed)
    return (solve_core_vectors if machine == "cvm" else solve_ball_vectors)(core, epsilon)
