"""Pydantic models of a multi-class paper's configuration: methods, folds and costs."""

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from pydantic import Field, PositiveInt

from beyond_accuracy.measures.multiclass import MULTICLASS_MEASURES
from beyond_accuracy_pipeline.configuration.classifiers import (
    ProbabilisticPath,
    ReweighterPath,
    grid_problems,
    parameter_problems,
)
from beyond_accuracy_pipeline.configuration.parts import (
    Each,
    Method,
    Name,
    Names,
    Paper,
    Scalar,
    Some,
    Values,
)
from beyond_accuracy_pipeline.datasets.problems import CheckedModel, Problem

MeasureName = Literal[*MULTICLASS_MEASURES]


def _classes_take_parameters(
    estimator, parameters, grid, reweighter, reweighter_parameters
) -> Iterator[Problem]:
    yield from parameter_problems(("parameters",), estimator, parameters, grid=grid)
    yield from grid_problems(estimator, grid)
    if reweighter is not None:
        yield from parameter_problems(("reweighter_parameters",), reweighter, reweighter_parameters)


def _decides_once(reweighter, decision) -> Iterator[Problem]:
    if reweighter is not None and decision != "most_probable":
        found = f"{decision!r} beside a reweighter, which decides by itself"
        yield Problem(("decision",), found, "only one of the two")


class MulticlassMethod(Method):
    """Settings of a method for multi-class data: a base classifier, and a rule for decisions."""

    checks: ClassVar = (_classes_take_parameters, _decides_once)

    estimator: ProbabilisticPath = "beyond_accuracy_pipeline.reproduction.NaiveBayes"
    """Full path of the base classifier, which needs ``predict_proba``."""
    grid: dict[Name, Values] = {}
    """Hyperparameters of the base classifier, selected by log-loss, and the values tried."""
    encode: bool = False
    """Whether the base classifier gets nominal columns one-hot encoded and numbers standardized."""
    calibration: Literal["sigmoid", "isotonic"] | None = None
    """Calibration of the base classifier's probabilities; none by default."""
    calibration_folds: Annotated[int, Field(ge=2)] = 3
    """Folds of the cross-validation for the calibration."""
    reweighter: ReweighterPath | None = None
    """Full path of the reweighter, a decision rule fitted to scores, such as
    ``beyond_accuracy.reweighting.GeneticReweighter``."""
    reweighter_parameters: dict[Name, Scalar] = {}
    """Parameters of the reweighter."""
    training_scores: Literal["resubstitution", "out_of_fold"] = "resubstitution"
    """Scores for fitting the reweighter: on the training set of the classifier, or out of fold."""
    decision: Literal["most_probable", "least_expected_cost"] = "most_probable"
    """Decision rule of a base classifier without reweighter."""
    keep: Literal["nothing", "tree"] = "nothing"
    """Whether the tree of a MetaClassReweighter is stored in addition to the predictions."""
    measures: Each[MeasureName] = []
    """Measures that the method is fitted for; all measures of the paper if the list is empty."""
    data_sets: Names = []
    """Selected data sets that the method is fitted to; all if the list is empty."""


class CrossValidation(CheckedModel):
    """Settings of the stratified cross-validation: the numbers of outer and inner folds."""

    n_folds: Annotated[int, Field(ge=2)] = 10
    """Number of outer folds, each of which is the test part once; all methods have the same."""
    n_inner_folds: Annotated[int, Field(ge=2)] = 5
    """Number of inner folds, into which a training part is split for out-of-fold scores."""


class CostMatrices(CheckedModel):
    """Settings of random cost matrices (whole numbers, zero diagonal), drawn per data set."""

    number: PositiveInt = 10
    """Number of cost matrices."""
    largest: PositiveInt = 10
    """Costs are drawn uniformly from 1 to this number."""


class MulticlassPaper(Paper):
    """Configuration of a paper with decision rules for the scores of multi-class classifiers."""

    protocol: Literal["multiclass"]
    """Which experiment is run."""
    measures: Some[MeasureName]
    """Measures: ``error_rate``, ``average_cost`` under each cost matrix,
    ``error_rate_out_of_fold`` and ``average_cost_out_of_fold`` (reweighters fitted to out-of-fold
    scores), ``balanced_error_rate`` (the mean of the classes' error rates), ``macro_f1_loss``
    (1 − macro-F1)."""
    methods: dict[Name, MulticlassMethod]
    """Catalogue of methods."""
    cross_validation: CrossValidation = CrossValidation()
    """How examples are divided into training and test parts."""
    cost_matrices: CostMatrices = CostMatrices()
    """The costs of errors."""
