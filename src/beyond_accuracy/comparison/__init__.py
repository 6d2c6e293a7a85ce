"""Compare classifiers on your own data by nested cross-validation."""

try:
    import pandas as _  # noqa: F401
except ModuleNotFoundError as error:
    message = "compare needs the package pandas: pip install 'beyond-accuracy[compare]'"
    raise ModuleNotFoundError(message, name="pandas") from error

from beyond_accuracy.comparison.comparison import Comparison, compare
from beyond_accuracy.comparison.defaults import default_estimators

__all__ = ["Comparison", "compare", "default_estimators"]
