"""Classifiers of other programs, made anew to reproduce papers, and not meant for anything else.

C4.5, the naive Bayes and the network of Gaussian functions as in WEKA, the core vector machine as
in LibCVM, and the cost-sensitive SVM as LIBLINEAR fits it. A class is imported when it is first
asked for.
"""

__all__ = [
    "C45Classifier",
    "CoreVectorMachine",
    "LiblinearTargetCostSVC",
    "NaiveBayes",
    "RBFNetwork",
]


def __getattr__(name: str) -> type:
    """Import a class."""
    match name:
        case "C45Classifier":
            from beyond_accuracy.estimators.reproduction.c45 import C45Classifier as estimator
        case "CoreVectorMachine":
            from beyond_accuracy.estimators.reproduction.core_vector_machine import (
                CoreVectorMachine as estimator,
            )
        case "LiblinearTargetCostSVC":
            from beyond_accuracy.estimators.reproduction.liblinear_target_cost_svc import (
                LiblinearTargetCostSVC as estimator,
            )
        case "NaiveBayes":
            from beyond_accuracy.estimators.reproduction.naive_bayes import NaiveBayes as estimator
        case "RBFNetwork":
            from beyond_accuracy.estimators.reproduction.rbf_network import RBFNetwork as estimator
        case _:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return estimator


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
