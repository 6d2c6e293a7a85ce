"""scikit-learn's checks for every estimator."""

from functools import partial

import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import TunedThresholdClassifierCV
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import (
    check_sample_weight_equivalence_on_dense_data as check_weights_of_dense_data,
)
from sklearn.utils.estimator_checks import (
    check_sample_weight_equivalence_on_sparse_data as check_weights_of_sparse_data,
)
from sklearn.utils.estimator_checks import parametrize_with_checks

from beyond_accuracy.estimators import (
    BinaryRelevance,
    CAPOClassifier,
    CostModelSVC,
    CostSensitiveSVC,
    ExactFMeasurePlugIn,
    FMeasureSVC,
    MetroClassifier,
    MultiLabelOperatingPointClassifier,
    MultivariateSVC,
    MultivariateSVCCV,
    OperatingPointClassifier,
    ProbabilisticClassifierChain,
    ReweightedClassifier,
    RidgeLogisticRegression,
    TargetCostSVC,
    ThreeWayClassifier,
)
from beyond_accuracy_pipeline.reproduction import (
    C45Classifier,
    CoreVectorMachine,
    ExpectedFMeasureClassifier,
    KernelCostModelSVC,
    LiblinearTargetCostSVC,
    NaiveBayes,
    RBFNetwork,
    TunedLogisticRegression,
)


@pytest.fixture(autouse=True)
def few_thresholds(monkeypatch):
    """Let scikit-learn try 5 thresholds instead of 100, which would take half of the time."""
    module = "beyond_accuracy_pipeline.reproduction.tuned_logistic_regression"
    fewer = partial(TunedThresholdClassifierCV, thresholds=5)
    monkeypatch.setattr(f"{module}.TunedThresholdClassifierCV", fewer)


_NO_INDICATOR = "labels are a 0/1 indicator, and no column of other classes or numbers"
_OF_LABELS = dict.fromkeys(
    [
        "check_classifier_data_not_an_array",
        "check_classifier_not_supporting_multiclass",
        "check_classifiers_classes",
        "check_classifiers_one_label",
        "check_classifiers_regression_target",
        "check_classifiers_train",
        "check_estimator_sparse_array",
        "check_estimator_sparse_matrix",
        "check_estimators_dtypes",
        "check_fit2d_1feature",
    ],
    _NO_INDICATOR,
)
_WEIGHTED_LABELS = {
    **_OF_LABELS,
    **dict.fromkeys(
        [
            "check_complex_data",
            "check_sample_weights_not_an_array",
            "check_sample_weights_not_overwritten",
            "check_sample_weights_pandas_series",
            "check_sample_weights_shape",
        ],
        _NO_INDICATOR,
    ),
    "check_classifier_multioutput": "its thresholds on the probabilities are not 1/2",
    "check_classifiers_one_label_sample_weights": "a label that is constant is no error",
    "check_fit2d_1sample": "folds are what one row is too few for",
    "check_requires_y_none": "the message speaks of labels",
    "check_sample_weight_equivalence_on_dense_data": "calls y what MultiOutputClassifier calls Y",
    "check_sample_weight_equivalence_on_sparse_data": "calls y what MultiOutputClassifier calls Y",
}


def _expected_failed_checks(estimator):
    """Return the checks that an estimator fails by definition, with the reasons."""
    match estimator:
        case OperatingPointClassifier() | ThreeWayClassifier():
            return {"check_classifiers_train": "its threshold on the probabilities is not 1/2"}
        case ReweightedClassifier():
            return {"check_classifiers_train": "its decisions are not the argmax of probabilities"}
        case MultiLabelOperatingPointClassifier():
            return _WEIGHTED_LABELS
        case ProbabilisticClassifierChain():
            sampled = "shares of few samples may be 0 or 1"
            check = "check_classifiers_multilabel_output_format_predict_proba"
            return {**_OF_LABELS, check: sampled}
        case BinaryRelevance() | ExactFMeasurePlugIn():
            return _OF_LABELS
    return {}


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(
    [
        C45Classifier(),
        # Its own auxiliary, a boosted ensemble, would take half of the time of all checks.
        CAPOClassifier([DecisionTreeClassifier(max_depth=2, random_state=0)], cv=2),
        CoreVectorMachine(),
        CostModelSVC(),
        CostSensitiveSVC(),
        ExpectedFMeasureClassifier(),
        FMeasureSVC(t_grid=[0.5, 1.0], cv=2),
        KernelCostModelSVC(),
        LiblinearTargetCostSVC(),
        MetroClassifier(),
        MultivariateSVC(),
        MultivariateSVCCV(),
        MultivariateSVC("roc_area", kernel="rbf", n_components=5),
        NaiveBayes(),
        RBFNetwork(),
        OperatingPointClassifier(LogisticRegression()),
        ReweightedClassifier(LogisticRegression()),
        RidgeLogisticRegression(),
        RidgeLogisticRegression(C=[0.1, 1.0], standardize=True, shared_C=True),
        BinaryRelevance(),
        ExactFMeasurePlugIn(),
        MultiLabelOperatingPointClassifier(BinaryRelevance(), "f1_macro"),
        ProbabilisticClassifierChain(n_samples=51, random_state=0),
        TargetCostSVC(),
        ThreeWayClassifier(LogisticRegression()),
        TunedLogisticRegression(),
    ],
    expected_failed_checks=_expected_failed_checks,
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@pytest.mark.parametrize("data", [check_weights_of_dense_data, check_weights_of_sparse_data])
@pytest.mark.parametrize(
    "estimator",
    [
        CostModelSVC(tol=1e-12),
        CostSensitiveSVC(tol=1e-12),
        CostSensitiveSVC(tol=1e-12, algorithm="bundle"),
        FMeasureSVC(t_grid=[0.5, 1.0], cv=2, tol=1e-12),
        TargetCostSVC(tol=1e-12),
    ],
)
def test_weights_are_repetitions_at_a_small_gap(estimator, data):
    data(type(estimator).__name__, estimator)
