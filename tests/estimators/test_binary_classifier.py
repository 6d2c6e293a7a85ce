"""What the binary SVMs have in common: the positive class, and warnings about unscaled features."""

import warnings

import numpy as np
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.preprocessing import MaxAbsScaler, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from beyond_accuracy.estimators import (
    CAPOClassifier,
    CostModelSVC,
    CostSensitiveSVC,
    FMeasureSVC,
    MetroClassifier,
    MultivariateSVC,
    MultivariateSVCCV,
    TargetCostSVC,
)

AUXILIARIES = [DecisionTreeClassifier(max_depth=3, random_state=0)]
SVMS = [
    CAPOClassifier(AUXILIARIES),
    CostModelSVC(j=3.0),
    FMeasureSVC(beta=2.0),
    MultivariateSVC("f2"),
    MultivariateSVCCV("f2", Cs=2),
]
OTHERS = [
    CAPOClassifier(AUXILIARIES, form="fixed", tol=1e-7),
    CAPOClassifier(AUXILIARIES, form="multiple", B=2.0),
    CostSensitiveSVC(cost_positive=3.0),
    MetroClassifier("f2", C=[0.1, 1.0]),
    MultivariateSVC("prbep", fallback=None),
    MultivariateSVC("f2", kernel="rbf", n_components=20),
    TargetCostSVC(t=0.3, beta=2.0),
]


@pytest.mark.filterwarnings("ignore:the SVM for")
@pytest.mark.parametrize("model", [*SVMS, *OTHERS])
def test_the_positive_class_is_chosen_by_name(imbalanced, model):
    """Training with the first class as the positive one mirrors training on swapped labels."""
    X, y = imbalanced
    names = np.where(y == 1, "fraud", "legit")
    expected = clone(model).fit(X, y)
    named = clone(model).set_params(pos_label="fraud").fit(X, names)
    assert named.pos_label_ == "fraud"
    assert named.classes_.tolist() == ["fraud", "legit"]
    expected_names = np.where(expected.predict(X) == 1, "fraud", "legit")
    np.testing.assert_array_equal(named.predict(X), expected_names)
    np.testing.assert_allclose(named.decision_function(X), -expected.decision_function(X))
    with pytest.warns(UserWarning, match="the positive class is 'legit'.*pos_label") as caught:
        other = clone(model).fit(X, names)
    assert other.pos_label_ == "legit"
    assert sum("positive class" in str(each.message) for each in caught) == 1
    with pytest.raises(ValueError, match=r"pos_label='theft' .* one of \['fraud', 'legit'\]"):
        clone(model).set_params(pos_label="theft").fit(X, names)


def warned_of_scales(model, X, y):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        clone(model).fit(X, y)
    return [str(each.message) for each in caught if "scales of the features" in str(each.message)]


@pytest.mark.parametrize("model", SVMS)
@pytest.mark.parametrize("storage", [np.asarray, scipy.sparse.csr_array])
def test_unscaled_features_are_warned_of_once(imbalanced, model, storage):
    X, y = imbalanced
    # MultivariateSVCCV makes full matrices dense.
    is_dense = storage is np.asarray or isinstance(model, MultivariateSVCCV)
    scaler = "StandardScaler" if is_dense else "MaxAbsScaler"
    unscaled = storage(X * np.where(np.arange(X.shape[1]) == 2, 1000.0, 1.0))
    (message,) = warned_of_scales(model, unscaled, y)
    assert "factor of about 10^3" in message
    assert scaler in message
    assert not warned_of_scales(model, storage(X), y)


def test_scaled_features_are_not_warned_of(imbalanced):
    """A rare indicator has a small deviation, and a large value after standardization."""
    X, y = imbalanced
    X = np.column_stack([X * 1e4, np.arange(len(X)) == 5, np.full(len(X), 0.1)])
    model = MultivariateSVC()
    assert warned_of_scales(model, X, y)
    for scaler in (StandardScaler(), MaxAbsScaler()):
        assert not warned_of_scales(model, scaler.fit_transform(X), y)
