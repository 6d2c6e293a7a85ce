"""The scikit-learn face of the solvers."""

from beyond_accuracy.estimators.binary_relevance import BinaryRelevance
from beyond_accuracy.estimators.c45 import C45Classifier
from beyond_accuracy.estimators.capo import CAPOClassifier
from beyond_accuracy.estimators.core_vector_machine import CoreVectorMachine
from beyond_accuracy.estimators.cost_model_svc import CostModelSVC
from beyond_accuracy.estimators.cost_sensitive_svc import CostSensitiveSVC
from beyond_accuracy.estimators.expected_f_measure_classifier import ExpectedFMeasureClassifier
from beyond_accuracy.estimators.f_measure_svc import FMeasureSVC
from beyond_accuracy.estimators.kernel_cost_model_svc import KernelCostModelSVC
from beyond_accuracy.estimators.liblinear_target_cost_svc import LiblinearTargetCostSVC
from beyond_accuracy.estimators.multivariate_svc import MultivariateSVC
from beyond_accuracy.estimators.naive_bayes import NaiveBayes
from beyond_accuracy.estimators.probabilistic_classifier_chain import ProbabilisticClassifierChain
from beyond_accuracy.estimators.rbf_network import RBFNetwork
from beyond_accuracy.estimators.reweighted_classifier import ReweightedClassifier
from beyond_accuracy.estimators.ridge_logistic_regression import RidgeLogisticRegression
from beyond_accuracy.estimators.target_cost_svc import TargetCostSVC
from beyond_accuracy.estimators.tuned_logistic_regression import TunedLogisticRegression
from beyond_accuracy.estimators.weighted_ensemble import WeightedEnsemble

__all__ = [
    "BinaryRelevance",
    "C45Classifier",
    "CAPOClassifier",
    "CoreVectorMachine",
    "CostModelSVC",
    "CostSensitiveSVC",
    "ExpectedFMeasureClassifier",
    "FMeasureSVC",
    "KernelCostModelSVC",
    "LiblinearTargetCostSVC",
    "MultivariateSVC",
    "NaiveBayes",
    "ProbabilisticClassifierChain",
    "RBFNetwork",
    "ReweightedClassifier",
    "RidgeLogisticRegression",
    "TargetCostSVC",
    "TunedLogisticRegression",
    "WeightedEnsemble",
]
