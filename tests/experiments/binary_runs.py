"""Generated binary data, and runs of the binary protocol on them."""

import numpy as np
from sklearn.datasets import make_classification

from beyond_accuracy_pipeline.datasets.prepared import PreparedDataSet
from beyond_accuracy_pipeline.experiments.binary import BinaryExperiment


def binary_data(n_rows, n_train, n_features=6, **options):
    """Return a data set "d" of scikit-learn's `make_classification`, with classes −1 and 1."""
    X, y = make_classification(n_rows, n_features, **options)
    y = np.where(y > 0, 1, -1).astype(np.int8)
    parts = X[:n_train], y[:n_train], X[n_train:], y[n_train:]
    record = {"status": "ok", "name": "d", "task": "binary"}
    return PreparedDataSet("d", "binary", *parts, ("no", "yes"), record=record)


def run_binary(data, method, paper, seed=1):
    """Return the result of a method, given the configurations of the method and of its paper."""
    given = {"method_configuration": method, "paper_configuration": paper}
    return BinaryExperiment(data, paper="p", **given, seed=seed).run()
