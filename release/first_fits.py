"""`python release/first_fits.py MEASURE STORAGE`: one fit, its CPU seconds, and what it compiled.

`every_use` is what users meet first, on small data: the code for it is brought by wheels. Imports
nothing but the package, so that it runs where that alone is installed.
"""

import sys
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

import beyond_accuracy as ba
from beyond_accuracy import inference, reweighting
from beyond_accuracy.estimators import reproduction
from beyond_accuracy.measures import get_measure

MEASURES = (
    "f1",
    "f0.5",
    "f2",
    "jaccard",
    "prbep",
    "precision_at_20",
    "recall_at_20",
    "recall_at_2p",
    "roc_area",
    "partial_roc_area_0_0.1",
    "partial_roc_area_0.1_0.3",
    "average_precision",
    "recall_at_precision_0.5",
    "precision_at_recall_0.5",
    "accuracy",
    "balanced_accuracy",
    "precision",
    "recall",
)


def _sparse(X: np.ndarray, index: type = np.int32) -> scipy.sparse.csr_matrix:
    X = scipy.sparse.csr_matrix(X * (np.abs(X) > 0.5))
    X.indices, X.indptr = X.indices.astype(index), X.indptr.astype(index)
    return X


def _read_only(X: np.ndarray) -> np.ndarray:
    """As joblib hands large arrays to its processes, and pandas 3 its own."""
    X = X.copy()
    X.flags.writeable = False
    return X


STORAGES: dict[str, Callable[[np.ndarray], Any]] = {
    "dense": np.ascontiguousarray,
    "dense float32": lambda X: X.astype(np.float32),
    "dense read-only": _read_only,
    "csr": _sparse,
    "csr float32": lambda X: _sparse(X).astype(np.float32),
    "csr int64": lambda X: _sparse(X, np.int64),
}


def examples(n_samples: int = 120, n_features: int = 6) -> tuple[np.ndarray, np.ndarray]:
    """Return two classes that overlap, a third of the examples positive."""
    random = np.random.default_rng(0)
    X = random.normal(size=(n_samples, n_features))
    return X, (X[:, 0] + random.normal(size=n_samples) > 0.6).astype(int)


def _own_measure(tp, fp, fn, tn):
    return tp / np.sqrt((tp + fp) * (tp + fn) + 1e-9 * (tp == 0))


def every_use() -> None:
    """Call all that is to be compiled for wheels."""
    X, y = examples()
    with warnings.catch_warnings(action="ignore"):
        for convert in STORAGES.values():
            data = convert(X)
            _linear_measures(data, y)
            _cost_sensitive(data, y)
        _kernels_and_ensembles(X, y)
        _thresholds(X, y)
        _reproductions(X, y)
        _labels(X)
        _classes(X)


def _linear_measures(X, y):
    for measure in (*MEASURES, _own_measure):
        ba.MultivariateSVC(measure).fit(X, y).decision_function(X)
    ba.MultivariateSVC("f1", fit_intercept=False, C_convention="scaled").fit(X, y)
    ba.MultivariateSVC("f1", line_search=False).fit(X, y)
    ba.MultivariateSVC("recall_at_20", at_most_k=True).fit(X, y)
    for measure in ("f1", "prbep", "roc_area", "average_precision"):
        ba.MultivariateSVCCV(measure, Cs=[0.1, 10.0], cv=2).fit(X, y)


def _cost_sensitive(X, y):
    weights = np.linspace(0.5, 1.5, len(y))
    for model in (
        ba.CostSensitiveSVC(2.0, 1.0),
        ba.CostModelSVC(j=2.0),
        ba.CostModelSVC(j=2.0, fit_intercept=False),
        ba.TargetCostSVC(t=0.5),
        ba.FMeasureSVC(C=[1.0, 10.0]),
    ):
        model.fit(X, y).predict(X)
        model.fit(X, y, sample_weight=weights)
    for intercept in ("regularized", "free", "none"):
        for algorithm in ("coordinate_descent", "interior_point"):
            ba.CostSensitiveSVC(2.0, 1.0, algorithm=algorithm, intercept=intercept).fit(X, y)
    for algorithm in ("bundle", "bundle_two_sided", "bundle_without_line_search"):
        ba.CostSensitiveSVC(2.0, 1.0, algorithm=algorithm).fit(X, y)


def _kernels_and_ensembles(X, y):
    for kernel in ("rbf", "poly", "laplacian"):
        for data in (X, _sparse(X)):
            ba.MultivariateSVC("f1", kernel=kernel, n_components=20).fit(data, y)
    ba.MultivariateSVC("roc_area", kernel="rbf", n_components=20).fit(X, y).decision_function(X)
    ba.MultivariateSVCCV("f1", Cs=[0.1, 10.0], cv=2, kernel="rbf", n_components=20).fit(X, y)
    ba.KernelCostModelSVC(j=2.0).fit(X, y).predict(X)
    base = [LogisticRegression(), RandomForestClassifier(3, random_state=0)]
    ba.CAPOClassifier(base).fit(X, y).predict(X)
    ba.WeightedEnsemble(base).fit(X, y).predict(X)
    ba.TunedLogisticRegression().fit(X, y).predict(X)
    ba.RidgeLogisticRegression().fit(X, y).predict(X)
    ba.ExpectedFMeasureClassifier().fit(X, y).predict(X)


