"""A sample of a data set and of its tasks: what a comparison over many data sets can afford."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import scipy.sparse
from sklearn.preprocessing import StandardScaler

from beyond_accuracy_pipeline.datasets.prepared import PreparedDataSet
from beyond_accuracy_pipeline.experiments.tasks import BinaryTask, binary_tasks, dense


def sampled_tasks(
    data: PreparedDataSet, settings: Mapping[str, int], seed: int
) -> tuple[PreparedDataSet, list[BinaryTask]]:
    """Return rows of a data set, drawn in proportion to its classes, and some of its binary tasks.

    Parameters
    ----------
    data : PreparedDataSet
        Without a test part, one of a third of its rows is drawn first.
    settings : mapping
        `train` and `test`: how many rows each part has at most; `tasks`: how many classes or labels
        are taken at most, out of those of which `positives` training rows are to be expected. These
        are the rarest one and those at even ranks between it and the most frequent one, so that
        they do not depend on the seed.
    seed : int

    Returns
    -------
    data : PreparedDataSet
        Dense features have mean 0 and standard deviation 1 in its training part, unless its
        catalogue entry says what is done to its columns.
    tasks : list of BinaryTask
        Those of `data`, in its order.
    """
    rng = np.random.default_rng(seed)
    if data.y_test is None:
        test = stratified_rows(data.y_train, len(data.y_train) // 3, rng)
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
    names = spread(expected, settings["tasks"], settings["positives"])
    train = stratified_rows(data.y_train, settings["train"], rng)
    test = stratified_rows(data.y_test, settings["test"], rng)
    X_train, X_test = data.X_train[train], data.X_test[test]
    if not scipy.sparse.issparse(X_train) and data.preprocess is None:
        scaler = StandardScaler().fit(X_train)
        X_train, X_test = scaler.transform(X_train), scaler.transform(X_test)
    data = replace(
        data, X_train=X_train, X_test=X_test, y_train=data.y_train[train], y_test=data.y_test[test]
    )
    return data, [task for task in binary_tasks(data) if task.name in names]


def spread(frequencies: Mapping[str, float], n: int, least: float) -> list[str]:
    """Return at most `n` names of a frequency of at least `least`, from rare to frequent.

    The rarest of them, and those at even ranks between it and the most frequent one, which itself
    is left out unless there is no other; the most frequent one if none is frequent enough.
    """
    least = min(least, max(frequencies.values(), default=least))
    known = [name for name, frequency in frequencies.items() if frequency >= least]
    known.sort(key=lambda name: frequencies[name])
    ranks = np.linspace(0, max(len(known) - 1, 0), n, endpoint=False).astype(int)
    return list(dict.fromkeys(known[rank] for rank in ranks))


def stratified_rows(y, n: int, rng: np.random.Generator) -> np.ndarray:
    """Indices, in order, of about `n` rows: of each class its share, and at least one.

    Of labels that are no classes, a matrix, it is `n` rows whatever they have.
    """
    if n >= y.shape[0]:
        return np.arange(y.shape[0])
    if y.ndim == 2:
        return np.sort(rng.permutation(y.shape[0])[:n])
    parts = []
    for code in np.unique(y):
        members = np.flatnonzero(y == code)
        parts.append(rng.permutation(members)[: max(round(n * len(members) / len(y)), 1)])
    return np.sort(np.concatenate(parts))
