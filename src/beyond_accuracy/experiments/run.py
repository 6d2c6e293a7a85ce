"""One job of the workflow: one method on one data set, all its classes, measures and candidates."""

import importlib
import logging
from collections.abc import Mapping
from typing import Any

from beyond_accuracy.datasets.errors import DataSetUnavailable
from beyond_accuracy.datasets.prepared import load_prepared
from beyond_accuracy.experiments.result import FitResult, fitted_measures, result_frames
from beyond_accuracy.results import Scores, write_frame, write_scores

logger = logging.getLogger(__name__)


def load_protocol(name: str) -> type:
    """The class of a protocol: of "binary", `BinaryExperiment` in `experiments/binary.py`.

    It is found by its name, so that a fit depends on the code of its own protocol alone.

    Raises
    ------
    ValueError
        If there is no such protocol.
    """
    try:
        module = importlib.import_module(f"{__package__}.{name}")
        return getattr(module, f"{name.capitalize()}Experiment")
    except (ImportError, AttributeError) as error:
        raise ValueError(f"no protocol {name!r}: {error}") from error


def run_fit(
    prepared_folder,
    *,
    paper: str,
    data_set: str,
    method: str,
    protocol: str,
    method_configuration: Mapping[str, Any],
    paper_configuration: Mapping[str, Any],
    seed: int,
    scores,
    fits,
    seconds,
) -> None:
    """Run a protocol and write test scores, fits and seconds to the given paths.

    An unavailable data set gives one row a measure with status "unavailable" and the reason.

    Raises
    ------
    ValueError
        If the protocol is unknown or the configuration names an estimator that does not exist.
    """
    experiment = load_protocol(protocol)
    try:
        data = load_prepared(prepared_folder)
    except DataSetUnavailable as error:
        logger.info("%s", error)
        result = _unavailable(
            fitted_measures(paper_configuration, method_configuration), str(error)
        )
    else:
        result = experiment(
            data,
            paper=paper,
            method_configuration=method_configuration,
            paper_configuration=paper_configuration,
            seed=seed,
        ).run()
    fit_rows, second_rows = result_frames(result, paper=paper, data_set=data_set, method=method)
    write_scores(scores, {method: Scores(tuple(result.tasks), result.arrays)})
    write_frame(fits, fit_rows)
    write_frame(seconds, second_rows)


def _unavailable(measures, reason) -> FitResult:
    rows = [
        {"task": "", "measure": measure, "status": "unavailable", "reason": reason}
        for measure in measures
    ]
    return FitResult([], {}, rows, [])
