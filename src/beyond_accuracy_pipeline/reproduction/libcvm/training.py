"""Train a core vector machine or a ball vector machine."""

from typing import Literal

from beyond_accuracy_pipeline.reproduction.libcvm.ball_vectors import solve_ball_vectors
from beyond_accuracy_pipeline.reproduction.libcvm.core_set import CoreSet, Solution
from beyond_accuracy_pipeline.reproduction.libcvm.core_vectors import solve_core_vectors
from beyond_accuracy_pipeline.reproduction.libcvm.kernels import Kernel
from beyond_accuracy_pipeline.reproduction.libcvm.random_numbers import Generator

Machine = Literal["cvm", "bvm"]


def train_machine(
    X,
    positive,
    kernel: Kernel,
    *,
    machine: Machine = "cvm",
    C: float = 1.0,
    epsilon: float = 1e-3,
    sample_size: int = 60,
    max_core_vectors: int = 50_000,
    seed: int = 0,
    generator: Generator = "bundled",
) -> Solution:
    """Train a machine as LibCVM does.

    Parameters
    ----------
    X : ndarray or CSR matrix, shape (n, d), float64
    positive : array of bool, shape (n,)
        Both values must occur.
    kernel : Kernel
    machine : {"cvm", "bvm"}, default "cvm"
    C : float, default 1
        Weight of the squared slacks, twice the C of the usual squared hinge loss.
    epsilon : float, default 1e-3
    sample_size : int, default 60
        Rows drawn per pass.
    max_core_vectors : int, default 50,000
        Memory is 4 bytes times the square of the core set's size.
    seed : int, default 0
    generator : {"bundled", "gnu"}, default "bundled"

    Raises
    ------
    ValueError
        If squared distances exceed the range of float64, or if a ball vector machine gets a kernel
        whose k(x, x) is not constant.
    """
    if machine == "bvm" and not kernel.has_constant_diagonal:
        raise ValueError(f"a ball vector machine needs constant k(x, x), unlike {kernel.name!r}")
    core = CoreSet(X, positive, kernel, C, max_core_vectors, seed, generator)
    solve = solve_core_vectors if machine == "cvm" else solve_ball_vectors
    return solve(core, epsilon, sample_size)
