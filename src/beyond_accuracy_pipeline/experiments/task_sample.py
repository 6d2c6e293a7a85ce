"""Sample rows and tasks of a data set, so that a comparison over many data sets is affordable."""

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
    """Return a stratified sample of a data set's rows, and some of its binary tasks.

    Parameters
    ----------
    data : PreparedDataSet
        If there is no test part, a third of the rows is drawn as test part first.
    settings : mapping
        - `train`, `test`: largest number of rows of each part.
        - `tasks`: largest number of classes or labels. See `spread` for the choice, which does not
          depend on the seed.
        - `positives`: a class needs at least this expected number of training rows.
    seed : int

    Returns
    -------
    data : PreparedDataSet
        Dense features are standardized by the training part, unless the catalogue entry defines
        preprocessing.
    tasks : list of BinaryTask
        Tasks of `data`, in their order.
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
    """Return at most `n` names with a frequency of at least `least`, from rare to frequent.

    The names have even ranks from the rarest name on. The most frequent name is left out, unless it
    is the only one. If no name is frequent enough, the most frequent name is returned.
    """
    least = min(least, max(frequencies.values(), default=least))
    known = [name for name, frequency in frequencies.items() if frequency >= least]
    known.sort(key=lambda name: frequencies[name])
    ranks = np.linspace(0, max(len(known) - 1, 0), n, endpoint=False).astype(int)
    return list(dict.fromkeys(known[rank] for rank in ranks))


def stratified_rows(y, n: int, rng: np.random.Generator) -> np.ndarray:
    """Return sorted indices of about `n` rows, in proportion to the classes, at least one each.

    If y is a label matrix, exactly `n` rows are drawn without stratification.
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
