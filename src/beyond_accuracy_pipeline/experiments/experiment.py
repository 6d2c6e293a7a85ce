"""What all protocols share: what they are given, and what they return."""

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
    """Arrays of the test examples (`results.scores` says which); rows of fits and of seconds."""

    tasks: list[str]
    arrays: dict[str, np.ndarray]
    fits: list[dict[str, Any]]
    seconds: list[dict[str, Any]]


class Clock:
    """Wall and CPU seconds of the stages, one row each.

    Those that the memory has saved count as spent: a method's seconds are those it takes alone.
    """

    def __init__(self, memory: ResultMemory | None = None):
        self.rows = []
        self._memory = ResultMemory() if memory is None else memory

    def time(self, stage, task, measure, function, *arguments, repetition=0):
        """Call the function and note how long it took."""
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
    """One method of a paper on one data set; the protocols are subclasses, whose `run` fits it.

    Both configurations are described by the protocols; `memory` has what methods of a job share,
    `earlier` the files of jobs that have fitted the method in the first random state. If there is
    such a fit, `first_fit` of the method's configuration is its key.
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
        """A seed of this data set. None names the method: all have the same folds and samples."""
        return derive_seed(self.seed, self.paper, self.data.name, *names)


class CannotRun(Exception):
    """Why something has no result; the message is its reason."""


def attempt(label, function, *arguments):
    """What the function returns, and None; or None, and the status and reason of its failure.

    `label` tells the log what failed. Want of memory or disk is no result, but an error; so is a
    module that cannot be imported, which want of memory may be the cause of.
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
    """The measures that a method is fitted for: its own, or all of the paper."""
    return list(method_configuration.get("measures") or paper_configuration["measures"])


def result_frames(result: FitResult, **keys: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Fits and seconds as tables, with `paper`, `data_set` and `method` in every row."""
    fits = [{"fold": 0, "fallback": False, "grid_limit": "", **row, **keys} for row in result.fits]
    seconds = [{**row, **keys} for row in result.seconds]
    return tuple(
        pd.DataFrame(rows, columns=list(columns)).astype(columns)
        for rows, columns in ((fits, FIT_COLUMNS), (seconds, SECONDS_COLUMNS))
    )
