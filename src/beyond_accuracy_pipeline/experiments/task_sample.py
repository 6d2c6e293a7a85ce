"""Sample rows and tasks of a data set, so that a comparison over many data sets is affordable."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import scipy.sparse
from sklearn.preprocessing import StandardScaler

from beyond_accuracy_pipeline.datasets.prepared import PreparedDataSet
from beyond_accuracy_pipeline.experiments.tasks import BinaryTask, binary_tasks, dense


def sample_tasks(
    data: PreparedDataSet, settings: Mapping[str, int], seed: int
) -> tuple[PreparedDataSet, list[BinaryTask]]:
    """Return a sample of a data set's rows, and some of its binary tasks on them.

    `settings` is a `configuration.binary.TaskSample`. Without a test part, a third of the rows is
    drawn first. Dense features are standardized by the training part, unless the catalogue entry
    defines preprocessing. The choice of tasks does not depend on the seed.
    """
    rng = np.random.default_rng(seed)
    if data.y_test is None:
        test = draw_rows(data.y_train, len(data.y_train) // 3, rng)
        rest = np.setdiff1d(np.arange(len(data.y_train)), test)
        data = replace(
            data,
            X_train=data.X_train[rest],
            y_train=data.y_train[rest],
            X_test=data.X_train[test],
            y_test=data.y_train[test],
        )
    share = min(1.0, settings["train"] / len(dense(data.y_train)))
    expected = {task.name: share * task.train.sum() for task in binary_tasks(data)}
    names = evenly_ranked(expected, settings["tasks"], settings["positives"])
    train = draw_rows(data.y_train, settings["train"], rng)
    test = draw_rows(data.y_test, settings["test"], rng)
    X_train, X_test = data.X_train[train], data.X_test[test]
    if not scipy.sparse.issparse(X_train) and data.preprocess is None:
        scaler = StandardScaler().fit(X_train)
        X_train, X_test = scaler.transform(X_train), scaler.transform(X_test)
    data = replace(
        data, X_train=X_train, X_test=X_test, y_train=data.y_train[train], y_test=data.y_test[test]
    )
    return data, [task for task in binary_tasks(data) if task.name in names]


def evenly_ranked(
    frequencies: Mapping[str, float], n_names: int, min_frequency: float
) -> list[str]:
    """Choose at most `n_names` names that are evenly spaced from the rarest to the most frequent.

    Names below `min_frequency` are left out, unless no name is frequent enough. The most frequent
    name is chosen only if it is the only one.
    """
    min_frequency = min(min_frequency, max(frequencies.values(), default=min_frequency))
    known = [name for name, frequency in frequencies.items() if frequency >= min_frequency]
    known.sort(key=lambda name: frequencies[name])
    ranks = np.linspace(0, max(len(known) - 1, 0), n_names, endpoint=False).astype(int)
    return list(dict.fromkeys(known[rank] for rank in ranks))


def draw_rows(y, n_rows: int, rng: np.random.Generator) -> np.ndarray:
    """Return sorted indices of about `n_rows` rows in proportion to the classes, one at least.

    If y is a label matrix, exactly `n_rows` rows are drawn without stratification.
    """
    if n_rows >= y.shape[0]:
        return np.arange(y.shape[0])
    if y.ndim == 2:
        return np.sort(rng.permutation(y.shape[0])[:n_rows])
    parts = []
    for code in np.unique(y):
        members = np.flatnonzero(y == code)
        parts.append(rng.permutation(members)[: max(round(n_rows * len(members) / len(y)), 1)])
    return np.sort(np.concatenate(parts))
