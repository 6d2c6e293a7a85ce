"""Reimplementations of older classifiers, used only to reproduce the experiments of papers.

C4.5, naive Bayes and the RBF network follow WEKA. The core vector machine follows LibCVM. The
cost-sensitive SVM is fitted by LIBLINEAR. The reweighter solves a linear program of Deng et al.
(2006).
"""

from beyond_accuracy_pipeline.reproduction.c45 import C45Classifier
from beyond_accuracy_pipeline.reproduction.core_vector_machine import CoreVectorMachine
from beyond_accuracy_pipeline.reproduction.liblinear_target_cost_svc import LiblinearTargetCostSVC
from beyond_accuracy_pipeline.reproduction.linear_program import LinearProgramReweighter
from beyond_accuracy_pipeline.reproduction.naive_bayes import NaiveBayes
from beyond_accuracy_pipeline.reproduction.rbf_network import RBFNetwork

__all__ = [
    "C45Classifier",
    "CoreVectorMachine",
    "LiblinearTargetCostSVC",
    "LinearProgramReweighter",
    "NaiveBayes",
    "RBFNetwork",
]
