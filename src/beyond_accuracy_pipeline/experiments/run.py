"""Run one job of the workflow: fit methods of a paper to one data set and write the results."""

import logging
import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd

from beyond_accuracy_pipeline.datasets.prepared import load_prepared
from beyond_accuracy_pipeline.experiments.binary import BinaryExperiment
from beyond_accuracy_pipeline.experiments.child_process import (
    CallStopped,
    ProcessDied,
    call_in_child_process,
)
from beyond_accuracy_pipeline.experiments.earlier_fits import JobFiles
from beyond_accuracy_pipeline.experiments.experiment import (
    FitResult,
    fitted_measures,
    result_frames,
)
from beyond_accuracy_pipeline.experiments.memory import ResultMemory
from beyond_accuracy_pipeline.experiments.methods import with_random_state
from beyond_accuracy_pipeline.experiments.multiclass import MulticlassExperiment
from beyond_accuracy_pipeline.experiments.multilabel import MultilabelExperiment
from beyond_accuracy_pipeline.results.frames import write_frame
from beyond_accuracy_pipeline.results.scores import Scores, write_scores

logger = logging.getLogger(__name__)

PROTOCOLS = {
    "binary": BinaryExperiment,
    "multilabel": MultilabelExperiment,
    "multiclass": MulticlassExperiment,
}


class FitStopped(Exception):
    """Exception for a fit that was killed because of its time limit, or from outside."""


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
    longest_hours: float = math.inf,
    earlier: Sequence[JobFiles] = (),
) -> None:
    """Fit methods to one data set, and write the test scores, the table of fits and the times.

    `prepared_folder` has the arrays of the data set. `methods` maps the key of each fit to the
    configuration of its method. The output files are `scores`, `fits` and `seconds`. If a method
    crashes, one failed row per measure is recorded, and the other methods are still fitted.

    If a fit takes more than `longest_hours` or is killed from outside, FitStopped is raised and
    nothing is written. `earlier` lists result files for the paper's first seed. A final fit of a
    deterministic method is copied from them if the same hyperparameters are selected.
    """
    data = load_prepared(prepared_folder)
    call = partial(
        _run_method, data, data_set, paper, paper_configuration, seed, ResultMemory(), earlier
    )
    calls = [partial(call, *method) for method in methods.items()]
    names = [configuration.get("name", key) for key, configuration in methods.items()]
    try:
        outcomes = call_in_child_process(calls, 3600 * longest_hours)
    except CallStopped as error:
        if error.cause is None:
            happened = (
                f"no result within {longest_hours:g} hours, and was killed. Run again in case the "
                "machine was at fault; a fit that is meant to take so long needs a larger "
                "`longest_fit` in config/config.yaml, in hours"
            )
        else:
            happened = (
                f"its process was killed by {error.cause}, as the system does where memory is "
                "short. Nothing of this job is kept; the next run makes it again. If it is killed "
                "each time, give it more memory (fewer --cores), or leave the method out of "
                "`methods_selected`"
            )
        raise FitStopped(f"{names[error.index]} on {data_set}: {happened}") from error
    predicted, frames = {}, []
    for name, (key, configuration), result in zip(names, methods.items(), outcomes, strict=True):
        if isinstance(result, ProcessDied):
            logger.warning("%s: %s", name, result)
            row = {"task": "", "status": "failed", "reason": str(result)}
            measures = fitted_measures(paper_configuration, configuration)
            result = FitResult([], {}, [{**row, "measure": measure} for measure in measures], [])
        predicted[key] = Scores(tuple(result.tasks), result.arrays)
        keys = {"paper": paper, "data_set": data_set, "method": name, "fit": key}
        frames.append(result_frames(result, **keys))
    write_scores(scores, predicted)
    for path, parts in zip((fits, seconds), zip(*frames, strict=True), strict=True):
        write_frame(path, pd.concat(parts, ignore_index=True))


def _run_method(
    data, data_set, paper, paper_configuration, seed, shared, earlier, key, configuration
) -> FitResult:
    """Fit one method to one data set and return its result; `key` is the key of the fit."""
    name = configuration.get("name", key)
    protocol = paper_configuration["protocol"]
    if protocol == "binary":
        # The other protocols derive the seeds of their classifiers themselves.
        method = configuration.get("random_state_of") or name
        configuration = with_random_state(configuration, method, seed, paper, data_set)
    logger.info("%s:", name)
    experiment = PROTOCOLS[protocol](
        data,
        paper=paper,
        method_configuration=configuration,
        paper_configuration=paper_configuration,
        seed=seed,
        memory=ResultMemory(shared),
        earlier=earlier,
    )
    return experiment.run()
