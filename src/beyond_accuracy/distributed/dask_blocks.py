"""Divide Dask collections into blocks of rows with their classes."""

from typing import NamedTuple

import numpy as np
import scipy.sparse

from beyond_accuracy.estimators.validation import encode_binary_labels
from beyond_accuracy.solvers.data_matrix import DataMatrix, all_finite, check_structure


class Blocks(NamedTuple):
    """Training data divided into blocks of rows, which are Dask futures of `DataMatrix` objects.

    `classes` are the two labels, the positive one last. `feature_names` are the columns of a data
    frame, or None.
    """

    blocks: list
    classes: np.ndarray
    n_samples: int
    n_positives: int
    n_features: int
    feature_names: np.ndarray | None


def is_dask(X) -> bool:
    """Return whether X is a Dask collection, without importing Dask."""
    return hasattr(X, "__dask_graph__") and hasattr(X, "to_delayed")


def _labels(y):
    try:
        return np.unique(np.asarray(y))
    except TypeError as error:
        raise ValueError(
            "y holds values without an order, such as missing ones beside text; drop their rows"
        ) from error


def _matrix(X):
    """Return a block of X as float64, or float32 if it is float32; missing values become NaN."""
    if hasattr(X, "to_numpy"):
        X = X.to_numpy(na_value=np.nan)
    elif not scipy.sparse.issparse(X):
        X = np.asarray(X)
    if X.dtype.kind not in "biufO":
        raise ValueError(
            f"X must hold real numbers, found the type {X.dtype}; complex numbers and text cannot "
            "be compared with a hyperplane"
        )
    if X.dtype == np.float32:
        return X
    try:
        return X.astype(np.float64, copy=False)
    except (TypeError, ValueError) as error:
        raise ValueError(f"X must hold numbers, none of them missing: {error}") from error


def _block(X, y, positive_class):
    X, y = _matrix(X), np.asarray(y)
    if X.ndim != 2 or y.shape not in ((X.shape[0],), (X.shape[0], 1)):
        raise ValueError(
            f"a block of X has the shape {X.shape}, that of y {y.shape}; they must be (n, d) and "
            "(n,)"
        )
    y = y.reshape(-1)
    return DataMatrix(X, y == positive_class, n_threads=1)  # Dask starts the threads.


def _describe(block):
    return block.n_samples, block.n_positives, block.n_features, all_finite(block.arrays[0])


def blocks_of(client, X, y) -> Blocks:
    """Divide X and y into blocks of rows, which are computed and stay on the Dask workers.

    `client` is a Dask client. See `MultivariateSVC.fit` for X, y and the errors.
    """
    import dask

    if not is_dask(X):
        raise TypeError(
            f"X must be a Dask array or data frame, found {type(X).__name__}; for data in memory "
            "use beyond_accuracy.MultivariateSVC"
        )
    if X.ndim != 2:
        raise ValueError(f"X must have two dimensions, (n, d), found {X.ndim}")
    names = np.asarray(X.columns, dtype=object) if hasattr(X, "columns") else None
    if names is None and len(X.chunks[1]) > 1:
        X = X.rechunk({1: -1})
    parts_of_X = list(X.to_delayed()) if names is not None else list(X.to_delayed().ravel())
    parts_of_y = _parts_like(X, y, parts_of_X)
    labels = client.gather(client.compute([dask.delayed(_labels)(part) for part in parts_of_y]))
    labels = np.unique(np.concatenate(labels))
    if len(labels) == 0:
        raise ValueError("found 0 samples; at least one of each of two classes is needed")
    classes, _ = encode_binary_labels(labels)
    block = dask.delayed(_block, pure=False)
    blocks = client.compute(
        [block(x, part, classes[1]) for x, part in zip(parts_of_X, parts_of_y, strict=True)]
    )
    described = client.gather(client.map(_describe, blocks, pure=False))
    n_samples, n_positives, n_features, finite = zip(*described, strict=True)
    if not all(finite):
        raise ValueError("X holds NaN or infinity; impute or drop these values")
    filled = [i for i, n in enumerate(n_samples) if n]
    widths = sorted({n_features[i] for i in filled})
    if len(widths) > 1:
        raise ValueError(
            f"the blocks of X must have as many columns each, found {', '.join(map(str, widths))}"
        )
    return Blocks(
        [blocks[i] for i in filled], classes, sum(n_samples), sum(n_positives), widths[0], names
    )


def _parts_like(X, y, parts_of_X):
    """Return y as delayed parts, one per block of X; workers check their lengths later."""
    import dask.array as da

    if is_dask(y):
        if hasattr(y, "npartitions") and not hasattr(y, "chunks"):
            parts = y.to_delayed()
        else:
            known = hasattr(X, "chunks") and not np.isnan(sum(X.chunks[0]) + sum(y.chunks[0]))
            if known and y.shape[0] == X.shape[0]:
                y = y.rechunk({0: X.chunks[0]})
            parts = y.to_delayed().ravel()
    else:
        y = np.asarray(y)
        if not hasattr(X, "chunks"):
            X = X.to_dask_array(lengths=True)
        elif np.isnan(sum(X.chunks[0])):
            X = X.copy().compute_chunk_sizes()
        if y.shape != (X.shape[0],):
            raise ValueError(f"y must have the shape ({X.shape[0]},), found {y.shape}")
        parts = da.from_array(y, chunks=(X.chunks[0],)).to_delayed().ravel()
    if len(parts) != len(parts_of_X):
        raise ValueError(
            f"X has {len(parts_of_X)} blocks of rows and y has {len(parts)}, of lengths that are "
            "unknown or do not fit; repartition one of them like the other"
        )
    return list(parts)


def linear_decisions(X, coef, intercept):
    """Return X·coef + intercept as a Dask array, for a Dask array or DataFrame X."""
    if hasattr(X, "columns"):
        X = X.to_dask_array()
    elif len(X.chunks[1]) > 1:
        X = X.rechunk({1: -1})
    return X.map_blocks(_decisions, coef, intercept, dtype=np.float64, drop_axis=1)


def _decisions(X, coef, intercept):
    X = _matrix(X)
    check_structure(X)
    decisions = np.asarray(X @ coef).ravel() + intercept
    if not np.isfinite(decisions).all():
        if not all_finite(X):
            raise ValueError("X holds NaN or infinity")
        raise ValueError("decision values exceed the range of float64; scale the features")
    return decisions


def labels_of(decisions, classes):
    """Return the label classes[1] for each decision value above 0, and classes[0] otherwise."""
    return classes[(decisions > 0).astype(int)]
