"""Decision rules of multi-class classifiers, fitted to class scores and costs.

"Reweighters" predict a class from class scores, such as probabilities, usually after multiplying
the score of each class by a weight. "Deng et al. 2006" is K. Deng, C. Bourke, S. Scott, N. V.
Vinodchandran, New Algorithms for Optimizing Multi-Class Classifiers via ROC Surfaces, ROCML 2006.
Equations have the numbers of that paper.
"""

from beyond_accuracy.reweighting.base import Reweighter, WeightReweighter
from beyond_accuracy.reweighting.boundary_matrix import BoundaryMatrixReweighter
from beyond_accuracy.reweighting.coordinate_descent import CoordinateDescentReweighter
from beyond_accuracy.reweighting.expected_cost import ExpectedCostReweighter
from beyond_accuracy.reweighting.genetic import FractionalReweighter, GeneticReweighter
from beyond_accuracy.reweighting.meta_class import MetaClassReweighter
from beyond_accuracy.reweighting.objective import average_cost
from beyond_accuracy.reweighting.sequential import SequentialReweighter
from beyond_accuracy.reweighting.three_class import ExactThreeClassReweighter
from beyond_accuracy.reweighting.validation import (
    InvalidCostMatrixError,
    InvalidLabelsError,
    InvalidScoresError,
)

__all__ = [
    "BoundaryMatrixReweighter",
    "CoordinateDescentReweighter",
    "ExactThreeClassReweighter",
    "ExpectedCostReweighter",
    "FractionalReweighter",
    "GeneticReweighter",
    "InvalidCostMatrixError",
    "InvalidLabelsError",
    "InvalidScoresError",
    "MetaClassReweighter",
    "Reweighter",
    "SequentialReweighter",
    "WeightReweighter",
    "average_cost",
]
