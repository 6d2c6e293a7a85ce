"""The scikit-learn face of the solvers."""

from beyond_accuracy.estimators.binary_relevance import BinaryRelevance
from beyond_accuracy.estimators.cost_model_svc import CostModelSVC
from beyond_accuracy.estimators.cost_sensitive_svc import CostSensitiveSVC
from beyond_accuracy.estimators.f_measure_svc import FMeasureSVC
from beyond_accuracy.estimators.multivariate_svc import MultivariateSVC
from beyond_accuracy.estimators.probabilistic_classifier_chain import ProbabilisticClassifierChain
from beyond_accuracy.estimators.ridge_logistic_regression import RidgeLogisticRegression

__all__ = [
    "BinaryRelevance",
    "CostModelSVC",
    "CostSensitiveSVC",
    "FMeasureSVC",
    "MultivariateSVC",
    "ProbabilisticClassifierChain",
    "RidgeLogisticRegression",
]
