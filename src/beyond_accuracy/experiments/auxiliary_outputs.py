"""Auxiliary classifiers fitted once to each training part, whatever is made of their outputs."""

import hashlib
import logging
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from beyond_accuracy.estimators.auxiliaries import auxiliary_outputs

logger = logging.getLogger(__name__)

_CLASSES = np.array([0, 1])


@dataclass(frozen=True)
class TrainedAuxiliaries:
    """Auxiliaries fitted to one training part.

    Attributes
    ----------
    models : list of classifiers
        Those that predict both classes on the part.
    outputs : ndarray, shape (n, m)
        ±1 on the part.
    left_out : tuple of str
        Names of those that predict one class only, which tells nothing.
    """

    models: list[Any]
    outputs: np.ndarray
    left_out: tuple[str, ...]


class AuxiliaryOutputs:
    """Outputs ±1 of auxiliary classifiers, which are fitted once to every training part.

    Parameters
    ----------
    auxiliaries : mapping of name to unfitted classifier
    cross_fit : int or None, default None
        Number of stratified folds from whose complements the outputs on the training part come;
        None takes the outputs of the classifiers that were fitted to the part itself.
    random_state : int, default 0
        Of these folds.
    """

    def __init__(self, auxiliaries: Mapping[str, Any], cross_fit=None, random_state=0):
        self._auxiliaries = dict(auxiliaries)
        self._splitter = None
        if cross_fit is not None:
            self._splitter = StratifiedKFold(cross_fit, shuffle=True, random_state=random_state)
        self._trained: dict[tuple[bytes, bytes], TrainedAuxiliaries] = {}
        self._predicted: dict[tuple[bytes, bytes, bytes], np.ndarray] = {}
        self._digests: dict[int, tuple[weakref.ref, bytes]] = {}

    def train(self, X, positive) -> TrainedAuxiliaries:
        """The auxiliaries for a training part X, shape (n, d), with labels of type bool."""
        key = self._digest(X), self._digest(positive)
        if key not in self._trained:
            self._trained[key] = self._fit(X, positive.astype(int))
        return self._trained[key]

    def predict(self, X, positive, X_new) -> np.ndarray:
        """Outputs ±1 on other rows, shape (n_new, m), of the auxiliaries for a training part."""
        key = self._digest(X), self._digest(positive), self._digest(X_new)
        if key not in self._predicted:
            models = self.train(X, positive).models
            self._predicted[key] = auxiliary_outputs(models, X_new, _CLASSES)
        return self._predicted[key]

    def _fit(self, X, y) -> TrainedAuxiliaries:
        models = [clone(auxiliary).fit(X, y) for auxiliary in self._auxiliaries.values()]
        outputs = auxiliary_outputs(models, X, _CLASSES)
        if self._splitter is not None:
            for place, auxiliary in enumerate(self._auxiliaries.values()):
                predicted = cross_val_predict(clone(auxiliary), X, y, cv=self._splitter)
                outputs[:, place] = np.where(predicted == 1, 1.0, -1.0)
        constant = (outputs == outputs[0]).all(axis=0)
        left_out = tuple(name for name, out in zip(self._auxiliaries, constant, strict=True) if out)
        if left_out:
            logger.warning("predicts one class only, and was left out: %s", ", ".join(left_out))
        kept = [model for model, out in zip(models, constant, strict=True) if not out]
        return TrainedAuxiliaries(kept, outputs[:, ~constant], left_out)

    def _digest(self, array) -> bytes:
        """Digest of the content, which is taken once of every object."""
        reference, digest = self._digests.get(id(array), (None, b""))
        if reference is None or reference() is not array:
            digest = _content_digest(array)
            self._digests[id(array)] = weakref.ref(array), digest
        return digest


def _content_digest(array) -> bytes:
    sparse = scipy.sparse.issparse(array)
    found = hashlib.blake2b(str(array.shape).encode(), digest_size=16)
    for part in (array.data, array.indices, array.indptr) if sparse else (array,):
        found.update(np.ascontiguousarray(part).data)
    return found.digest()
