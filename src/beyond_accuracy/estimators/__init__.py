"""Scikit-learn estimators of the library."""

from beyond_accuracy.estimators.binary_relevance import BinaryRelevance
from beyond_accuracy.estimators.capo import CAPOClassifier
from beyond_accuracy.estimators.cost_sensitive_svc import (
    CostModelSVC,
    CostSensitiveSVC,
    TargetCostSVC,
)
from beyond_accuracy.estimators.exact_f_measure_plug_in import ExactFMeasurePlugIn
from beyond_accuracy.estimators.f_measure_svc import FMeasureSVC
from beyond_accuracy.estimators.metro_classifier import MetroClassifier
from beyond_accuracy.estimators.multilabel_operating_point_classifier import (
    MultiLabelOperatingPointClassifier,
)
from beyond_accuracy.estimators.multivariate_svc import MultivariateSVC
from beyond_accuracy.estimators.multivariate_svc_cv import MultivariateSVCCV
from beyond_accuracy.estimators.operating_point_classifier import OperatingPointClassifier
from beyond_accuracy.estimators.probabilistic_classifier_chain import ProbabilisticClassifierChain
from beyond_accuracy.estimators.reweighted_classifier import ReweightedClassifier
from beyond_accuracy.estimators.ridge_logistic_regression import RidgeLogisticRegression
from beyond_accuracy.estimators.scorers import cost_scorer
from beyond_accuracy.estimators.three_way_classifier import ThreeWayClassifier

__all__ = [
    "BinaryRelevance",
    "CAPOClassifier",
    "CostModelSVC",
    "CostSensitiveSVC",
    "ExactFMeasurePlugIn",
    "FMeasureSVC",
    "MetroClassifier",
    "MultiLabelOperatingPointClassifier",
    "MultivariateSVC",
    "MultivariateSVCCV",
    "OperatingPointClassifier",
    "ProbabilisticClassifierChain",
    "ReweightedClassifier",
    "RidgeLogisticRegression",
    "TargetCostSVC",
    "ThreeWayClassifier",
    "cost_scorer",
]
