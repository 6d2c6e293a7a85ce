"""Base class of the three experimental protocols, and helpers that they share."""

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
    """Result of one method on one data set: arrays over the test examples, and table rows."""

    tasks: list[str]
    arrays: dict[str, np.ndarray]
    fits: list[dict[str, Any]]
    seconds: list[dict[str, Any]]


class Clock:
    """Stopwatch that appends wall and CPU seconds to `rows`, one row per call of `time`.

    The time that cached results saved is added, so that a method's time does not depend on which
    methods ran before.
    """

    def __init__(self, memory: ResultMemory | None = None):
        self.rows = []
        self._memory = ResultMemory() if memory is None else memory

    def time(self, stage, task, measure, function, *arguments, repetition=0):
        """Call `function(*arguments)`, record its seconds, and return its result."""
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
    """Base class of the protocols: `run` applies one method of a paper to one data set.

    All seeds are derived from `seed`, the run's seed. The methods of a job share `memory`.
    `earlier` has files of jobs that fitted the method with the first seed, under the key
    `first_fit` of the method's configuration.
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
        """Return a seed for a purpose, named by `names`; it is the same for all methods."""
        return derive_seed(self.seed, self.paper, self.data.name, *names)


class CannotRun(Exception):
    """Error: a result cannot be computed. The message is recorded as the reason."""


def attempt(label: object, function, *arguments):
    """Call a function; return (result, None), or (None, (status, reason)) if it fails.

    The status is "timeout" if a budget is exceeded, otherwise "failed". MemoryError, OSError and
    ImportError are raised again, because they come from the machine; an import may fail for lack of
    memory.
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


def fitted_measures(paper_configuration, method_configuration) -> list[str]:
    """Return the measures that the method's configuration names, by default the paper's."""
    return list(method_configuration.get("measures") or paper_configuration["measures"])


def result_frames(result: FitResult, **keys: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the rows of fits and of seconds as DataFrames, with `keys` in each row."""
    fits = [{"fold": 0, "fallback": False, "grid_limit": "", **row, **keys} for row in result.fits]
    seconds = [{**row, **keys} for row in result.seconds]
    return tuple(
        pd.DataFrame(rows, columns=list(columns)).astype(columns)
        for rows, columns in ((fits, FIT_COLUMNS), (seconds, SECONDS_COLUMNS))
    )
