"""Against the enumeration of all contingency tables, inside the same solver."""

import dataclasses
import sys
from functools import partial

import numpy as np

from benchmarks.enumerating_oracles import make_enumerating_oracle
from benchmarks.report import Section, significant
from benchmarks.tasks import gaussians
from benchmarks.timing import median_seconds, seconds
from beyond_accuracy.measures import get_measure
from beyond_accuracy.solvers import CuttingPlaneSolver
from beyond_accuracy.solvers.data_matrix import DataMatrix
from beyond_accuracy.solvers.oracles import make_oracle

_MEASURES = ("f1", "prbep", "recall_at_2p")
_TOLERANCE = 1e-3


def measure(tasks, sizes, repetitions, folder) -> Section:
    """Whole fits where they end in reasonable time, and single searches on the rest."""
    _compile()
    rows = []
    for task in tasks:
        small = task.first_rows(sizes.enumerated_rows)
        for name in _MEASURES:
            rows.extend(_rows_of_fits(small, name, repetitions))
    for task in tasks:
        for name in _MEASURES:
            rows.append(_row_of_searches(task, name, repetitions))
    return Section(
        "Against the enumeration of contingency tables",
        "The same solver, once with the search of this package and once with a compiled double "
        "loop over all (P + 1)(N + 1) tables, which is how the public codes search. With "
        "Algorithm 1 of Joachims (2005) in place of the line search, the enumeration does all that "
        "they do; it is compared with this package as it is. All fits are to a relative gap of "
        f"{_TOLERANCE:g} (Rec@2p over at most k); the enumeration is timed once. As whole fits "
        "take it too long on all of the data, there one search at the optimal scores is timed.",
        ("data", "measure", "what", "enumeration, s", "this package, s", "ratio", "primals"),
        rows,
    )


def _parts(task, name):
    loss = get_measure(name).loss
    if name.startswith("recall_at_"):
        loss = dataclasses.replace(loss, at_most=True)
    n_positives = task.n_positives
    return loss, n_positives, len(task.positive) - n_positives


def fit(task, name, oracle_of, line_search=True):
    """Fit with a search made by `oracle_of(loss, n_positives, n_negatives)`."""
    oracle = oracle_of(*_parts(task, name))
    solver = CuttingPlaneSolver(DataMatrix(task.X, task.positive), oracle, line_search=line_search)
    return solver.solve(task.C, tol=_TOLERANCE)


def _rows_of_fits(task, name, repetitions):
    ((ours, solution),) = median_seconds(repetitions, partial(fit, task, name, make_oracle))
    for what, line_search in (("fit", True), ("fit, Algorithm 1", False)):
        theirs, other = seconds(partial(fit, task, name, make_enumerating_oracle, line_search))
        primals = f"{other.objective:.6g} and {solution.objective:.6g}"
        yield _row(task, name, what, theirs, ours, primals)


def _row_of_searches(task, name, repetitions):
    loss, n_positives, n_negatives = _parts(task, name)
    data = DataMatrix(task.X, task.positive)
    oracle = make_oracle(loss, n_positives, n_negatives)
    solution = CuttingPlaneSolver(data, oracle).solve(task.C, tol=_TOLERANCE)
    scores = np.empty(data.n_samples)
    data.scores(solution.w, scores)
    enumerating = make_enumerating_oracle(loss, n_positives, n_negatives)
    ((ours, _),) = median_seconds(max(repetitions, 5), lambda: oracle.search(scores))
    theirs, _ = seconds(lambda: enumerating.search(scores))
    return _row(task, name, "one search", theirs, ours, "")


def _row(task, name, what, theirs, ours, primals):
    label = get_measure(name).label
    print(f"  {task.name}  {label}  {what}  {theirs:.3g}  {ours:.3g}", file=sys.stderr, flush=True)
    ratio = f"{significant(theirs / ours)}×"
    return task.name, label, what, significant(theirs), significant(ours), ratio, primals


def _compile():
    tiny = gaussians(60, 3, positive_share=0.2)
    for name in _MEASURES:
        fit(tiny, name, make_oracle)
        fit(tiny, name, make_enumerating_oracle)
