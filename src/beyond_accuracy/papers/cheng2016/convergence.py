"""The convergence runs: the same objective minimized by several methods."""

import pandas as pd

from beyond_accuracy.reporting.report import Report


def relative_gaps(curves: pd.DataFrame) -> pd.Series:
    """(primal − bound)/primal of every row, the bound being the best of all methods."""
    keys = ["data_set", "task", "C"]
    bound = curves.groupby(keys)["dual"].transform("max")
    return (curves["primal"] - bound).clip(lower=0.0) / curves["primal"]


def final_rows(report: Report) -> pd.DataFrame:
    """The end of every minimization by data set, C and method; tasks are added up.

    Columns are `iterations`, `relative_gap` and whether that is small enough, `converged`. For
    LIBLINEAR, which knows no gap, the end is the first row within `tol` of the best bound.
    """
    tol = report.configuration["studies"]["convergence"]["tol"]
    keys = ["data_set", "C", "method"]
    curves = report.results.study("convergence")
    own = (curves["primal"] - curves["dual"]) / curves["primal"]
    gaps = own.fillna(relative_gaps(curves))
    within = own.isna() & (gaps <= tol)
    converged = within.where(own.isna(), curves["converged"].eq(True))
    last = ~curves.duplicated([*keys, "task"], keep="last")
    ends = curves.assign(relative_gap=gaps, converged=converged)[within | last]
    ends = ends.drop_duplicates([*keys, "task"]).groupby(keys, sort=False)
    return ends.agg(
        iterations=("iteration", "sum"),
        relative_gap=("relative_gap", "max"),
        converged=("converged", "all"),
    )
