"""Inputs and results that all protocols have in common."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from beyond_accuracy_pipeline.datasets.prepared import PreparedDataSet
from beyond_accuracy_pipeline.experiments.earlier_fits import JobFiles
from beyond_accuracy_pipeline.experiments.memory import ResultMemory
from beyond_accuracy_pipeline.experiments.seeds import derive_seed
from beyond_accuracy_pipeline.reproduction.budget import BudgetExceededError
from beyond_accuracy_pipeline.results.columns import FIT_COLUMNS, SECONDS_COLUMNS

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class FitResult:
    """Arrays of the test examples (see `results.scores`), and rows of fits and of times."""

    tasks: list[str]
    arrays: dict[str, np.ndarray]
    fits: list[dict[str, Any]]
    seconds: list[dict[str, Any]]


class Clock:
    """Record wall and CPU seconds, one row per stage.

    Times that the memory saved are added, so that a method's time is independent of other methods.
    """

    def __init__(self, memory: ResultMemory | None = None):
        self.rows = []
        self._memory = ResultMemory() if memory is None else memory

    def time(self, stage, task, measure, function, *arguments, repetition=0):
        """Call the function and record how long it took."""
        wall, cpu = self._memory.now()
        try:
            return function(*arguments)
        finally:
            wall_end, cpu_end = self._memory.now()
            self.rows.append(
                {
                    "task": task,
                    "measure": measure,
                    "stage": stage,
                    "repetition": repetition,
                    "wall_seconds": wall_end - wall,
                    "cpu_seconds": cpu_end - cpu,
                }
            )


@dataclass(eq=False)
class Experiment:
    """One method of a paper on one data set. The protocols are subclasses with a method `run`.

    The subclasses describe both configurations. `memory` holds the results that the methods of a
    job share. `earlier` are the files of jobs that fitted the method with the first seed. If there
    is such a fit, the method's configuration has its key as `first_fit`.
    """

    data: PreparedDataSet
    _: KW_ONLY
    paper: str
    method_configuration: Mapping[str, Any]
    paper_configuration: Mapping[str, Any]
    seed: int
    memory: ResultMemory = field(default_factory=ResultMemory)
    earlier: Sequence[JobFiles] = ()

    def __post_init__(self):
        self._measures = fitted_measures(self.paper_configuration, self.method_configuration)
        self._clock = Clock(self.memory)

    def _derive_seed(self, *names) -> int:
        """Derive a seed for this data set. All methods get the same folds and samples."""
        return derive_seed(self.seed, self.paper, self.data.name, *names)


class CannotRun(Exception):
    """A result cannot be computed; the message is the reason that is recorded."""


def attempt(label, function, *arguments):
    """Call a function; return (result, None), or (None, (status, reason)) if it fails.

    `label` names the failed part in the log. MemoryError, OSError and ImportError are raised again.
    They come from the machine, not from the method: an import may fail for lack of memory.
    """
    try:
        return function(*arguments), None
    except (MemoryError, OSError, ImportError):
        raise
    except CannotRun as error:
        return None, ("failed", str(error))
    except BudgetExceededError as error:
        return None, ("timeout", str(error))
    except Exception as error:
        logger.exception("%s: no result", label)
        return None, ("failed", f"{type(error).__name__}: {error}")


def fitted_measures(
    paper_configuration: Mapping[str, Any], method_configuration: Mapping[str, Any]
) -> list[str]:
    """Return the measures that a method is fitted for: the method's, by default the paper's."""
    return list(method_configuration.get("measures") or paper_configuration["measures"])


def result_frames(result: FitResult, **keys: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return tables of fits and of seconds, with `keys` (paper, data set, …) in each row."""
    fits = [{"fold": 0, "fallback": False, "grid_limit": "", **row, **keys} for row in result.fits]
    seconds = [{**row, **keys} for row in result.seconds]
    return tuple(
        pd.DataFrame(rows, columns=list(columns)).astype(columns)
        for rows, columns in ((fits, FIT_COLUMNS), (seconds, SECONDS_COLUMNS))
    )
