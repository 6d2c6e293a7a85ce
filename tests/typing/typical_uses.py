"""Uses of the public interface as users write them, for type checkers; `test_annotations` runs one.

`assert_type` is where the type is part of the promise: a checker complains if it is another.
"""

from typing import assert_type

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

import beyond_accuracy
from beyond_accuracy import (
    BinaryRelevance,
    CAPOClassifier,
    CostSensitiveSVC,
    FMeasureSVC,
    MultiLabelOperatingPointClassifier,
    MultivariateSVC,
    MultivariateSVCCV,
    OperatingPointClassifier,
    ProbabilisticClassifierChain,
    ReweightedClassifier,
    RidgeLogisticRegression,
)
from beyond_accuracy.inference import expected_f, gfm, gfm_from_samples, independent_joint, meuf
from beyond_accuracy.measures import Measure, contingency_measure, get_measure
from beyond_accuracy.reweighting import (
    CoordinateDescentReweighter,
    GeneticReweighter,
    MetaClassReweighter,
    SequentialReweighter,
    average_cost,
)

X = np.zeros((10, 2))
y = [0, 1] * 5
Y = np.zeros((10, 3), dtype=int)


def half_of_the_positives(
    tp: NDArray[np.float64],
    fp: NDArray[np.float64],
    fn: NDArray[np.float64],
    tn: NDArray[np.float64],
) -> NDArray[np.float64]:
    return tp / (2 * tp + fp + fn + tn)


def linear_kernel(A: NDArray[np.float64], B: NDArray[np.float64]) -> NDArray[np.float64]:
    return A @ B.T


def multivariate_svms() -> None:
    model = MultivariateSVC("f1", 2.0, C_convention="liblinear", tol=1e-4).fit(X, y)
    assert_type(model, MultivariateSVC)
    assert_type(model.decision_function(scipy.sparse.csr_matrix(X)), NDArray[np.float64])
    assert_type(model.coef_, NDArray[np.float64])
    assert_type(model.dual_gap_, float)
    print([step.primal for step in model.history_], model.classes_[1], model.predict(X.tolist()))
    MultivariateSVC(measure=half_of_the_positives, kernel=linear_kernel, memory="folder")
    MultivariateSVC(measure=get_measure("f2"), kernel="rbf", gamma=0.5, n_components=100)
    assert_type(MultivariateSVCCV("prbep", Cs=[0.1, 1.0], cv=3).fit(X, y).C_, float)
    for _, fitted, decisions in model.fit_path(X, y, X, [{"C": 1.0}, {"C": 10.0}]):
        print(fitted.objective_, decisions.shape)


def other_classifiers() -> None:
    CAPOClassifier([RidgeLogisticRegression()], B=2.0)
    weights = np.ones(10)
    assert_type(CostSensitiveSVC(2.0, 1.0).fit(X, y, sample_weight=weights), CostSensitiveSVC)
    assert_type(FMeasureSVC(beta=2.0, C=[1.0, 10.0]).fit(X, y).t_, float)


def operating_points() -> None:
    model = OperatingPointClassifier(
        RidgeLogisticRegression(), "f1", constraints="precision >= 0.9", confidence=0.9
    ).fit(X, y, sample_weight=np.ones(10))
    assert_type(model, OperatingPointClassifier)
    assert_type(model.best_threshold_, float)
    assert_type(model.threshold_interval_, tuple[float, float])
    weighted = ReweightedClassifier(model, GeneticReweighter(random_state=0), cv=5).fit(X, y)
    print(weighted.predict(X), weighted.best_score_)
    labels = MultiLabelOperatingPointClassifier(BinaryRelevance(), "f1_micro", beta=2.0).fit(X, Y)
    assert_type(labels.thresholds_, NDArray[np.float64])


def labels() -> None:
    chain = ProbabilisticClassifierChain(order="random", n_samples=50, random_state=0).fit(X, Y)
    assert_type(chain.predict(X, "f1", 1.0, exact=True), NDArray[np.int64])
    assert_type(chain.sample(X, 10), NDArray[np.uint8])
    joint, p_empty = chain.joint(X)
    predictions, values = gfm(joint, p_empty)
    print(predictions.sum(), np.mean(values), meuf([0.2, 0.9], method="cubic"))
    assert_type(predictions, NDArray[np.uint8])
    print(expected_f(*independent_joint([0.1, 0.5]), [0, 1]), gfm_from_samples(Y)[0])


def measures() -> None:
    measure = get_measure("recall_at_2p")
    assert_type(measure, Measure)
    assert_type(measure.score(y, [0.5] * 10), float)
    print(contingency_measure("half", half_of_the_positives).best_threshold(np.array(y), X[:, 0]))


def reweighting() -> None:
    costs = [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
    scores, classes = np.full((9, 3), 1 / 3), [0, 1, 2] * 3
    reweighter = CoordinateDescentReweighter(scoring="f1_macro").fit(scores, classes)
    assert_type(reweighter, CoordinateDescentReweighter)
    assert_type(reweighter.weights_, NDArray[np.float64])
    assert_type(average_cost(scores, classes, reweighter.weights_, costs), float)
    assert_type(SequentialReweighter([2, 0, 1]).fit(scores, classes, costs).objective_, float)
    print(MetaClassReweighter("balanced").fit(scores, classes).export_text(["a", "b", "c"]))


print(beyond_accuracy.__version__)
