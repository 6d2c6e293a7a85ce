"""Classifiers of other programs, made anew to reproduce papers, and not meant for anything else.

C4.5, the naive Bayes and the network of Gaussian functions as in WEKA, the core vector machine as
in LibCVM, and the cost-sensitive SVM as LIBLINEAR fits it. A class is imported when it is first
asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING

# What type checkers and editors read.
if TYPE_CHECKING:
    from beyond_accuracy_pipeline.reproduction.c45 import C45Classifier as C45Classifier
    from beyond_accuracy_pipeline.reproduction.core_vector_machine import (
        CoreVectorMachine as CoreVectorMachine,
    )
    from beyond_accuracy_pipeline.reproduction.liblinear_target_cost_svc import (
        LiblinearTargetCostSVC as LiblinearTargetCostSVC,
    )
    from beyond_accuracy_pipeline.reproduction.linear_program import (
        LinearProgramReweighter as LinearProgramReweighter,
    )
    from beyond_accuracy_pipeline.reproduction.mixed_integer import (
        MixedIntegerReweighter as MixedIntegerReweighter,
    )
    from beyond_accuracy_pipeline.reproduction.naive_bayes import NaiveBayes as NaiveBayes
    from beyond_accuracy_pipeline.reproduction.rbf_network import RBFNetwork as RBFNetwork

_MODULES = {
    "C45Classifier": "c45",
    "CoreVectorMachine": "core_vector_machine",
    "LiblinearTargetCostSVC": "liblinear_target_cost_svc",
    "LinearProgramReweighter": "linear_program",
    "MixedIntegerReweighter": "mixed_integer",
    "NaiveBayes": "naive_bayes",
    "RBFNetwork": "rbf_network",
}
__all__ = list(_MODULES)


# A checker that saw it would take any name for one that exists.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> type:
        """Import a class; what only others need, of scikit-learn and the solvers, is left out."""
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
