"""The scikit-learn face of the solvers; a class is imported when it is first asked for."""

__all__ = [
    "BinaryRelevance",
    "CAPOClassifier",
    "CostModelSVC",
    "CostSensitiveSVC",
    "ExactFMeasurePlugIn",
    "ExpectedFMeasureClassifier",
    "FMeasureSVC",
    "KernelCostModelSVC",
    "MultiLabelOperatingPointClassifier",
    "MultivariateSVC",
    "OperatingPointClassifier",
    "ProbabilisticClassifierChain",
    "ReweightedClassifier",
    "RidgeLogisticRegression",
    "TargetCostSVC",
    "TunedLogisticRegression",
    "WeightedEnsemble",
]


def __getattr__(name: str) -> type:
    """Import a class: what only others need, of scikit-learn and of the solvers, is left out."""
    match name:
        case "BinaryRelevance":
            from beyond_accuracy.estimators.binary_relevance import BinaryRelevance as estimator
        case "CAPOClassifier":
            from beyond_accuracy.estimators.capo import CAPOClassifier as estimator
        case "CostModelSVC":
            from beyond_accuracy.estimators.cost_model_svc import CostModelSVC as estimator
        case "CostSensitiveSVC":
            from beyond_accuracy.estimators.cost_sensitive_svc import CostSensitiveSVC as estimator
        case "ExactFMeasurePlugIn":
            from beyond_accuracy.estimators.exact_f_measure_plug_in import (
                ExactFMeasurePlugIn as estimator,
            )
        case "ExpectedFMeasureClassifier":
            from beyond_accuracy.estimators.expected_f_measure_classifier import (
                ExpectedFMeasureClassifier as estimator,
            )
        case "FMeasureSVC":
            from beyond_accuracy.estimators.f_measure_svc import FMeasureSVC as estimator
        case "KernelCostModelSVC":
            from beyond_accuracy.estimators.kernel_cost_model_svc import (
                KernelCostModelSVC as estimator,
            )
        case "MultiLabelOperatingPointClassifier":
            from beyond_accuracy.estimators.multilabel_operating_point_classifier import (
                MultiLabelOperatingPointClassifier as estimator,
            )
        case "MultivariateSVC":
            from beyond_accuracy.estimators.multivariate_svc import MultivariateSVC as estimator
        case "OperatingPointClassifier":
            from beyond_accuracy.estimators.operating_point_classifier import (
                OperatingPointClassifier as estimator,
            )
        case "ProbabilisticClassifierChain":
            from beyond_accuracy.estimators.probabilistic_classifier_chain import (
                ProbabilisticClassifierChain as estimator,
            )
        case "ReweightedClassifier":
            from beyond_accuracy.estimators.reweighted_classifier import (
                ReweightedClassifier as estimator,
            )
        case "RidgeLogisticRegression":
            from beyond_accuracy.estimators.ridge_logistic_regression import (
                RidgeLogisticRegression as estimator,
            )
        case "TargetCostSVC":
            from beyond_accuracy.estimators.target_cost_svc import TargetCostSVC as estimator
        case "TunedLogisticRegression":
            from beyond_accuracy.estimators.tuned_logistic_regression import (
                TunedLogisticRegression as estimator,
            )
        case "WeightedEnsemble":
            from beyond_accuracy.estimators.weighted_ensemble import WeightedEnsemble as estimator
        case _:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return estimator


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
