"""The columns of a run's tables, and their pandas types."""

from typing import Any, Literal

Row = dict[str, Any]
Rows = list[Row]
Part = Literal["rows", "seconds"]
"""A study writes two files per data set: rows of results, and times, which differ between runs."""


def _columns(*groups: str) -> dict[str, str]:
    """Return {column: type} from texts such as "float64: low high"."""
    pairs = (group.split(": ") for group in groups)
    return {name: kind for kind, names in pairs for name in names.split()}


MISSING = ("unavailable", "faulty")
"""Statuses of data sets without arrays: no source was reached, or one had a wrong file. A method
that cannot take a data set is unavailable on it, too."""

VARIANT_COLUMNS = {"reading": "string", "state": "int64"}

MEASUREMENT_COLUMNS = _columns(
    "string: paper data_set task method measure",
    "int64: fold",
    "float64: value",
    "string: status reason",
)
"""Columns of the measurements of one variant. The file of all variants also has `VARIANT_COLUMNS`.
"""

FIT_COLUMNS = _columns(
    "string: paper data_set method fit task measure",
    "int64: fold",
    "string: status reason selected",
    "bool: fallback",
    "string: grid_limit",
    "boolean: converged degenerate",
    "Int64: n_train n_train_positives n_test n_test_positives n_iter n_iter_without_line_search",
    "boolean: converged_without_line_search",
    "float64: dual_gap objective kernel_error root_threshold",
    "string: left_out",
    "boolean: sparse",
)
"""`fit` is the key of a `Fit`. `degenerate` says whether the weights are 0, or no better than 0.
`kernel_error` is the share of a kernel's trace that its factor omits. `root_threshold` is the ratio
at which the first split of a tree of classes is made. `left_out` names the auxiliaries that predict
one class only. Values that do not apply to a method are missing. `sparse` is only set for binary
tasks."""

SECONDS_COLUMNS = _columns(
    "string: paper data_set method fit task measure stage",
    "int64: repetition",
    "float64: wall_seconds cpu_seconds",
)

_TASK = _columns("string: data_set task")
_SWEPT = _TASK | _columns("string: measure method", "float64: C B train_fraction", "Int64: n_train")
_SWEEP = {
    "rows": _SWEPT
    | _columns("float64: value", "string: status reason", "Int64: n_iter oracle_calls"),
    "seconds": _SWEPT | _columns("float64: cpu_seconds auxiliary_cpu_seconds"),
}
_MINIMIZED = _TASK | _columns(
    "float64: t C", "bool: selected", "string: method", "int64: iteration"
)
_SAMPLED = {
    "rows": _columns(
        "object: distribution",
        "int64: n_samples",
        "object: method",
        "int64: trial",
        "float64: value optimum",
    )
}

STUDY_COLUMNS: dict[str, dict[Part, dict[str, str]]] = {
    "oracle_calls_by_C": _SWEEP,
    "oracle_calls_by_B": _SWEEP,
    "by_C": _SWEEP,
    "by_B": _SWEEP,
    "by_training_size": _SWEEP,
    "auxiliary_selection": {
        "rows": _TASK
        | _columns("string: measure", "Int64: n_candidates", "string: which auxiliaries")
        | _columns("float64: C auxiliary_value capo_value", "string: status reason")
    },
    "convergence": {
        "rows": _MINIMIZED | _columns("float64: primal dual visited bound", "bool: converged"),
        "seconds": _MINIMIZED | _columns("float64: cpu_seconds"),
    },
    "line_search": {
        "rows": _TASK | _columns("float64: C", "int64: iteration", "float64: k before after")
    },
    "error_rate": {
        "rows": _TASK
        | _columns("string: algorithm_ordinary", "float64: C")
        | _columns("float64: objective_multivariate objective_ordinary distance norm")
        | _columns("int64: n_test n_different")
    },
    "learnable": {
        "rows": _TASK
        | _columns("string: measure", "int64: n_train n_train_positives")
        | _columns("bool: learnable learnable_without_intercept")
    },
    "independent_labels": _SAMPLED,
    "dependent_labels": _SAMPLED,
    "inference_seconds": {
        "seconds": _columns("int64: n_labels", "object: method", "int64: trial", "float64: seconds")
    },
    "worst_cases": {
        "rows": _columns("object: construction", "int64: n_labels", "object: method")
        | _columns("float64: expected_f optimum regret bound")
    },
}
"""Columns of the tables of each study and their types. Some studies have only rows or only times.
"""
