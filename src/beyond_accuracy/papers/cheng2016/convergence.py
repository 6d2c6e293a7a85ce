"""The convergence runs: the same objective minimized by several methods."""

from dataclasses import dataclass

import pandas as pd

from beyond_accuracy.reporting.report import Report


@dataclass(frozen=True)
class FinalRow:
    """Where a minimization came to: iterations, relative gap, and whether that is small enough."""

    iterations: int
    relative_gap: float
    converged: bool


def relative_gaps(curves: pd.DataFrame) -> pd.Series:
    """(primal − bound)/primal of every row, the bound being the best of all methods."""
    keys = ["data_set", "task", "C"]
    bound = curves.groupby(keys)["dual"].transform("max")
    return (curves["primal"] - bound).clip(lower=0.0) / curves["primal"]


def final_rows(report: Report) -> dict[tuple[str, float, str], FinalRow]:
    """The end of every minimization by data set, C and method; tasks are added up.

    For LIBLINEAR, which knows no gap, it is the first row within `tol` of the best bound.
    """
    tol = report.configuration["studies"]["convergence"]["tol"]
    curves = report.results.study("convergence")
    curves = curves.assign(gap=relative_gaps(curves))
    final = {}
    for key, rows in curves.groupby(["data_set", "C", "method"], sort=False):
        ends = []
        for _, task in rows.groupby("task", sort=False):
            if task["dual"].isna().all():
                within = task[task["gap"] <= tol]
                end = within.iloc[0] if len(within) else task.iloc[-1]
                ends.append((int(end["iteration"]), float(end["gap"]), len(within) > 0))
            else:
                end = task.iloc[-1]
                own = (end["primal"] - end["dual"]) / end["primal"]
                ends.append((int(end["iteration"]), float(own), bool(end["converged"])))
        iterations, gaps, converged = zip(*ends, strict=True)
        final[key] = FinalRow(sum(iterations), max(gaps), all(converged))
    return final