def _thresholds(X, y):
    weights = np.linspace(0.5, 1.5, len(y))
    for model in (LogisticRegression(), ba.MultivariateSVC("f1")):
        for objective in ("f1", "recall"):
            chosen = ba.OperatingPointClassifier(
                model, objective, constraints="precision >= 0.5", n_resamples=5
            )
            chosen.fit(X, y).predict(X)
            chosen.fit(X, y, sample_weight=weights)
    held_out = ba.OperatingPointClassifier(
        LogisticRegression().fit(X, y), "recall", constraints="precision >= 0.3", cv="prefit"
    )
    held_out.fit(X, y)
    held_out.set_params(guarantee=0.9).fit(X, y)
    costs = ba.OperatingPointClassifier(LogisticRegression(), "cost", cost_matrix=[[0, 1], [5, 0]])
    costs.fit(X, y).predict(X)
    decision = LogisticRegression().fit(X, y).decision_function(X)
    for name in MEASURES:
        measure = get_measure(name)
        measure.score(y, decision)
        measure.score(y, decision, sample_weight=weights)
    CalibratedClassifierCV(ba.MultivariateSVC("f1"), cv=2).fit(X, y).predict_proba(X)


def _reproductions(X, y):
    for model in (
        reproduction.C45Classifier(),
        reproduction.CoreVectorMachine(),
        reproduction.CoreVectorMachine(machine="bvm"),
        reproduction.NaiveBayes(),
    ):
        model.fit(X, y).predict(X)
    reproduction.CoreVectorMachine().fit(_sparse(X), y)


def _labels(X):
    Y = (X[:, :4] + np.random.default_rng(1).normal(size=(len(X), 4)) > 0.3).astype(int)
    for data in (X, _sparse(X)):
        chain = ba.ProbabilisticClassifierChain(n_samples=10, random_state=0).fit(data, Y)
        for exact in (False, True):
            for criterion in ("f1", "hamming", "subset", "threshold"):
                chain.predict(data, criterion, exact=exact)
        chain.sample(data, 5)
        for model in (ba.BinaryRelevance(), ba.ExactFMeasurePlugIn()):
            model.fit(data, Y).predict(data)
    for objective in ("f1_instance", "f1_macro", "f1_micro"):
        for base in (ba.BinaryRelevance(), chain):
            model = ba.MultiLabelOperatingPointClassifier(base, objective, cv=2)
            model.fit(X, Y).predict(X)
            model.set_params(labels_per_row=2).fit(X, Y).predict(X)
    marginals = np.random.default_rng(2).uniform(size=(5, 4))
    for values in (marginals, marginals[0], [0.9, 0.4, 0.3]):
        for method in ("quadratic", "cubic", "jansche", "exponential_sum"):
            inference.meuf(values, 2.0, method)
        inference.meuf_approx(values)
        inference.lewis_threshold(values)
    joint = inference.independent_joint(marginals[0])
    inference.gfm(*joint)
    inference.gfm_threshold(*joint)
    inference.expected_f(*joint, np.ones(4, dtype=int))
    inference.gfm_from_samples(Y)
    inference.gfm_threshold_from_samples(Y)


def _classes(X):
    labels = np.digitize(X[:, 0] + X[:, 1], [-0.5, 0.5])
    scores = LogisticRegression().fit(X, labels).predict_proba(X)
    costs = np.array([[0, 1, 2], [1, 0, 1], [2, 1, 0]])
    reweighters = [
        getattr(reweighting, name)
        for name in reweighting.__all__
        if name.endswith("Reweighter") and name not in ("Reweighter", "WeightReweighter")
    ]
    for make in reweighters:
        for cost_matrix in (None, costs, costs.astype(float)):
            make().fit(scores, labels, cost_matrix).predict(scores)
    for scoring in ("f1_macro", "balanced_accuracy"):
        reweighting.CoordinateDescentReweighter(scoring=scoring).fit(scores, labels)
    base = LogisticRegression()
    for classes, cost_matrix in ((labels // 2, None), (labels, None), (labels, costs)):
        model = ba.ReweightedClassifier(base, cost_matrix=cost_matrix, cv=2)
        model.fit(X, classes).predict(X)


def compiled_functions() -> Iterator[Any]:
    """Numba's functions in the modules of the package, each once."""
    modules = [module for name, module in sys.modules.items() if name.split(".")[0] == ba.__name__]
    members = (member for module in modules for member in list(vars(module).values()))
    functions = (member for member in members if hasattr(member, "py_func"))
    yield from {id(function): function for function in functions}.values()


def main(measure: str, storage: str) -> None:
    """Fit once; print the CPU seconds of the process, and how many functions were compiled."""
    X, y = examples()
    ba.MultivariateSVC(measure).fit(STORAGES[storage](X), y)
    compiled = sum(sum(each.stats.cache_misses.values()) for each in compiled_functions())
    print(f"{time.process_time():.2f} {compiled}")


if __name__ == "__main__":
    main(*sys.argv[1:])
