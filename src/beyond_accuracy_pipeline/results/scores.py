"""Predictions of fits for the test examples: one `.npz` file per job, with arrays `key/name`.

`key` is the key of a fit. The arrays of a fit depend on the protocol:

- binary: one array of decision scores per measure, float64, shape (n_tasks, n_test), and
  `TRUE_LABELS`, bool, of the same shape.
- multilabel: `PREDICTION` and `EXPECTED` for each decision rule, and `TRUE_LABELS`, uint8, shape
  (n_test, n_labels).
- multiclass: `PREDICTION` for each measure, `TRUE_CLASSES`, `FOLDS`, `COST_MATRICES`, and `TREE` if
  the configuration asks for it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from beyond_accuracy_pipeline.results.damage import reading

TASKS = "tasks"
TRUE_LABELS = "y_test"

PREDICTION = "prediction."
"""Prefix, before a decision or measure, of predictions: labels, or classes (−1 for none)."""

EXPECTED = "expected."
"""Prefix of the F_β that a decision expects of each prediction, float64, shape (n_test,)."""

TRUE_CLASSES = "true_class"
"""True classes, int16, shape (n,)."""

FOLDS = "fold"
"""The fold in which each example is tested, int16, shape (n,)."""

COST_MATRICES = "cost_matrix"
"""Cost matrices, float64, shape (n_tasks, m, m); row = true class."""

TREE = "tree"
"""Tree of metaclasses fitted to all examples, as JSON with one entry per node."""


@dataclass(frozen=True)
class Scores:
    """Predictions of one fit for the test examples; empty if the data set is missing.

    `tasks` are the names of the binary tasks, decision rules or cost matrices. The content of
    `arrays` depends on them:

    - binary tasks: decision scores by measure, and true labels as "y_test", one row per task
    - decision rules: predicted labels of each rule, and true labels
    - cost matrices: predicted classes by measure, true classes, folds of examples, and the matrices
    """

    tasks: tuple[str, ...] = ()
    arrays: Mapping[str, np.ndarray] = field(default_factory=dict)

    def row(self, measure: str, task: str) -> np.ndarray:
        """Return the row of `arrays[measure]` that belongs to `task`, shape (n_test,)."""
        return self.arrays[measure][self.tasks.index(task)]


def write_scores(path: str | Path, scores: Mapping[str, Scores]) -> None:
    """Write the predictions of several fits, by the key of each fit, to one .npz file."""
    arrays = {}
    for key, own in scores.items():
        arrays[f"{key}/{TASKS}"] = np.array(own.tasks, dtype=np.str_)
        arrays |= {f"{key}/{name}": array for name, array in own.arrays.items()}
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    with open(path, "wb") as stream:
        np.savez_compressed(stream, **arrays)


def read_scores(path: str | Path, key: str) -> Scores:
    """Read the predictions of one fit, given its key, from the .npz file of several fits."""
    with reading(path) as file, np.load(file, allow_pickle=False) as stored:
        names = [name for name in stored.files if name.startswith(f"{key}/")]
        arrays = {name.removeprefix(f"{key}/"): stored[name] for name in names}
        if TASKS not in arrays:
            found = sorted({name.partition("/")[0] for name in stored.files})
            raise ValueError(f"found the fits {', '.join(found)} instead of {key}")
    return Scores(tuple(map(str, arrays.pop(TASKS))), arrays)
