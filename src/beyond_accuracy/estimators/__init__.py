"""Scikit-learn estimators of the library; each is imported on first access."""

from importlib import import_module
from typing import TYPE_CHECKING

# For type checkers and editors.
if TYPE_CHECKING:
    from beyond_accuracy.estimators.binary_relevance import BinaryRelevance as BinaryRelevance
    from beyond_accuracy.estimators.capo import CAPOClassifier as CAPOClassifier
    from beyond_accuracy.estimators.cost_model_svc import CostModelSVC as CostModelSVC
    from beyond_accuracy.estimators.cost_sensitive_svc import CostSensitiveSVC as CostSensitiveSVC
    from beyond_accuracy.estimators.exact_f_measure_plug_in import (
        ExactFMeasurePlugIn as ExactFMeasurePlugIn,
    )
    from beyond_accuracy.estimators.expected_f_measure_classifier import (
        ExpectedFMeasureClassifier as ExpectedFMeasureClassifier,
    )
    from beyond_accuracy.estimators.f_measure_svc import FMeasureSVC as FMeasureSVC
    from beyond_accuracy.estimators.kernel_cost_model_svc import (
        KernelCostModelSVC as KernelCostModelSVC,
    )
    from beyond_accuracy.estimators.metro_classifier import MetroClassifier as MetroClassifier
    from beyond_accuracy.estimators.multilabel_operating_point_classifier import (
        MultiLabelOperatingPointClassifier as MultiLabelOperatingPointClassifier,
    )
    from beyond_accuracy.estimators.multivariate_svc import MultivariateSVC as MultivariateSVC
    from beyond_accuracy.estimators.multivariate_svc_cv import (
        MultivariateSVCCV as MultivariateSVCCV,
    )
    from beyond_accuracy.estimators.operating_point_classifier import (
        OperatingPointClassifier as OperatingPointClassifier,
    )
    from beyond_accuracy.estimators.probabilistic_classifier_chain import (
        ProbabilisticClassifierChain as ProbabilisticClassifierChain,
    )
    from beyond_accuracy.estimators.reweighted_classifier import (
        ReweightedClassifier as ReweightedClassifier,
    )
    from beyond_accuracy.estimators.ridge_logistic_regression import (
        RidgeLogisticRegression as RidgeLogisticRegression,
    )
    from beyond_accuracy.estimators.scorers import cost_scorer as cost_scorer
    from beyond_accuracy.estimators.target_cost_svc import TargetCostSVC as TargetCostSVC
    from beyond_accuracy.estimators.three_way_classifier import (
        ThreeWayClassifier as ThreeWayClassifier,
    )
    from beyond_accuracy.estimators.tuned_logistic_regression import (
        TunedLogisticRegression as TunedLogisticRegression,
    )

_MODULES = {
    "BinaryRelevance": "binary_relevance",
    "CAPOClassifier": "capo",
    "CostModelSVC": "cost_model_svc",
    "CostSensitiveSVC": "cost_sensitive_svc",
    "ExactFMeasurePlugIn": "exact_f_measure_plug_in",
    "ExpectedFMeasureClassifier": "expected_f_measure_classifier",
    "FMeasureSVC": "f_measure_svc",
    "KernelCostModelSVC": "kernel_cost_model_svc",
    "MetroClassifier": "metro_classifier",
    "MultiLabelOperatingPointClassifier": "multilabel_operating_point_classifier",
    "MultivariateSVC": "multivariate_svc",
    "MultivariateSVCCV": "multivariate_svc_cv",
    "OperatingPointClassifier": "operating_point_classifier",
    "ProbabilisticClassifierChain": "probabilistic_classifier_chain",
    "ReweightedClassifier": "reweighted_classifier",
    "RidgeLogisticRegression": "ridge_logistic_regression",
    "TargetCostSVC": "target_cost_svc",
    "ThreeWayClassifier": "three_way_classifier",
    "TunedLogisticRegression": "tuned_logistic_regression",
    "cost_scorer": "scorers",
}
__all__ = list(_MODULES)


# A type checker that saw this function would accept any name.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Import a class or function on first access, so that unused modules are not loaded."""
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
