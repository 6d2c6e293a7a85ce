"""Files of a fit: scores as .npz, fits and seconds as Parquet."""

from pathlib import Path

import numpy as np
import pandas as pd

TASKS = "tasks"


def write_scores(path, tasks, scores):
    """Write one float64 array a measure, shape (n_tasks, n_test), and the names of the tasks."""
    names = np.array(list(tasks), dtype=np.str_) if len(tasks) else np.empty(0, dtype="<U1")
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    with open(path, "wb") as stream:
        np.savez_compressed(stream, **{TASKS: names}, **scores)


def read_scores(path) -> tuple[list[str], dict[str, np.ndarray]]:
    """Read what `write_scores` wrote."""
    with np.load(path, allow_pickle=False) as arrays:
        scores = {name: arrays[name] for name in arrays.files if name != TASKS}
        return [str(name) for name in arrays[TASKS]], scores


def write_table(path, frame: pd.DataFrame):
    """Write a table as Parquet."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    frame.to_parquet(path, index=False)
