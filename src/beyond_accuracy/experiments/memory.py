"""Results of functions, kept for as long as an experiment runs."""

import hashlib
import weakref

import numpy as np
import scipy.sparse


class ResultMemory:
    """In memory what joblib.Memory is on disk: `cache(function)` computes each result once.

    Arrays and sparse matrices are told apart by their content, lists by their elements, anything
    else by equality; of estimators that is identity.
    """

    def __init__(self):
        self._results = {}
        self._digests: dict[int, tuple[weakref.ref, bytes]] = {}

    def cache(self, function):
        """The function, called once for equal positional arguments."""

        def remembered(*arguments):
            key = function, tuple(map(self._key, arguments))
            if key not in self._results:
                self._results[key] = function(*arguments)
            return self._results[key]

        return remembered

    def _key(self, argument):
        if isinstance(argument, list):
            return tuple(map(self._key, argument))
        if not isinstance(argument, np.ndarray) and not scipy.sparse.issparse(argument):
            return argument
        # The digest of an object is taken once: those of large data take milliseconds.
        reference, digest = self._digests.get(id(argument), (None, b""))
        if reference is None or reference() is not argument:
            digest = _content_digest(argument)
            self._digests[id(argument)] = weakref.ref(argument), digest
        return digest


def _content_digest(array) -> bytes:
    sparse = scipy.sparse.issparse(array)
    digest = hashlib.blake2b(f"{array.shape} {array.dtype}".encode(), digest_size=16)
    for part in (array.data, array.indices, array.indptr) if sparse else (array,):
        digest.update(np.ascontiguousarray(part).data)
    return digest.digest()
