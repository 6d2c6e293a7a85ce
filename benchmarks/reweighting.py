"""Reweighting multi-class classifiers: evaluations of the objective, and fits of every method."""

import warnings

import numpy as np

from benchmarks.report import Section, significant
from benchmarks.timing import median_seconds
from beyond_accuracy.reweighting import (
    BoundaryMatrixReweighter,
    CoordinateDescentReweighter,
    ExactThreeClassReweighter,
    FractionalReweighter,
    GeneticReweighter,
    MetaClassReweighter,
    SequentialReweighter,
)
from beyond_accuracy.reweighting.objective import fractional_costs, group_scores
from beyond_accuracy.reweighting.score_blocks import average_costs_of_blocks, make_blocks
from beyond_accuracy_pipeline.reproduction import LinearProgramReweighter

_POPULATION = 20
_EVALUATIONS = 10
# Rows and classes of a large three-class problem, of nursery, of ten classes and of letter.
_SHAPES = ((10_000, 3), (12_960, 5), (10_000, 10), (20_000, 26))


def measure(tasks, sizes, repetitions, folder) -> Section:
    """Measure milliseconds per evaluation and seconds per fit, for costs of 1 … 10."""
    rows = []
    for n_full, m in _SHAPES:
        n = max(n_full // 30, 10 * m) if sizes.quick else n_full
        scores, y, costs = _problem(n, m)
        sharp, soft = _evaluations(scores, y, costs, repetitions)
        shared = (f"{n:,} × {m}", significant(sharp), significant(soft))
        rows += [
            (*shared, name, significant(elapsed), f"{objective:.4f}")
            for name, (elapsed, objective) in _fits(scores, y, costs, repetitions).items()
        ]
    return Section(
        "Reweighting multi-class classifiers",
        "Generated probabilities, and costs that are integers of 1 … 10. (1) and (15) are one "
        f"evaluation of these equations of Deng et al. (2006), in populations of {_POPULATION} "
        "weight vectors. LP is the normalized program, to a relative gap of 1e-6.",
        ("n × m", "(1), ms", "(15), ms", "method", "fit, s", "average cost"),
        rows,
    )


def _problem(n, m):
    rng = np.random.default_rng([7, n, m])
    y = rng.choice(m, size=n, p=np.arange(m, 0, -1) / (m * (m + 1) / 2))
    logits = 1.5 * rng.normal(size=(n, m)) + rng.normal(size=m)
    logits[np.arange(n), y] += 2.0
    scores = np.exp(logits)
    costs = rng.integers(1, 11, size=(m, m)).astype(float)
    np.fill_diagonal(costs, 0.0)
    return scores / scores.sum(axis=1, keepdims=True), y, costs


def _evaluations(scores, y, costs, repetitions):
    """Milliseconds of one evaluation of each objective."""
    grouped = group_scores(scores, y)
    population = np.random.default_rng(0).random((_POPULATION, grouped.n_classes))
    found = np.empty(_POPULATION)

    def evaluate(objective, *problem):
        for _ in range(_EVALUATIONS):
            objective(*problem, costs, population, found)

    functions = (
        lambda: evaluate(average_costs_of_blocks, make_blocks(grouped, costs)),
        lambda: evaluate(fractional_costs, grouped.values, grouped.starts),
    )
    for function in functions:
        function()
    timed = median_seconds(repetitions, *functions)
    return [1000 * elapsed / (_EVALUATIONS * _POPULATION) for elapsed, _ in timed]


def _fits(scores, y, costs, repetitions):
    """Seconds and average cost by method."""
    methods = {
        "sequential": SequentialReweighter(),
        "boundary matrix": BoundaryMatrixReweighter(),
        "MetaClass": MetaClassReweighter(),
        "LP": LinearProgramReweighter(normalization="sum"),
        "SOLFF": FractionalReweighter(random_state=0),
        "genetic": GeneticReweighter(random_state=0),
        "coordinate descent": CoordinateDescentReweighter(),
    }
    if scores.shape[1] == 3:
        methods["exact"] = ExactThreeClassReweighter()
    few = slice(0, 200)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for method in methods.values():
            method.fit(scores[few], y[few], costs)
    timed = median_seconds(
        repetitions,
        *(lambda method=method: method.fit(scores, y, costs) for method in methods.values()),
    )
    return {
        name: (elapsed, model.objective_)
        for name, (elapsed, model) in zip(methods, timed, strict=True)
    }
