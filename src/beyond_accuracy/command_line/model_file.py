"""Linear models as JSON."""

import json
import sys
from dataclasses import asdict, dataclass, fields
from importlib.metadata import version

import numpy as np

from beyond_accuracy.command_line.errors import FileError
from beyond_accuracy.command_line.whole_file import write_whole_file

FORMAT = "beyond-accuracy linear model"
FORMAT_VERSION = 1
_MOST_FEATURES = 2**31 - 1
# Below this share of coefficients that are not 0 a list of indices and values is shorter.
_SPARSE_BELOW = 0.5


@dataclass(frozen=True, eq=False)
class Model:
    """A trained classifier; decision value = coefficients·x + intercept, above 0 is positive.

    Attributes
    ----------
    measure : str
        What was optimized.
    C, tol : float
    at_most_k, fit_intercept : bool
        As in `MultivariateSVC`.
    classes : tuple of two float
        Labels in the training file, the positive one last.
    n_features : int
    coefficients : ndarray, shape (n_features,), float64
        In the file a list of numbers, or `{"indices": [...], "values": [...]}` with indices
        from 1, as in data files, where most are 0.
    intercept, objective, dual_gap : float
        The relative duality gap is (primal − dual) / primal.
    n_iter : int
    converged : bool
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
    """Write the model; the file is whole or not there."""
    content = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "written_by": f"beyond-accuracy {version('beyond-accuracy')}",
        **asdict(model),
        "coefficients": _encode(model.coefficients),
    }
    write_whole_file(path, [json.dumps(content, indent=1, allow_nan=False), "\n"])


def read_model(path: str) -> Model:
    """Read a model.

    Raises
    ------
    FileError
        If the file is no model, of another version, or any value in it is not what it must be.
    OSError
        If it cannot be read.
    """
    try:
        with open(path, encoding="utf-8") as stream:
            content = json.load(
                stream, parse_constant=_refuse_constant, object_pairs_hook=_without_repetition
            )
    except json.JSONDecodeError as error:
        raise FileError(path, error.lineno, f"not JSON: {error.msg}") from error
    except UnicodeDecodeError as error:
        raise FileError(path, None, "not a text file; expected a model in JSON") from error
    except (_Invalid, RecursionError) as error:
        raise FileError(path, None, str(error)) from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise FileError(path, None, f'not a model: expected JSON with "format": "{FORMAT}"')
    if content.get("format_version") != FORMAT_VERSION:
        raise FileError(
            path,
            None,
            f"format_version is {content.get('format_version')!r}, this program reads "
            f"{FORMAT_VERSION}; train again, or use the version in written_by",
        )
    try:
        return _decode(content)
    except _Invalid as error:
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


def _decode(content):
    known = {field.name for field in fields(Model)}
    header = {"format", "format_version", "written_by"}
    if missing := sorted(known - content.keys()):
        raise _Invalid(f"lacks {', '.join(missing)}")
    if unknown := sorted(content.keys() - known - header):
        raise _Invalid(f"found unknown {', '.join(unknown)}")
    n_features = _whole(content, "n_features", 0, _MOST_FEATURES)
    classes = _numbers(content["classes"], "classes")
    if len(classes) != 2 or not classes[0] < classes[1]:
        raise _Invalid(f"classes: found {content['classes']!r}, expected two rising labels")
    if not isinstance(content["measure"], str):
        raise _Invalid(f"measure: found {content['measure']!r}, expected a name")
    return Model(
        measure=content["measure"],
        C=_number(content, "C", positive=True),
        tol=_number(content, "tol", positive=True),
        at_most_k=_truth(content, "at_most_k"),
        fit_intercept=_truth(content, "fit_intercept"),
        classes=(float(classes[0]), float(classes[1])),
        n_features=n_features,
        intercept=_number(content, "intercept"),
        objective=_number(content, "objective"),
        dual_gap=_number(content, "dual_gap"),
        n_iter=_whole(content, "n_iter", 0, None),
        converged=_truth(content, "converged"),
        coefficients=_decode_coefficients(content["coefficients"], n_features),
    )


def _decode_coefficients(found, n_features):
    if isinstance(found, list):
        values = _numbers(found, "coefficients")
        if len(values) != n_features:
            raise _Invalid(f"coefficients: found {len(values)}, n_features says {n_features}")
        return values
    if not isinstance(found, dict) or found.keys() != {"indices", "values"}:
        raise _Invalid("coefficients: expected a list, or an object of indices and values")
    values = _numbers(found["values"], "coefficients.values")
    indices = found["indices"]
    if not isinstance(indices, list) or not all(type(index) is int for index in indices):
        raise _Invalid("coefficients.indices: expected a list of whole numbers")
    if len(indices) != len(values):
        raise _Invalid(f"coefficients: found {len(indices)} indices and {len(values)} values")
    if any(not 1 <= index <= n_features for index in indices) or any(
        left >= right for left, right in zip(indices, indices[1:], strict=False)
    ):
        raise _Invalid(f"coefficients.indices: expected rising numbers from 1 to {n_features}")
    coefficients = np.zeros(n_features)
    coefficients[np.array(indices, dtype=np.int64) - 1] = values
    return coefficients


def _is_number(value):
    # A bool is an int to Python but not to JSON, and a whole number may exceed every float.
    return type(value) in (int, float) and abs(value) <= sys.float_info.max


def _numbers(found, name):
    if not isinstance(found, list) or not all(map(_is_number, found)):
        raise _Invalid(f"{name}: expected a list of finite numbers")
    return np.array(found, dtype=np.float64)


def _number(content, name, positive=False):
    value = content[name]
    if not _is_number(value) or (positive and value <= 0):
        kind = "a number above 0" if positive else "a finite number"
        raise _Invalid(f"{name}: found {value!r}, expected {kind}")
    return float(value)


def _whole(content, name, least, most):
    value = content[name]
    if type(value) is not int or value < least or (most is not None and value > most):
        limits = f"from {least}" + (f" to {most}" if most is not None else "")
        raise _Invalid(f"{name}: found {value!r}, expected a whole number {limits}")
    return value


def _truth(content, name):
    if not isinstance(content[name], bool):
        raise _Invalid(f"{name}: found {content[name]!r}, expected true or false")
    return content[name]
