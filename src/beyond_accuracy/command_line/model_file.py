"""Write and read linear models as JSON files."""

import json
import sys
from dataclasses import asdict, dataclass
from importlib.metadata import version
from itertools import pairwise

import numpy as np

from beyond_accuracy.command_line.whole_file import write_whole_file
from beyond_accuracy.readers.errors import FileError

FORMAT = "beyond-accuracy linear model"
FORMAT_VERSION = 1
_MOST_FEATURES = 2**31 - 1
# Below this share of nonzero coefficients, a list of indices and values is shorter.
_SPARSE_BELOW = 0.5


@dataclass(frozen=True, eq=False)
class Model:
    """Linear classifier that predicts the positive class if coefficients·x + intercept > 0.

    Attributes
    ----------
    measure : str
        Name of the measure that was optimized.
    C, tol : float
    at_most_k, fit_intercept : bool
        Parameters of `MultivariateSVC` in training.
    classes : tuple of two float
        Labels in the training file, the positive one last.
    n_features : int
    coefficients : ndarray, shape (n_features,), float64
        The file has a list of numbers. If most are 0, it has `{"indices": [...], "values": [...]}`
        instead, with indices from 1 as in data files.
    intercept : float
    objective, dual_gap : float
        Primal objective, and relative duality gap (primal − dual) / primal, at the end of training.
    n_iter : int
        Number of iterations in training.
    converged : bool
        Whether the duality gap reached `tol`.
    """

    measure: str
    C: float
    tol: float
    at_most_k: bool
    fit_intercept: bool
    classes: tuple[float, float]
    n_features: int
    intercept: float
    objective: float
    dual_gap: float
    n_iter: int
    converged: bool
    coefficients: np.ndarray


def write_model(path: str, model: Model) -> None:
    """Write the model as JSON. An interrupted write leaves no partial file."""
    content = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "written_by": f"beyond-accuracy {version('beyond-accuracy')}",
        **asdict(model),
        "coefficients": _encode(model.coefficients),
    }
    write_whole_file(path, [json.dumps(content, indent=1, allow_nan=False), "\n"])


def read_model(path: str) -> Model:
    """Read a model from a JSON file.

    Raises
    ------
    FileError
        If the file is not a model, has another format version or an invalid value, or if its
        coefficients do not fit into memory.
    OSError
        If the file cannot be read.
    """
    try:
        with open(path, encoding="utf-8") as stream:
            content = json.load(
                stream, parse_constant=_refuse_constant, object_pairs_hook=_without_repetition
            )
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise _Invalid(f'not a model: expected JSON with "format": "{FORMAT}"')
        if content.get("format_version") != FORMAT_VERSION:
            raise _Invalid(
                f"format_version is {content.get('format_version')!r}, this program reads "
                f"{FORMAT_VERSION}; train again, or use the version in written_by"
            )
        return _decode(content)
    except json.JSONDecodeError as error:
        raise FileError(path, error.lineno, f"not JSON: {error.msg}") from error
    except UnicodeDecodeError as error:
        raise FileError(path, None, "not a text file; expected a model in JSON") from error
    except MemoryError as error:
        # `n_features` can be in the billions in a file of a few bytes.
        raise FileError(path, None, "the model does not fit into memory") from error
    except (_Invalid, RecursionError, ValueError) as error:
        # Python raises ValueError for whole numbers with thousands of digits.
        raise FileError(path, None, str(error)) from error


class _Invalid(Exception):
    pass


def _refuse_constant(text):
    raise _Invalid(f"found {text}, expected finite numbers")


def _without_repetition(pairs):
    content = dict(pairs)
    if len(content) < len(pairs):
        raise _Invalid("a key occurs twice")
    return content


def _encode(coefficients):
    used = np.flatnonzero(coefficients)
    if len(used) < _SPARSE_BELOW * len(coefficients):
        return {"indices": (used + 1).tolist(), "values": coefficients[used].tolist()}
    return coefficients.tolist()


def _is_number(value):
    # Python counts a bool as an int, JSON does not. A whole number in JSON can exceed float64.
    return type(value) in (int, float) and abs(value) <= sys.float_info.max


def _is_positive(value):
    return _is_number(value) and value > 0


def _is_rising_pair(value):
    rising = isinstance(value, list) and len(value) == 2 and all(map(_is_number, value))
    return rising and value[0] < value[1]


_NUMBER = _is_number, "a finite number", float
_POSITIVE = _is_positive, "a number above 0", float
_TRUTH = lambda value: isinstance(value, bool), "true or false", bool
_DECODED = {
    "measure": (lambda value: isinstance(value, str), "a name", str),
    "C": _POSITIVE,
    "tol": _POSITIVE,
    "at_most_k": _TRUTH,
    "fit_intercept": _TRUTH,
    "classes": (_is_rising_pair, "two rising labels", lambda pair: tuple(map(float, pair))),
    "n_features": (
        lambda value: type(value) is int and 0 <= value <= _MOST_FEATURES,
        f"a whole number from 0 to {_MOST_FEATURES}",
        int,
    ),
    "intercept": _NUMBER,
    "objective": _NUMBER,
    "dual_gap": _NUMBER,
    "n_iter": (lambda value: type(value) is int and value >= 0, "a whole number from 0", int),
    "converged": _TRUTH,
}
"""Validity check, description of valid values and type per field, except the coefficients."""


def _decode(content):
    names = {*_DECODED, "coefficients"}
    if missing := sorted(names - content.keys()):
        raise _Invalid(f"lacks {', '.join(missing)}")
    if unknown := sorted(content.keys() - names - {"format", "format_version", "written_by"}):
        raise _Invalid(f"found unknown {', '.join(unknown)}")
    values = {}
    for name, (is_valid, expected, kind) in _DECODED.items():
        if not is_valid(content[name]):
            raise _Invalid(f"{name}: found {content[name]!r}, expected {expected}")
        values[name] = kind(content[name])
    coefficients = _decode_coefficients(content["coefficients"], values["n_features"])
    return Model(**values, coefficients=coefficients)


def _decode_coefficients(content, n_features):
    if isinstance(content, list):
        values = _numbers(content, "coefficients")
        if len(values) != n_features:
            raise _Invalid(f"coefficients: found {len(values)}, n_features says {n_features}")
        return values
    if not isinstance(content, dict) or content.keys() != {"indices", "values"}:
        raise _Invalid("coefficients: expected a list, or an object of indices and values")
    values = _numbers(content["values"], "coefficients.values")
    indices = content["indices"]
    if not isinstance(indices, list) or not all(type(index) is int for index in indices):
        raise _Invalid("coefficients.indices: expected a list of whole numbers")
    if len(indices) != len(values):
        raise _Invalid(f"coefficients: found {len(indices)} indices and {len(values)} values")
    if any(left >= right for left, right in pairwise([0, *indices, n_features + 1])):
        raise _Invalid(f"coefficients.indices: expected rising numbers from 1 to {n_features}")
    coefficients = np.zeros(n_features)
    coefficients[np.array(indices, dtype=np.int64) - 1] = values
    return coefficients


def _numbers(values, name):
    if not isinstance(values, list) or not all(map(_is_number, values)):
        raise _Invalid(f"{name}: expected a list of finite numbers")
    return np.array(values, dtype=np.float64)
