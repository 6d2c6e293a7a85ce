"""The columns of a run's tables, and their pandas types."""

from typing import Any, Literal

Row = dict[str, Any]
Rows = list[Row]
Part = Literal["rows", "seconds"]
"""A study writes two files per data set: rows of results, and times, which differ between runs."""


def _of(kind: str, *names: str) -> dict[str, str]:
    return dict.fromkeys(names, kind)


MISSING = ("unavailable", "faulty")
"""Statuses of data sets without arrays: no source was reached, or one had a wrong file. A method
that cannot take a data set is unavailable on it, too."""

VARIANT_COLUMNS = {"reading": "string", "state": "int64"}

MEASUREMENT_COLUMNS = (
    _of("string", "paper", "data_set", "task", "method", "measure")
    | {"fold": "int64", "value": "float64"}
    | _of("string", "status", "reason")
)
"""Columns of the measurements of one variant. The file of all variants also has `VARIANT_COLUMNS`.
"""

FIT_COLUMNS = (
    _of("string", "paper", "data_set", "method", "fit", "task", "measure")
    | {"fold": "int64"}
    | _of("string", "status", "reason", "selected")
    | {"fallback": "bool", "grid_limit": "string"}
    | _of("boolean", "converged", "degenerate")
    | _of("Int64", "n_train", "n_train_positives", "n_test", "n_test_positives")
    | _of("Int64", "n_iter", "n_iter_without_line_search")
    | {"converged_without_line_search": "boolean"}
    | _of("float64", "dual_gap", "objective", "kernel_error", "root_threshold")
    | {"left_out": "string", "sparse": "boolean"}
)
"""`fit` is the key of a `Fit`. `degenerate` says whether the weights are 0, or no better than 0.
`kernel_error` is the share of a kernel's trace that its factor omits. `root_threshold` is the ratio
at which the first split of a tree of classes is made. `left_out` names the auxiliaries that predict
one class only. Values that do not apply to a method are missing. `sparse` is only set for binary
tasks."""

SECONDS_COLUMNS = (
    _of("string", "paper", "data_set", "method", "fit", "task", "measure", "stage")
    | {"repetition": "int64"}
    | _of("float64", "wall_seconds", "cpu_seconds")
)

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
_MINIMIZED = (
    _TASK
    | _of("float64", "t", "C")
    | {"selected": "bool", "method": "string", "iteration": "int64"}
)
_SAMPLED = {
    "rows": {"distribution": "object", "n_samples": "int64", "method": "object", "trial": "int64"}
    | _of("float64", "value", "optimum")
}

STUDY_COLUMNS: dict[str, dict[Part, dict[str, str]]] = {
    "oracle_calls_by_C": _SWEEP,
    "oracle_calls_by_B": _SWEEP,
    "by_C": _SWEEP,
    "by_B": _SWEEP,
    "by_training_size": _SWEEP,
    "auxiliary_selection": {
        "rows": _TASK
        | {"measure": "string", "n_candidates": "Int64", "which": "string", "auxiliaries": "string"}
        | _of("float64", "C", "auxiliary_value", "capo_value")
        | _OUTCOME
    },
    "convergence": {
        "rows": _MINIMIZED
        | _of("float64", "primal", "dual", "visited", "bound")
        | _of("bool", "converged"),
        "seconds": _MINIMIZED | _of("float64", "cpu_seconds"),
    },
    "line_search": {
        "rows": _TASK
        | {"C": "float64", "iteration": "int64"}
        | _of("float64", "k", "before", "after")
    },
    "error_rate": {
        "rows": _TASK
        | {"algorithm_ordinary": "string"}
        | _of("float64", "C", "objective_multivariate", "objective_ordinary", "distance", "norm")
        | _of("int64", "n_test", "n_different")
    },
    "learnable": {
        "rows": _TASK
        | {"measure": "string"}
        | _of("int64", "n_train", "n_train_positives")
        | _of("bool", "learnable", "learnable_without_intercept")
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
"""Columns of the tables of each study and their types. Some studies have only rows or only times.
"""
