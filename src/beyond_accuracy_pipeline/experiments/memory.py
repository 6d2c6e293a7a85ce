"""Cache of function results in memory while a job runs, with the time that each result took."""

import hashlib
import time
import weakref

import numpy as np
import scipy.sparse
from sklearn.base import BaseEstimator
from sklearn.model_selection import BaseCrossValidator

from beyond_accuracy.estimators.auxiliaries import is_fitted


class ResultMemory:
    """Cache of function results in memory, similar to joblib.Memory on disk.

    Two caches share results if one is given as `shared` to the other. Arguments are equal if

    - arrays have the same content
    - unfitted estimators and splitters have the same class and parameters
    - fitted estimators are the same object
    - other values have the same type and are equal

    When a cached result is first used, the seconds of its computation are added to
    `saved_wall_seconds` and `saved_cpu_seconds`.
    """

    def __init__(self, shared: "ResultMemory | None" = None):
        self._results = {} if shared is None else shared._results
        self._digests: dict[int, tuple[weakref.ref, bytes]] = {}
        self._used = set()
        self.saved_wall_seconds = self.saved_cpu_seconds = 0.0

    def count_again(self):
        """Count the seconds of each cached result once more, at its next use.

        Call this method before a new timing that must include the computation of all results.
        """
        self._used.clear()

    def cache(self, function, ignore=()):
        """Return a version of `function` that computes each result only once.

        Results are looked up by positional arguments. Keyword arguments are ignored. As in
        joblib.Memory, `ignore` lists their names.
        """

        def remembered(*arguments, **ignored):
            key = function, self._key(arguments)
            if key not in self._results:
                wall, cpu = self.now()
                result = function(*arguments, **ignored)
                wall_end, cpu_end = self.now()
                self._results[key] = result, (wall_end - wall, cpu_end - cpu)
            elif key not in self._used:
                wall, cpu = self._results[key][1]
                self.saved_wall_seconds += wall
                self.saved_cpu_seconds += cpu
            self._used.add(key)
            return self._results[key][0]

        return remembered

    def now(self):
        """Return (wall-clock seconds, CPU seconds) plus the seconds saved by cached results."""
        wall = time.perf_counter() + self.saved_wall_seconds
        return wall, time.process_time() + self.saved_cpu_seconds

    def _key(self, argument):
        """Return a hashable key that is the same for equal arguments."""
        if isinstance(argument, list | tuple):
            return tuple(map(self._key, argument))
        if isinstance(argument, dict):
            return tuple((name, self._key(value)) for name, value in argument.items())
        if isinstance(argument, BaseCrossValidator):
            return type(argument), self._key(vars(argument))
        if isinstance(argument, BaseEstimator) and not is_fitted(argument):
            return type(argument), self._key(argument.get_params(deep=False))
        if not isinstance(argument, np.ndarray) and not scipy.sparse.issparse(argument):
            return type(argument), argument
        # The digest of an object is computed once, because large data take milliseconds.
        reference, digest = self._digests.get(id(argument), (None, b""))
        if reference is None or reference() is not argument:
            digest = _content_digest(argument)
            self._digests[id(argument)] = weakref.ref(argument), digest
        return digest


def _content_digest(array) -> bytes:
    """Return a digest of an array or sparse matrix: format, shape, dtype and values."""
    sparse = scipy.sparse.issparse(array)
    storage = array.format if sparse else "dense"
    digest = hashlib.blake2b(f"{storage} {array.shape} {array.dtype}".encode(), digest_size=16)
    for part in (array.data, array.indices, array.indptr) if sparse else (array,):
        digest.update(np.ascontiguousarray(part).data)
    return digest.digest()
