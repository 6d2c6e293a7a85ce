"""Reimplementations of older classifiers, used only to reproduce the experiments of papers.

C4.5, naive Bayes and the RBF network follow WEKA. The core vector machine follows LibCVM. The
cost-sensitive SVMs are fitted by LIBLINEAR and LIBSVM. The two logistic regressions are baselines
of Cheng et al. (2016). The reweighter solves a linear program of Deng et al. (2006).
"""

from beyond_accuracy_pipeline.reproduction.c45 import C45Classifier
from beyond_accuracy_pipeline.reproduction.core_vector_machine import CoreVectorMachine
from beyond_accuracy_pipeline.reproduction.expected_f_measure_classifier import (
    ExpectedFMeasureClassifier,
)
from beyond_accuracy_pipeline.reproduction.kernel_cost_model_svc import KernelCostModelSVC
from beyond_accuracy_pipeline.reproduction.liblinear_target_cost_svc import LiblinearTargetCostSVC
from beyond_accuracy_pipeline.reproduction.linear_program import LinearProgramReweighter
from beyond_accuracy_pipeline.reproduction.naive_bayes import NaiveBayes
from beyond_accuracy_pipeline.reproduction.rbf_network import RBFNetwork
from beyond_accuracy_pipeline.reproduction.tuned_logistic_regression import TunedLogisticRegression

__all__ = [
    "C45Classifier",
    "CoreVectorMachine",
    "ExpectedFMeasureClassifier",
    "KernelCostModelSVC",
    "LiblinearTargetCostSVC",
    "LinearProgramReweighter",
    "NaiveBayes",
    "RBFNetwork",
    "TunedLogisticRegression",
]
