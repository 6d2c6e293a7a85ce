"""Errors name input that sends numbers out of range, or that points outside its memory."""

import numpy as np
import pytest
import scipy.sparse
from numpy.testing import assert_allclose
from sklearn.exceptions import ConvergenceWarning

from beyond_accuracy.estimators import (
    CostModelSVC,
    CostSensitiveSVC,
    MultivariateSVC,
)
from beyond_accuracy.solvers.data_matrix import DataMatrix
from beyond_accuracy.solvers.plane_model import ScaleError
from beyond_accuracy_pipeline.reproduction import (
    C45Classifier,
    KernelCostModelSVC,
    NaiveBayes,
    RBFNetwork,
)

MEASURES = ["f1", "roc_area", "prbep", "precision_at_10", "accuracy", lambda a, b, c, d: a / 50]


@pytest.fixture(scope="module")
def examples():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    y = np.zeros(200, dtype=int)
    y[np.argsort(X[:, 0] + rng.normal(size=200))[-50:]] = 1
    return X, y


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(("scale", "C"), [(1e4, 1e300), (1e150, 1e12), (1e150, 1e100)])
def test_products_with_C_out_of_range_are_refused(examples, measure, scale, C):
    X, y = examples
    with pytest.raises(ValueError, match="scale the features"):
        MultivariateSVC(measure, C=C, max_iter=30).fit(X * scale, y)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "estimator",
    [
        CostModelSVC(),
        CostSensitiveSVC(algorithm="coordinate_descent"),
        CostSensitiveSVC(algorithm="coordinate_descent", intercept="free"),
        CostSensitiveSVC(algorithm="interior_point"),
    ],
    ids=str,
)
@pytest.mark.parametrize("scale", [1e160, 1e300])
def test_squares_out_of_range_are_refused(examples, estimator, scale):
    X, y = examples
    with pytest.raises(ScaleError, match="scale the features"):
        estimator.fit(X * scale, y)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("convert", [np.asarray, scipy.sparse.csr_matrix])
@pytest.mark.parametrize(
    "estimator",
    [
        KernelCostModelSVC(),
        KernelCostModelSVC(gamma=0.1),
        KernelCostModelSVC(gamma=0.1, cache_size=1e-3),
        RBFNetwork(),
        RBFNetwork(starts="weka"),
    ],
    ids=str,
)
def test_squared_distances_out_of_range_are_refused(examples, estimator, convert):
    X, y = examples
    for scale in (1e155, 1e300):
        with pytest.raises(ScaleError, match="scale the features"):
            estimator.fit(convert(X * scale), y)


def test_new_rows_whose_squares_are_out_of_range_are_refused(examples):
    X, y = examples
    network = RBFNetwork().fit(X, y)
    with pytest.raises(ScaleError, match="scale the features"):
        network.predict(X * 1e160)


@pytest.mark.filterwarnings("error")
def test_squares_of_documents_out_of_range_are_refused(examples):
    """Documents have more than 1,000 sparse features, for which cutting planes are not used."""
    X, y = examples
    documents = scipy.sparse.csr_matrix(np.pad(X * 1e160, ((0, 0), (0, 1000))))
    with pytest.raises(ScaleError, match="scale the features"):
        MultivariateSVC("accuracy", C=1.0).fit(documents, y)


@pytest.mark.parametrize("measure", ["f1", "prbep", "roc_area"])
def test_large_features_that_stay_in_range_give_the_scaled_solution(examples, measure):
    """If C·s² is fixed, the decisions do not depend on the scale s."""
    X, y = examples
    options = {"fit_intercept": False, "tol": 1e-6}
    model = MultivariateSVC(measure, C=1.0, **options).fit(X, y)
    scaled = MultivariateSVC(measure, C=1e-100, **options).fit(X * 1e50, y)
    expected = model.decision_function(X)
    assert_allclose(scaled.decision_function(X * 1e50), expected, atol=1e-3 * abs(expected).max())


@pytest.mark.parametrize("estimator", [C45Classifier(), NaiveBayes()], ids=str)
def test_damaged_sparse_matrix_is_refused(estimator):
    """`tests/estimators/test_damaged_sparse_matrices.py` damages matrices in other ways."""
    X = scipy.sparse.random(60, 5, 0.5, "csr", random_state=0)
    X.indices[3] = 10**8
    with pytest.raises(ValueError, match="sparse matrix X is damaged: indices must be < 5"):
        estimator.fit(X, np.arange(60) % 2)


def test_spare_memory_behind_a_sparse_matrix_is_no_damage():
    """SciPy allows arrays longer than the values; SciPy's product is the reference."""
    X = scipy.sparse.random(60, 5, 0.5, "csr", random_state=0)
    roomy = scipy.sparse.csr_matrix(X.shape)
    roomy.data = np.append(X.data, np.nan)
    roomy.indices = np.append(X.indices, np.int32(10**8))
    roomy.indptr = X.indptr
    out = np.empty(60)
    w = np.arange(6.0)
    DataMatrix(roomy, np.arange(60) % 2 == 0, positives_first=False).scores(w, out)
    assert_allclose(out, X @ w[:-1] + w[-1])


@pytest.mark.parametrize(
    "estimator", [CostSensitiveSVC(algorithm="bundle"), MultivariateSVC("f1", C=1.0)], ids=str
)
def test_an_offset_beyond_rounding_ends_early_and_says_why(estimator):
    """Offsets of 10⁹ times the spread leave no digits for the difference between the classes."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 5)) + 1e9
    y = (X[:, 0] - 1e9 + rng.normal(size=300) > 0.5).astype(int)
    with pytest.warns(ConvergenceWarning, match="rounding lets it shrink no further"):
        model = estimator.fit(X, y)
    assert model.n_iter_ < 1000
