"""Write and read linear models as JSON files."""

import json
from dataclasses import asdict, dataclass, fields
from importlib.metadata import version

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
            content = json.load(stream)
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise ValueError(f'expected JSON with "format": "{FORMAT}"')
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
    except (ValueError, TypeError, KeyError, IndexError, OverflowError, RecursionError) as error:
        raise FileError(path, None, f"not a valid model: {error}") from error


def _decode(content):
    """Return the model in the content of a file, after checks of all that predictions depend on."""
    names = [field.name for field in fields(Model)]
    if missing := sorted({*names} - content.keys()):
        raise ValueError(f"lacks {', '.join(missing)}")
    model = {name: content[name] for name in names}
    n_features, coefficients = model["n_features"], model["coefficients"]
    if not 0 <= n_features <= _MOST_FEATURES:
        raise ValueError(f"n_features: found {n_features}, expected 0 to {_MOST_FEATURES}")
    is_sparse = isinstance(coefficients, dict)
    low, high = model["classes"]
    values = coefficients["values"] if is_sparse else coefficients
    numbers = np.array([low, high, model["intercept"], *values], dtype=np.float64)
    if not (np.isfinite(numbers).all() and low < high):
        raise ValueError("expected finite numbers, and two rising labels in classes")
    values = numbers[3:]
    if is_sparse:
        values = np.zeros(n_features)
        values[np.array(coefficients["indices"], dtype=np.int64) - 1] = numbers[3:]
    if len(values) != n_features:
        raise ValueError(f"coefficients: found {len(values)}, n_features says {n_features}")
    return Model(**model | {"classes": (low, high), "coefficients": values})
