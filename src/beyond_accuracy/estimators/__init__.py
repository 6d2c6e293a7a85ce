"""The scikit-learn face of the solvers."""

from beyond_accuracy.estimators.cost_model_svc import CostModelSVC
from beyond_accuracy.estimators.multivariate_svc import MultivariateSVC

__all__ = ["CostModelSVC", "MultivariateSVC"]
