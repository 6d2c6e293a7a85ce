"""Classifiers of other programs, reimplemented to reproduce papers and for nothing else.

C4.5, naive Bayes and the RBF network follow WEKA, the core vector machine follows LibCVM, and the
cost-sensitive SVM is fitted by LIBLINEAR.
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
