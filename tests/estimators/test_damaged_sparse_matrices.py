"""Every public estimator refuses a sparse matrix that points beyond its memory, in every format.

SciPy's constructors accept such matrices, or the matrices are damaged afterwards. An estimator that
accepts them ends in a segmentation fault, now or in another run.
"""

from inspect import isclass, signature

import numpy as np
import pytest
import scipy.sparse
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.utils.validation import check_is_fitted

from beyond_accuracy import estimators
from beyond_accuracy.solvers.data_matrix import check_structure

_N, _D = 60, 6
_FAR = 2**30


def whole(form):
    X = scipy.sparse.random(_N, _D, 0.5, "csr", random_state=0)
    if form == "bsr":
        return X.tobsr((2, 3))
    return X.asformat(form)


def damaged(form, kind):
    """Return a damaged matrix."""
    X = whole(form)
    if kind in ("index beyond", "index below"):
        name = "row" if form == "coo" else "indices"
        changed = getattr(X, name).copy()
        changed[::3] = _FAR if kind == "index beyond" else -_FAR
        setattr(X, name, changed)
    elif kind == "few values":
        X.data = X.data[:1]
    elif kind == "falling":
        X.indptr[2] = _FAR
    else:
        X.indptr[-1] = _FAR
    return X


CLASSES = [name for name in estimators.__all__ if isclass(getattr(estimators, name))]
INDICES = ["index beyond", "index below", "few values"]
CASES = [
    *((form, kind) for form in ("csr", "csc", "bsr") for kind in (*INDICES, "falling", "too long")),
    *(("coo", kind) for kind in INDICES),
]


@pytest.fixture(scope="module", params=CLASSES)
def classifier(request):
    """Return an unfitted estimator, a fitted one, and its labels."""
    made = getattr(estimators, request.param)
    parameters = signature(made).parameters
    arguments = {}
    if "estimator" in parameters:
        arguments["estimator"] = LogisticRegression()
        if request.param.startswith("MultiLabel"):
            arguments |= {
                "estimator": estimators.BinaryRelevance(LogisticRegression()),
                "objective": "f1_macro",
            }
    y = np.arange(_N) % 2
    try:
        return made(**arguments), made(**arguments).fit(whole("csr"), y), y
    except ValueError:
        Y = np.stack([y, 1 - y], axis=1)
        return made(**arguments), made(**arguments).fit(whole("csr"), Y), Y


@pytest.mark.parametrize(("form", "kind"), CASES)
def test_every_estimator_refuses(classifier, form, kind):
    unfitted, fitted, y = classifier
    with pytest.raises(ValueError, match="sparse matrix X is damaged"):
        unfitted.fit(damaged(form, kind), y)
    with pytest.raises(NotFittedError):
        check_is_fitted(unfitted)
    methods = ["predict", "predict_batch", "predict_proba", "decision_function", "sample", "scores"]
    tried = [name for name in methods if callable(getattr(fitted, name, None))]
    assert "predict" in tried
    for name in tried:
        with pytest.raises(ValueError, match="sparse matrix X is damaged"):
            getattr(fitted, name)(damaged(form, kind))


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
