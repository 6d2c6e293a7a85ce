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
    """Result of fitting one method to one data set.

    `tasks` names the classes (each against the rest), decision rules or cost matrices. `arrays` has
    the true labels of the test examples and the predictions or decision scores; see
    `results.scores` for its keys. `fits` has a dict of facts per fit, and `seconds` a dict with the
    time of each step.
    """

    tasks: list[str]
    arrays: dict[str, np.ndarray]
    fits: list[dict[str, Any]]
    seconds: list[dict[str, Any]]


class Clock:
    """Stopwatch that records the wall-clock and CPU seconds of function calls in the list `rows`.

    If a result comes from the cache `memory`, the seconds of its first computation are added, so
    that times do not depend on which methods ran before.
    """

    def __init__(self, memory: ResultMemory | None = None):
        self.rows = []
        self._memory = ResultMemory() if memory is None else memory

    def time(self, stage, task, measure, function, *arguments, repetition=0):
        """Call `function(*arguments)`, append its seconds to `rows`, and return its result.

        `stage` (such as "fit"), `task`, `measure` and the number `repetition` say what was timed.
        """
        wall, cpu = self._memory.now()
        try:
            return function(*arguments)
        finally:
            wall_end, cpu_end = self._memory.now()
            row = {"task": task, "measure": measure, "stage": stage, "repetition": repetition}
            spent = {"wall_seconds": wall_end - wall, "cpu_seconds": cpu_end - cpu}
            self.rows.append(row | spent)


@dataclass(eq=False)
class Experiment:
    """Base class of experiments, whose method `run` fits one method to one data set.

    `paper_configuration` and `method_configuration` are sections of the configuration. All random
    seeds are derived from `seed`. Experiments with the same `memory` share cached results.
    `earlier` lists result files for the paper's first seed. A fit of a deterministic method is
    copied from them if the same hyperparameters are selected.
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
        """Return a random seed for the purpose that `names` describe, the same for all methods."""
        return derive_seed(self.seed, self.paper, self.data.name, *names)


class CannotRun(Exception):
    """Exception for a result that cannot be computed. Its message is stored as the reason."""


def attempt(label: object, function, *arguments):
    """Call a function; return (result, None), or (None, (status, reason)) if it fails.

    The status is "timeout" if the call exceeds its budget of operations, otherwise "failed". Errors
    of the machine are raised: MemoryError, OSError and ImportError. `label` names the call in log
    messages.
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
    """Return the measures that a method is fitted for: its own or, by default, the paper's."""
    return list(method_configuration.get("measures") or paper_configuration["measures"])


def result_frames(result: FitResult, **keys: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the fits and the times of a result as two DataFrames.

    `keys` are columns with the same value in all rows, such as `data_set="iris"`.
    """
    fits = [{"fold": 0, "fallback": False, "grid_limit": "", **row, **keys} for row in result.fits]
    seconds = [{**row, **keys} for row in result.seconds]
    return tuple(
        pd.DataFrame(rows, columns=list(columns)).astype(columns)
        for rows, columns in ((fits, FIT_COLUMNS), (seconds, SECONDS_COLUMNS))
    )
