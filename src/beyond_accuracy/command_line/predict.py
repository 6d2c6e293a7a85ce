"""The command `beyond-accuracy predict`: apply a model to a data file."""

import sys
from collections.abc import Iterator

import numpy as np

from beyond_accuracy.command_line.model_file import read_model
from beyond_accuracy.command_line.whole_file import check_writable, write_whole_file
from beyond_accuracy.measures import get_measure
from beyond_accuracy.readers.errors import FileError
from beyond_accuracy.readers.svmlight_file import line_of_row, read_examples

_USUAL_MEASURES = (
    "f1", "precision", "recall", "accuracy", "prbep", "roc_area", "average_precision"
)  # fmt: skip
_VALUES_A_PIECE = 1000


def predict(arguments) -> int:
    """Run `beyond-accuracy predict`: apply a model file to a data file.

    Writes one decision value per line, prints measures if the labels are known, and returns the
    exit status.
    """
    if arguments.predictions is not None:
        check_writable(arguments.predictions)
    model = read_model(arguments.model)
    try:
        get_measure(model.measure)
    except ValueError as error:
        raise FileError(arguments.model, None, f"measure: {error}") from error
    X, labels = read_examples(arguments.data, model.n_features)
    positive = positives(arguments.data, labels, model.classes)
    decision = X @ model.coefficients + model.intercept
    if arguments.predictions is None:
        sys.stdout.writelines(_pieces(decision))
        sys.stdout.flush()
    else:
        write_whole_file(arguments.predictions, _pieces(decision))
    if positive is not None and not arguments.quiet:
        for name in dict.fromkeys((model.measure, *_USUAL_MEASURES)):
            print(_line(name, positive, decision), file=sys.stderr)
    return 0


def positives(path: str, labels: np.ndarray, classes: tuple[float, float]) -> np.ndarray | None:
    """Return which examples are positive, bool, shape (n,), or None if the file is unlabelled.

    `classes` are the two labels that the model knows, the positive label last. A file is unlabelled
    if every label is 0 and 0 is not in `classes`. Raises FileError for other unknown labels.
    """
    strange = ~np.isin(labels, classes)
    if not strange.any():
        return labels == classes[1]
    if not labels.any():
        return None
    row = int(np.argmax(strange))
    raise FileError(
        path,
        line_of_row(path, row),
        f"found label {labels[row]:g}; the model knows {classes[0]:g} and {classes[1]:g} "
        "(label every line 0 if the labels are not known)",
    )


def _pieces(decision: np.ndarray) -> Iterator[str]:
    for start in range(0, len(decision), _VALUES_A_PIECE):
        values = decision[start : start + _VALUES_A_PIECE].tolist()
        yield "".join(f"{value!r}\n" for value in values)


def _line(name, positive, decision):
    try:
        value = get_measure(name).score(positive, decision)
    except ValueError as error:
        return f"{name}: undefined ({error})"
    return f"{name}: undefined (one class only)" if np.isnan(value) else f"{name}: {value:.6f}"
