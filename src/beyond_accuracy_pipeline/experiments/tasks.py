"""Binary tasks of a data set (one per class or label), and how their rows are split and drawn."""

from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit
from sklearn.preprocessing import StandardScaler

from beyond_accuracy_pipeline.datasets.prepared import PreparedDataSet


@dataclass(frozen=True)
class BinaryTask:
    """Binary task, one class or label against the rest, on the rows of one data set.

    `train` and `test` are boolean masks of the positive rows in the training and test part.
    """

    name: str
    train: np.ndarray
    test: np.ndarray

    def problem(self) -> str | None:
        """Return why the task cannot be learned or tested, or None.

        The training part and the test part each need a positive and a negative example.
        """
        for part, members in (("training", self.train), ("test", self.test)):
            if not members.any():
                return f"class {self.name!r} has no positive example in the {part} part"
            if members.all():
                return f"class {self.name!r} has no negative example in the {part} part"
        return None


def binary_tasks(data: PreparedDataSet) -> list[BinaryTask]:
    """Return the tasks of a data set, each class or label against the rest; one if it is binary."""
    if data.task == "binary":
        return [BinaryTask(data.class_names[1], data.y_train > 0, data.y_test > 0)]
    if data.task == "multiclass":
        return [
            BinaryTask(name, data.y_train == code, data.y_test == code)
            for code, name in enumerate(data.class_names)
        ]
    train, test = dense(data.y_train), dense(data.y_test)
    return [
        BinaryTask(name, train[:, label] > 0, test[:, label] > 0)
        for label, name in enumerate(data.class_names)
    ]


def dense(matrix) -> np.ndarray:
    """Return a sparse matrix as a dense array. Dense arrays are returned unchanged."""
    return matrix.toarray() if scipy.sparse.issparse(matrix) else np.asarray(matrix)


def describe_nonfinite(data: PreparedDataSet) -> str | None:
    """Return a message about the first missing or infinite feature value of a data set, or None."""
    for part, X in (("training", data.X_train), ("test", data.X_test)):
        if scipy.sparse.issparse(X):
            cells = X.tocoo()
            damaged = ~np.isfinite(cells.data)
            rows, columns = cells.row[damaged], cells.col[damaged]
        else:
            rows, columns = np.nonzero(~np.isfinite(X))
        if len(rows):
            first = np.lexsort((columns, rows))[0]
            return (
                f"{data.name}: feature {columns[first]} of {part} row {rows[first]} (counted from "
                "0) is missing or infinite; linear classifiers need finite features: impute them "
                "in the catalogue"
            )
    return None


def first_of_each_class(positive) -> np.ndarray:
    """Return sorted row indices of the first 50 positives and the first 50 negatives."""
    members = [np.flatnonzero(mask)[:50] for mask in (positive, ~positive)]
    return np.sort(np.concatenate(members))


def stratified_sample(positive, n_rows: int) -> np.ndarray:
    """Return sorted indices of `n_rows` examples, stratified by class.

    The sample is the same in every call. Up to rounding, a larger sample contains a smaller one.
    """
    return draw_rows(~positive, n_rows, np.random.default_rng(0))


def split_holdout(positive, validation_fraction, seed):
    """Split the rows of a binary task into two stratified parts, for fitting and for validation.

    `positive` is a boolean mask. Return a list with one pair of arrays of row indices, or None if a
    part would lack positives or negatives.
    """
    members = int(positive.sum())
    if min(members, len(positive) - members) < 2:
        return None
    splitter = StratifiedShuffleSplit(n_splits=1, test_size=validation_fraction, random_state=seed)
    fit, validation = map(np.sort, next(splitter.split(np.zeros(len(positive)), positive)))
    both = all(positive[part].any() and not positive[part].all() for part in (fit, validation))
    return [(fit, validation)] if both else None


def split_folds(positive, n_folds, seed):
    """Return one pair (row indices for fitting, row indices for validation) per stratified fold.

    `positive` is a boolean mask. If a class has fewer rows than there are folds, return None.
    """
    members = int(positive.sum())
    if min(members, len(positive) - members) < n_folds:
        return None
    splitter = StratifiedKFold(n_folds, shuffle=True, random_state=seed)
    return list(splitter.split(np.zeros(len(positive)), positive))


def sample_tasks(data: PreparedDataSet, settings, seed: int):
    """Draw a sample of a data set's rows, and choose some of its binary tasks.

    `settings` has the keys of `configuration.binary.TaskSample`. Without a test part, a third of
    the rows becomes the test part first. Dense features are standardized, unless the data set has
    its own preprocessing. Return (sample, tasks): a `PreparedDataSet`, and a list of `BinaryTask`,
    each one class or label against the rest.
    """
    rng = np.random.default_rng(seed)
    if data.y_test is None:
        test = draw_rows(data.y_train, len(data.y_train) // 3, rng)
        rest = np.setdiff1d(np.arange(len(data.y_train)), test)
        X, y = data.X_train, data.y_train
        data = replace(data, X_train=X[rest], y_train=y[rest], X_test=X[test], y_test=y[test])
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


def evenly_ranked(frequencies, n_names: int, min_frequency: float) -> list[str]:
    """Choose at most `n_names` names at evenly spaced ranks of frequency, beginning at the rarest.

    `frequencies` maps names to frequencies. Names rarer than `min_frequency` and the most frequent
    name are left out. If no other name remains, the most frequent name is chosen.
    """
    min_frequency = min(min_frequency, max(frequencies.values(), default=min_frequency))
    frequent = [name for name, frequency in frequencies.items() if frequency >= min_frequency]
    frequent.sort(key=lambda name: frequencies[name])
    ranks = np.linspace(0, max(len(frequent) - 1, 0), n_names, endpoint=False).astype(int)
    return list(dict.fromkeys(frequent[rank] for rank in ranks))


def draw_rows(y, n_rows: int, rng: np.random.Generator) -> np.ndarray:
    """Draw rows at random; return about `n_rows` sorted indices, stratified by class.

    Each class in y keeps at least one row. If y is a label matrix, exactly `n_rows` rows are drawn,
    without stratification.
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
