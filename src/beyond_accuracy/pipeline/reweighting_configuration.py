"""The configuration of a multi-class paper: decision rules for class scores, folds and costs."""

from typing import Annotated, Literal

from pydantic import Field, PositiveInt

from beyond_accuracy.pipeline.configuration_parts import (
    Claim,
    DottedPath,
    Name,
    Scalar,
    Selection,
    Significance,
    Strict,
)

MulticlassMeasure = Literal["error_rate", "average_cost", "error_rate_out_of_fold"]


class ReweightingMethod(Strict):
    """One method of a multi-class paper: a base classifier and a decision rule for its scores."""

    estimator: DottedPath = "beyond_accuracy.estimators.NaiveBayes"
    """Full path of the base classifier, which needs ``predict_proba``. If it has parameters for
    nominal columns, it is told which these are."""

    parameters: dict[Name, Scalar] = {}
    """Parameters of the base classifier."""

    calibration: Literal["sigmoid", "isotonic"] | None = None
    """Calibration of the base classifier's probabilities, or none."""

    calibration_folds: Annotated[int, Field(ge=2)] = 3
    """Folds of the cross-validation that calibrates."""

    reweighter: DottedPath | None = None
    """Full path of the reweighter, e.g. ``beyond_accuracy.reweighting.GeneticReweighter``; without
    one the base classifier decides by itself."""

    reweighter_parameters: dict[Name, Scalar] = {}
    """Parameters of the reweighter."""

    training_scores: Literal["resubstitution", "out_of_fold"] = "resubstitution"
    """Scores that the reweighter is fitted to: of the examples that the base classifier was fitted
    to, or of an inner cross-validation; ``error_rate_out_of_fold`` is always of the latter."""

    decision: Literal["most_probable", "least_expected_cost"] = "most_probable"
    """What a base classifier without reweighter predicts."""

    keep: Literal["nothing", "tree", "surface"] = "nothing"
    """What is kept of a data set besides predictions: the tree of metaclasses, or (three classes)
    the operating points of a lattice of weights."""

    measures: list[Name] = []
    """Measures that the method is fitted for; all measures of the paper if the list is empty."""

    data_sets: list[Name] = []
    """Data sets that the method is fitted to; all of the paper if the list is empty."""


class CrossValidation(Strict):
    """Stratified cross-validation."""

    n_folds: Annotated[int, Field(ge=2)] = 10
    """Folds, the same for every method."""

    n_inner_folds: Annotated[int, Field(ge=2)] = 5
    """Folds of the training part by which out-of-fold scores are made."""


class CostMatrices(Strict):
    """Random cost matrices: whole numbers, zero diagonal, drawn anew for each data set."""

    number: PositiveInt = 10
    """How many."""

    largest: PositiveInt = 10
    """Costs are drawn uniformly from 1 to this number."""


class MulticlassPaper(Strict):
    """A paper whose methods are decision rules for the scores of a multi-class classifier."""

    protocol: Literal["multiclass"]
    """Which experiment is run."""

    data_sets: Selection
    """Selected data sets: names of files of ``config/datasets/``."""

    measures: Annotated[list[MulticlassMeasure], Field(min_length=1)]
    """What is measured: the error rate, the average cost under each cost matrix, and the error
    rate with reweighters fitted to out-of-fold scores."""

    methods_selected: Selection
    """Selected methods, out of `methods`."""

    methods: dict[Name, ReweightingMethod]
    """Catalogue of methods."""

    cross_validation: CrossValidation = CrossValidation()
    """How examples are divided into training and test parts."""

    cost_matrices: CostMatrices = CostMatrices()
    """The costs of errors."""

    significance: Significance = Significance()
    """Significance tests over data sets; tests over folds are at 5 %."""

    tables: list[Name] = []
    """Selected tables."""

    figures: list[Name] = []
    """Selected figures."""

    claims: list[Claim] = []
    """Claims of the paper and the rules of their verdicts."""
