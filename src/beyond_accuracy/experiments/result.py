"""What a protocol returns, whatever the protocol, and how it becomes tables."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

# What only some methods record: the share of a kernel's trace that its factor gives up, and the
# auxiliaries left out since they predict one class only.
_OF_SOME_METHODS = {"kernel_error": "float64", "left_out": "string"}


@dataclass(frozen=True)
class FitResult:
    """Scores of the test set by measure, shape (n_tasks, n_test); rows of fits and of seconds."""

    tasks: list[str]
    scores: dict[str, np.ndarray]
    fits: list[dict[str, Any]]
    seconds: list[dict[str, Any]]


class Clock:
    """Wall and CPU seconds of the stages, one row each."""

    def __init__(self):
        self.rows = []

    def time(self, stage, task, measure, function, *arguments, repetition=0):
        """Call the function and note how long it took."""
        wall, cpu = time.perf_counter(), time.process_time()
        try:
            return function(*arguments)
        finally:
            self.rows.append(
                {
                    "task": task,
                    "measure": measure,
                    "stage": stage,
                    "repetition": repetition,
                    "wall_seconds": time.perf_counter() - wall,
                    "cpu_seconds": time.process_time() - cpu,
                }
            )


def fitted_measures(
    paper_configuration: Mapping[str, Any], method_configuration: Mapping[str, Any]
) -> list[str]:
    """The measures that a method is fitted for: its own, or all of the paper."""
    return list(method_configuration.get("measures") or paper_configuration["measures"])


def result_frames(result: FitResult, **keys: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Fits and seconds as tables, with `paper`, `data_set` and `method` in front."""
    columns = {
        "task": "string",
        "measure": "string",
        "fold": "int64",
        "status": "string",
        "reason": "string",
        "selected": "string",
        "fallback": "bool",
        "grid_limit": "string",
        "converged": "boolean",
        "degenerate": "boolean",
        "n_train": "Int64",
        "n_train_positives": "Int64",
        "n_test": "Int64",
        "n_test_positives": "Int64",
        "n_iter": "Int64",
        "n_iter_without_line_search": "Int64",
        "converged_without_line_search": "boolean",
        "dual_gap": "float64",
        "objective": "float64",
    }
    columns |= {
        name: kind
        for name, kind in _OF_SOME_METHODS.items()
        if any(name in row for row in result.fits)
    }
    fits = pd.DataFrame(
        [{"fold": 0, "fallback": False, "grid_limit": "", **row} for row in result.fits],
        columns=list(columns),
    ).astype(columns)
    seconds = pd.DataFrame(
        [{"repetition": 0, **row} for row in result.seconds],
        columns=["task", "measure", "stage", "repetition", "wall_seconds", "cpu_seconds"],
    )
    for frame in (fits, seconds):
        for place, (key, value) in enumerate(keys.items()):
            frame.insert(place, key, pd.Series(value, index=frame.index, dtype="string"))
    return fits, seconds
