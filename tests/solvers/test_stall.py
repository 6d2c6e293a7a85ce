"""If rounding keeps the gap from shrinking, solvers end long before `max_iter`."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from beyond_accuracy.estimators import CostSensitiveSVC, FMeasureSVC, MultivariateSVC, TargetCostSVC


@pytest.mark.parametrize(
    "estimator",
    [
        CostSensitiveSVC(algorithm="bundle"),
        CostSensitiveSVC(algorithm="bundle_without_line_search"),
        TargetCostSVC(algorithm="bundle"),
        # This estimator fits several machines in turn, and each stalls.
        pytest.param(FMeasureSVC(algorithm="bundle"), marks=pytest.mark.slow),
        MultivariateSVC("f1", C=1.0),
    ],
    ids=str,
)
def test_an_offset_beyond_rounding_ends_early_and_says_why(estimator):
    """Offsets of 10⁹ times the spread leave no digits for the difference between the classes."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 5)) + 1e9
    y = (X[:, 0] - 1e9 + rng.normal(size=300) > 0.5).astype(int)
    with pytest.warns(ConvergenceWarning, match="rounding lets it shrink no further"):
        model = estimator.fit(X, y)
    assert model.n_iter_ < 1000
