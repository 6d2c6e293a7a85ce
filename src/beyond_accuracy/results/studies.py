"""The results of studies: their columns, and the tables that a paper's configuration declares.

A study leaves two tables for each of its data sets: rows and, since they differ from run to run,
apart from them seconds.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from beyond_accuracy.results.layout import STUDY, STUDY_SECONDS

Part = Literal["rows", "seconds"]

WITHOUT_DATA = "simulated"
"""What stands in place of the data set of a study that needs none."""


def _of(kind: str, *names: str) -> dict[str, str]:
    return dict.fromkeys(names, kind)


_TASK = _of("string", "data_set", "task")
_OUTCOME = _of("string", "status", "reason")
_SWEPT = (
    _TASK
    | _of("string", "measure", "method")
    | _of("float64", "C", "B", "train_fraction")
    | _of("Int64", "n_train")
)
_SWEEP = {
    "rows": _SWEPT | _of("float64", "value") | _OUTCOME | _of("Int64", "n_iter", "oracle_calls"),
    "seconds": _SWEPT | _of("float64", "cpu_seconds", "auxiliary_cpu_seconds"),
}
_ITERATION = _TASK | {"C": "float64", "method": "string", "iteration": "int64"}
_SAMPLED = {
    "rows": {"distribution": "object", "n_samples": "int64", "method": "object", "trial": "int64"}
    | _of("float64", "value", "optimum")
}

COLUMNS: dict[str, dict[Part, dict[str, str]]] = {
    "oracle_calls_by_C": _SWEEP,
    "by_C": _SWEEP,
    "by_B": _SWEEP,
    "by_training_size": _SWEEP,
    "matching_B": {
        "rows": _TASK
        | {"measure": "string", "C": "float64", "auxiliary": "string"}
        | {"matching_B": "float64", "matches_below": "boolean"}
        | _OUTCOME
    },
    "auxiliary_selection": {
        "rows": _TASK
        | {"measure": "string", "n_candidates": "Int64", "which": "string", "auxiliaries": "string"}
        | _of("float64", "C", "auxiliary_value", "capo_value")
        | _OUTCOME
    },
    "convergence": {
        "rows": _ITERATION | _of("float64", "primal", "dual", "visited") | _of("bool", "converged"),
        "seconds": _ITERATION | _of("float64", "cpu_seconds"),
    },
    "line_search": {
        "rows": _TASK
        | {"C": "float64", "iteration": "int64"}
        | _of("float64", "k", "before", "after")
    },
    "independent_labels": _SAMPLED,
    "dependent_labels": _SAMPLED,
    "inference_seconds": {
        "seconds": {"n_labels": "int64", "method": "object", "trial": "int64", "seconds": "float64"}
    },
    "worst_cases": {
        "rows": {"construction": "object", "n_labels": "int64", "method": "object"}
        | _of("float64", "expected_f", "optimum", "regret", "bound")
    },
}
"""Columns of the tables of each study and their types; a study may have rows or seconds alone."""


def study_data_sets(paper: Mapping[str, Any], study: str) -> list[str]:
    """Return the data sets of a study that the configuration of a paper declares, in its order.

    A study of data sets is of all of the paper unless it names some; another one has
    `WITHOUT_DATA`. A study that is not configured has none.
    """
    settings = (paper.get("studies") or {}).get(study)
    if settings is None:
        return []
    if not any("data_set" in columns for columns in COLUMNS[study].values()):
        return [WITHOUT_DATA]
    named = settings.get("data_sets") or paper["data_sets"]
    return [name for name in paper["data_sets"] if name in named]


def study_file(
    folder: str | Path, paper: str, study: str, data_set: str, part: Part = "rows"
) -> Path:
    """Return the path of a table of a study below the folder of all results."""
    pattern = STUDY if part == "rows" else STUDY_SECONDS
    return Path(folder) / pattern.format(paper=paper, study=study, data_set=data_set)
