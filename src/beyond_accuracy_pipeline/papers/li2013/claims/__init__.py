"""Judge the claims of Li et al. (2013). The file paper.yaml describes each rule in words.

CAPO (classifier adaptation) is a multivariate SVM on the features and the outputs of auxiliary
classifiers. The auxiliaries are a CVM (core vector machine), C4.5 or an RBF network, all three
(CAPO*), or five CVMs.
"""

from . import seconds, sweeps, values
from .judging import CLAIMS

__all__ = ["CLAIMS", "seconds", "sweeps", "values"]
