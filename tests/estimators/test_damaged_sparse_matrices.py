"""Every public estimator refuses a sparse matrix that points beyond its memory.

SciPy's constructors accept such matrices, or the matrices are damaged afterwards. An estimator that
accepts them ends in a segmentation fault, now or in another run.
"""

from inspect import isclass, signature

import numpy as np
import pytest
import scipy.sparse
from sklearn.linear_model import LogisticRegression

from beyond_accuracy import estimators
from beyond_accuracy.solvers.data_matrix import check_structure

_N, _D = 60, 6
_FAR = 2**30


def whole(form):
    return scipy.sparse.random(_N, _D, 0.5, form, random_state=0)


def damaged(form, kind):
    """Return a damaged matrix."""
    X = whole(form)
    if kind == "index beyond":
        X.indices[::3] = _FAR
    elif kind == "index below":
        X.indices[::3] = -_FAR
    elif kind == "few values":
        X.data = X.data[:1]
    elif kind == "falling":
        X.indptr[2] = _FAR
    elif kind == "falling to 0":
        X.indptr[-1] = 0
    else:
        X.indptr[-1] = _FAR
    return X


CLASSES = [name for name in estimators.__all__ if isclass(getattr(estimators, name))]


@pytest.mark.parametrize("form", ["csr", "csc"])
@pytest.mark.parametrize(
    "kind", ["index beyond", "index below", "few values", "falling", "falling to 0", "too long"]
)
def test_every_damage_is_found(form, kind):
    with pytest.raises(ValueError, match="sparse matrix X is damaged"):
        check_structure(damaged(form, kind))


@pytest.mark.parametrize("name", CLASSES)
def test_every_estimator_refuses(name):
    made = getattr(estimators, name)
    arguments = {}
    if "estimator" in signature(made).parameters:
        arguments["estimator"] = LogisticRegression()
    if name.startswith("MultiLabel"):
        labels = estimators.BinaryRelevance(LogisticRegression())
        arguments = {"estimator": labels, "objective": "f1_macro"}
    y = np.arange(_N) % 2
    try:
        fitted = made(**arguments).fit(whole("csr"), y)
    except ValueError:
        y = np.stack([y, 1 - y], axis=1)
        fitted = made(**arguments).fit(whole("csr"), y)
    X = damaged("csr", "index beyond")
    with pytest.raises(ValueError, match="sparse matrix X is damaged"):
        made(**arguments).fit(X, y)
    methods = ["predict", "predict_batch", "predict_proba", "decision_function", "sample", "scores"]
    for method in methods:
        if hasattr(fitted, method):
            with pytest.raises(ValueError, match="sparse matrix X is damaged"):
                getattr(fitted, method)(X)


@pytest.mark.parametrize("name", ["BinaryRelevance", "MultiLabelOperatingPointClassifier"])
def test_labels_are_checked_too(name):
    Y = scipy.sparse.csr_matrix(np.stack([np.arange(_N) % 2, (np.arange(_N) + 1) % 2], axis=1))
    Y.indices[::3] = _FAR
    made = getattr(estimators, name)
    model = made(estimators.BinaryRelevance()) if name.startswith("MultiLabel") else made()
    with pytest.raises(ValueError, match=r"sparse matrix [Yy] is damaged"):
        model.fit(whole("csr"), Y)


@pytest.mark.parametrize("form", ["csr", "csc", "bsr", "coo", "lil", "dia", "dok"])
@pytest.mark.parametrize("shape", [(60, 6), (0, 6), (6, 0), (12, 3)])
def test_whole_matrices_pass(form, shape):
    X = scipy.sparse.random(*shape, 0.5, "csr", random_state=0).asformat(form)
    check_structure(X)
    check_structure(X.T)
    if form in ("coo", "csr"):
        check_structure(scipy.sparse.coo_array(np.arange(4.0)).asformat(form))
