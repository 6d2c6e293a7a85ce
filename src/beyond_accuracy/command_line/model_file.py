"""Write and read linear models as JSON files."""

import json
import sys
from dataclasses import asdict, dataclass, fields
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

    `classes` are the labels in the training file, the positive one last. `objective` and the
    relative `dual_gap` are values at the end of training.
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
    coefficients = model.coefficients.tolist()
    used = np.flatnonzero(model.coefficients)
    if len(used) < _SPARSE_BELOW * len(coefficients):
        values = model.coefficients[used].tolist()
        coefficients = {"indices": (used + 1).tolist(), "values": values}
    content = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "written_by": f"beyond-accuracy {version('beyond-accuracy')}",
        **asdict(model),
        "coefficients": coefficients,
    }
    write_whole_file(path, [json.dumps(content, indent=1, allow_nan=False), "\n"])


def read_model(path: str) -> Model:
    """Read a model from a JSON file. Raises FileError if the content is not a valid model."""
    try:
        with open(path, encoding="utf-8") as stream:
            content = json.load(stream, object_pairs_hook=_without_repetition)
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise ValueError(f'not a model: expected JSON with "format": "{FORMAT}"')
        if content.get("format_version") != FORMAT_VERSION:
            raise ValueError(
                f"format_version is {content.get('format_version')!r}, this program reads "
                f"{FORMAT_VERSION}; train again, or use the version in written_by"
            )
        return _decode(content)
    except json.JSONDecodeError as error:
        raise FileError(path, error.lineno, f"not JSON: {error.msg}") from error
    except UnicodeDecodeError as error:
        raise FileError(path, None, "not a text file; expected a model in JSON") from error
    except (ValueError, RecursionError) as error:
        raise FileError(path, None, str(error)) from error


def _without_repetition(pairs):
    """Return the pairs as a dictionary, or raise ValueError if a key occurs twice."""
    content = dict(pairs)
    if len(content) < len(pairs):
        raise ValueError("a key occurs twice")
    return content


def _decode(content):
    """Return the model in the content of a file, after checks of all that predictions depend on."""
    names = [field.name for field in fields(Model)]
    if missing := sorted({*names} - content.keys()):
        raise ValueError(f"lacks {', '.join(missing)}")
    model = {name: content[name] for name in names}
    n_features = model["n_features"]
    if type(n_features) is not int or not 0 <= n_features <= _MOST_FEATURES:
        expected = f"a whole number from 0 to {_MOST_FEATURES}"
        raise ValueError(f"n_features: found {n_features!r}, expected {expected}")
    if not isinstance(model["measure"], str):
        raise ValueError(f"measure: found {model['measure']!r}, expected a name")
    classes = tuple(_numbers(model["classes"], "classes").tolist())
    if len(classes) != 2 or classes[0] >= classes[1]:
        raise ValueError(f"classes: found {model['classes']!r}, expected two rising labels")
    (intercept,) = _numbers([model["intercept"]], "intercept").tolist()
    coefficients = _decode_coefficients(model["coefficients"], n_features)
    return Model(
        **model | {"classes": classes, "intercept": intercept, "coefficients": coefficients}
    )


def _decode_coefficients(content, n_features):
    if not isinstance(content, dict):
        values = _numbers(content, "coefficients")
        if len(values) != n_features:
            raise ValueError(f"coefficients: found {len(values)}, n_features says {n_features}")
        return values
    values = _numbers(content.get("values"), "coefficients.values")
    indices = content.get("indices")
    if not isinstance(indices, list) or not all(type(index) is int for index in indices):
        raise ValueError("coefficients.indices: expected a list of whole numbers")
    if len(indices) != len(values):
        raise ValueError(f"coefficients: found {len(indices)} indices and {len(values)} values")
    if any(left >= right for left, right in pairwise([0, *indices, n_features + 1])):
        raise ValueError(f"coefficients.indices: expected rising numbers from 1 to {n_features}")
    coefficients = np.zeros(n_features)
    coefficients[np.array(indices, dtype=np.int64) - 1] = values
    return coefficients


def _numbers(values, name):
    # Python counts a bool as an int, JSON does not. A whole number in JSON can exceed float64.
    if not isinstance(values, list) or not all(
        type(value) in (int, float) and abs(value) <= sys.float_info.max for value in values
    ):
        raise ValueError(f"{name}: expected finite numbers")
    return np.array(values, dtype=np.float64)
