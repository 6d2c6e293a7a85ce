"""Run one job of the workflow: fit methods of a paper to one data set and write the results."""

import logging
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd

from beyond_accuracy_pipeline.datasets.prepared import load_prepared
from beyond_accuracy_pipeline.experiments.child_process import (
    CallHangs,
    ProcessDied,
    ProcessKilled,
    call_in_child_process,
)
from beyond_accuracy_pipeline.experiments.earlier_fits import JobFiles
from beyond_accuracy_pipeline.experiments.experiment import (
    FitResult,
    fitted_measures,
    result_frames,
)
from beyond_accuracy_pipeline.experiments.memory import ResultMemory
from beyond_accuracy_pipeline.experiments.random_states import with_random_state
from beyond_accuracy_pipeline.results.frames import write_frame
from beyond_accuracy_pipeline.results.scores import Scores, write_scores

logger = logging.getLogger(__name__)


class FitHangs(Exception):
    """Error for a method that exceeded the time limit of fits."""

    def __init__(self, method: str, data_set: str, hours: float):
        super().__init__(
            f"{method} on {data_set}: no result within {hours:g} hours, and was killed. Run again "
            "in case the machine was at fault; a fit that is meant to take so long needs a larger "
            "`longest_fit` in config/config.yaml, in hours"
        )


class FitKilled(Exception):
    """Error for a method whose process was killed from outside."""

    def __init__(self, method: str, data_set: str, cause: str):
        super().__init__(
            f"{method} on {data_set}: its process was killed by {cause}, as the system does where "
            "memory is short. Nothing of this job is kept; the next run makes it again. If it is "
            "killed each time, give it more memory (fewer --cores), or leave the method out of "
            "`methods_selected`"
        )


def load_protocol(name: str) -> type:
    """Return the experiment class of a protocol: "binary", "multiclass" or "multilabel".

    The modules of the other protocols are not imported.

    Raises
    ------
    ValueError
        If the protocol does not exist.
    """
    match name:
        case "binary":
            from beyond_accuracy_pipeline.experiments.binary import BinaryExperiment as protocol
        case "multilabel":
            from beyond_accuracy_pipeline.experiments.multilabel import (
                MultilabelExperiment as protocol,
            )
        case "multiclass":
            from beyond_accuracy_pipeline.experiments.multiclass import (
                MulticlassExperiment as protocol,
            )
        case _:
            raise ValueError(
                f"no protocol {name!r}; it is one of binary, multiclass and multilabel"
            )
    return protocol


def run_fits(
    prepared_folder,
    *,
    paper: str,
    data_set: str,
    methods: Mapping[str, Mapping[str, Any]],
    paper_configuration: Mapping[str, Any],
    seed: int,
    scores,
    fits,
    seconds,
    longest_hours: float | None = None,
    earlier: Sequence[JobFiles] = (),
) -> None:
    """Fit methods to a data set, and write the files of test scores, fits and times.

    The methods are fitted one after the other in a child process. If a method crashes, one failed
    row with the reason is recorded per measure, and the other methods are fitted in a new process.

    Parameters
    ----------
    prepared_folder : path
        Folder of the prepared data set.
    paper, data_set : str
        Names that are written into each row.
    methods : mapping of str to mapping
        Configurations of the methods, by the key of the fit. `name` is the name of the method, by
        default the key.
    paper_configuration : mapping
        `protocol`, `measures` and the settings of the protocol.
    seed : int
        The run's seed.
    scores, fits, seconds : path
        Files to write: test scores, one row per fit, and times.
    longest_hours : float, optional
        Time limit in hours for all fits of one method; a process that exceeds it is killed.
    earlier : sequence of JobFiles
        Files of jobs that fitted the same methods to the data set with the first seed.
        Deterministic final fits with the same hyperparameters are taken from these files.

    Raises
    ------
    DataSetMissing
        If the data set has no arrays.
    FitHangs
        If a method exceeds the time limit. Nothing is written, because a status must not depend on
        the speed of the machine.
    FitKilled
        If the process of a method is killed from outside. Nothing is written, because a status must
        not depend on the free memory of the machine.
    ValueError
        If the protocol is unknown or a configuration names an estimator that does not exist.
    """
    protocol = load_protocol(paper_configuration["protocol"])
    shared = ResultMemory()
    data = load_prepared(prepared_folder)
    common = protocol, data, data_set, paper, paper_configuration, seed, shared, earlier
    call = partial(_run_method, *common)
    calls = [partial(call, *method) for method in methods.items()]
    longest = None if longest_hours is None else 3600 * longest_hours
    names = [configuration.get("name", key) for key, configuration in methods.items()]
    try:
        outcomes = call_in_child_process(calls, longest)
    except CallHangs as error:
        raise FitHangs(names[error.number], data_set, longest_hours) from error
    except ProcessKilled as error:
        raise FitKilled(names[error.number], data_set, error.cause) from error
    predicted, frames = {}, []
    for name, (key, configuration), result in zip(names, methods.items(), outcomes, strict=True):
        if isinstance(result, ProcessDied):
            logger.warning("%s: %s", name, result)
            result = _failed(fitted_measures(paper_configuration, configuration), result)
        predicted[key] = Scores(tuple(result.tasks), result.arrays)
        place = {"paper": paper, "data_set": data_set, "method": name, "fit": key}
        frames.append(result_frames(result, **place))
    write_scores(scores, predicted)
    for path, parts in zip((fits, seconds), zip(*frames, strict=True), strict=True):
        write_frame(path, pd.concat(parts, ignore_index=True))


def _run_method(
    protocol, data, data_set, paper, paper_configuration, seed, shared, earlier, key, configuration
) -> FitResult:
    """Fit one method to one data set and return its result.

    `protocol` is the experiment class and `key` the key of the fit. `shared` holds the results that
    the methods of a job share, and `earlier` the files of the first seed.
    """
    name = configuration.get("name", key)
    if paper_configuration["protocol"] == "binary":
        # The other protocols derive the seeds of their classifiers themselves.
        method = configuration.get("random_state_of") or name
        configuration = with_random_state(configuration, method, seed, paper, data_set)
    logger.info("%s:", name)
    experiment = protocol(
        data,
        paper=paper,
        method_configuration=configuration,
        paper_configuration=paper_configuration,
        seed=seed,
        memory=ResultMemory(shared),
        earlier=earlier,
    )
    return experiment.run()


def _failed(measures, error: ProcessDied) -> FitResult:
    """Return a result with one failed row per measure, for a method whose process died."""
    rows = [
        {"task": "", "measure": measure, "status": "failed", "reason": str(error)}
        for measure in measures
    ]
    return FitResult([], {}, rows, [])
