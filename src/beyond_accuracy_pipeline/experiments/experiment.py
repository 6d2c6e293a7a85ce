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

    `tasks` are the names of the tasks. `arrays` holds arrays over the test examples, by the names
    in `results.scores`. `fits` has one row per task and measure, with the columns FIT_COLUMNS.
    `seconds` has one row per measured time, with the columns SECONDS_COLUMNS.
    """

    tasks: list[str]
    arrays: dict[str, np.ndarray]
    fits: list[dict[str, Any]]
    seconds: list[dict[str, Any]]


class Clock:
    """Stopwatch that appends wall and CPU seconds to `rows`, one row per call of `time`.

    Time that cached results saved is added, so that a method's time does not depend on which
    methods ran before it.

    Parameters
    ----------
    memory : ResultMemory, optional
        The cache, which knows the saved time.
    """

    def __init__(self, memory: ResultMemory | None = None):
        self.rows = []
        self._memory = ResultMemory() if memory is None else memory

    def time(self, stage, task, measure, function, *arguments, repetition=0):
        """Call `function(*arguments)` and return its result.

        A row with the wall and CPU seconds is appended to `rows`, under the names of stage, task
        and measure.
        """
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
    """Base class of the protocols: one method of a paper on one data set.

    A subclass has a method `run`, which returns a FitResult, and describes the keys that it reads
    from the two configurations.

    Parameters
    ----------
    data : PreparedDataSet
    paper : str
        Id of the paper, such as "li2013".
    method_configuration, paper_configuration : mapping
        Settings of the method, and of the paper.
    seed : int
        The run's seed, from which all seeds are derived.
    memory : ResultMemory
        Cache of the results that the methods of a job share.
    earlier : sequence of JobFiles
        Files of jobs that fitted the method with the first seed. The key of its fit is
        `method_configuration["first_fit"]`; without this key, `earlier` is not used.
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
        """Return a seed for a named purpose on this data set.

        It does not depend on the method, so that all methods get the same folds and samples.
        """
        return derive_seed(self.seed, self.paper, self.data.name, *names)


class CannotRun(Exception):
    """Error for a result that cannot be computed; the message is recorded as the reason."""


def attempt(label: object, function, *arguments):
    """Call a function and turn an exception into a status and a reason.

    Return (result, None) if the call succeeds, otherwise (None, (status, reason)). The status is
    "timeout" for a BudgetExceededError, otherwise "failed". Unexpected exceptions are logged under
    `label`. MemoryError, OSError and ImportError are raised again, because they come from the
    machine, not from the method. (An import may fail for lack of memory.)
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
    """Return the names of the measures that a method is fitted for.

    They are the method's own `measures`, or those of the paper if the method has none.
    """
    return list(method_configuration.get("measures") or paper_configuration["measures"])


def result_frames(result: FitResult, **keys: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return (fits, seconds): the rows of a result as two DataFrames.

    Their columns are FIT_COLUMNS and SECONDS_COLUMNS. `keys`, such as paper and data set, are
    written into each row.
    """
    fits = [{"fold": 0, "fallback": False, "grid_limit": "", **row, **keys} for row in result.fits]
    seconds = [{**row, **keys} for row in result.seconds]
    return tuple(
        pd.DataFrame(rows, columns=list(columns)).astype(columns)
        for rows, columns in ((fits, FIT_COLUMNS), (seconds, SECONDS_COLUMNS))
    )
