"""Parameters of estimators, declared once: name, type and valid values, default.

@with_parameters
class Classifier(BaseEstimator):
    C: Positive | None = None
    _: KW_ONLY
    loss: Literal["hinge", "squared"] = "hinge"
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
)

import numpy as np
import numpy.typing
import scipy.sparse

from beyond_accuracy.measures.bounds import LARGEST_BETA
from beyond_accuracy.scikit_learn import HasMethods, Interval, StrOptions

Estimator = TypeVar("Estimator")


def between(
    left: float | None,
    right: float | None,
    closed: Literal["left", "right", "both", "neither"] = "neither",
    kind: type[Any] = Real,
) -> Interval:
    """What a number's type is annotated with to confine it; None is without bound."""
    return Interval(kind, left, right, closed=closed)


Positive = Annotated[float, between(0, None)]
# C where 1/C, n/C or their squares are computed, which overflow far below.
SMALLEST_C = 1e-100
InverseStrength = Annotated[float, between(SMALLEST_C, None, "left")]
Beta = Annotated[float, between(0, LARGEST_BETA, "right")]
NotNegative = Annotated[float, between(0, None, "left")]
NotNegativeCount = Annotated[int, between(0, None, "left", Integral)]
Count = Annotated[int, between(1, None, "left", Integral)]
AtLeastTwo = Annotated[int, between(2, None, "left", Integral)]
AtLeastThree = Annotated[int, between(3, None, "left", Integral)]
ArrayLike = Annotated[numpy.typing.ArrayLike, "array-like"]
# X of the methods: dense or sparse.
MatrixLike = numpy.typing.ArrayLike | scipy.sparse.sparray | scipy.sparse.spmatrix
RandomState = Annotated[int | np.random.RandomState | None, "random_state"]
CrossValidation = Annotated[Any, "cv_object"]
Jobs = Annotated[int | None, Integral, None]
ProbabilisticClassifier = Annotated[Any, HasMethods(["fit", "predict_proba"])]
ScoringClassifier = Annotated[
    Any, HasMethods(["fit", "predict_proba"]), HasMethods(["fit", "decision_function"])
]
Reweighter = Annotated[Any, HasMethods(["fit", "predict"])]


@dataclass_transform()
def with_parameters(estimator: type[Estimator]) -> type[Estimator]:
    """Make an estimator's `__init__`, and what `_validate_params` checks, of its annotations.

    They are inherited as a dataclass's are. Of types that are not listed here anything is valid.
    """
    estimator = dataclass(estimator, repr=False, eq=False)
    constraints = {parameter.name: _constraints(parameter.type) for parameter in fields(estimator)}
    # Signatures would show them, which says less than the docstring.
    estimator.__init__.__annotations__ = {}
    estimator._parameter_constraints = {name: each for name, each in constraints.items() if each}
    return estimator


def _constraints(kind) -> list:
    """What scikit-learn is to check of a type, which may be a union."""
    if get_origin(kind) in (Union, UnionType):
        parts = [_constraints(part) for part in get_args(kind)]
        return sum(parts, []) if all(parts) else []
    if get_origin(kind) is Literal:
        return [StrOptions(set(get_args(kind)))]
    if get_origin(kind) is Annotated:
        return list(kind.__metadata__)
    if Callable in (kind, get_origin(kind)):
        return [callable]
    return {bool: ["boolean"], NoneType: [None]}.get(kind, [])
