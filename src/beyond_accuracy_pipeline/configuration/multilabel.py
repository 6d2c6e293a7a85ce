"""Pydantic models of a multi-label paper's configuration: label models and decision rules."""

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from beyond_accuracy.measures.multilabel import get_multilabel_measure
from beyond_accuracy_pipeline.configuration.classifiers import (
    LabelModelPath,
    ProbabilisticPath,
    grid_problems,
    parameter_problems,
)
from beyond_accuracy_pipeline.configuration.parts import (
    Bootstrap,
    Method,
    Name,
    Names,
    Paper,
    Scalar,
    Some,
    Values,
    accepted_by,
)
from beyond_accuracy_pipeline.configuration.studies import LabelStudies
from beyond_accuracy_pipeline.datasets.problems import CheckedModel, Problem
from beyond_accuracy_pipeline.experiments.label_decisions import Decision

LabelDecision = Annotated[Name, accepted_by(Decision.of)]
LabelMeasure = Annotated[Name, accepted_by(get_multilabel_measure)]


def _classifiers_take_parameters(
    estimator, parameters, base, base_parameters, grid
) -> Iterator[Problem]:
    yield from parameter_problems(("parameters",), estimator, parameters)
    yield from parameter_problems(("base_parameters",), base, base_parameters, grid=grid)
    yield from grid_problems(base, grid)


class MultilabelMethod(Method):
    """Settings of a method for multi-label data: a model of the labels, and decision rules."""

    checks: ClassVar = (_classifiers_take_parameters,)

    estimator: LabelModelPath
    """Full path of the model, such as ``beyond_accuracy.estimators.BinaryRelevance``."""
    base: ProbabilisticPath
    """Full path of the classifier of a single label."""
    base_parameters: dict[Name, Scalar] = {}
    """Fixed parameters of the label classifier."""
    grid: dict[Name, Values] = {}
    """Hyperparameters of the label classifier, and the values tried in cross-validation."""
    inference: Some[LabelDecision]
    """Decisions from the probabilities: ``marginal_threshold``, ``gfm``, ``gfm_threshold``,
    ``meuf_approx`` or ``meuf``, followed by ``_exact`` for all label vectors instead of samples;
    ``macro_f1_thresholds`` or ``micro_f1_threshold``, chosen on held-out folds. Each may end with
    ``_f2`` for another β."""
    data_sets: Names = []
    """Selected data sets that the model is fitted to; all if the list is empty."""


class LabelCrossValidation(CheckedModel):
    """Cross-validation that selects the hyperparameters of each label's classifier."""

    folds: Annotated[int, Field(ge=2)] = 3
    """Number of folds of the training set; the criterion is the log-loss."""


class MultilabelPaper(Paper):
    """Configuration of a paper on multi-label classification."""

    protocol: Literal["multilabel"]
    """Which experiment is run."""
    measures: Some[LabelMeasure]
    """Measures of label vectors that are reported."""
    methods: dict[Name, MultilabelMethod]
    """Catalogue of models."""
    selection: LabelCrossValidation = LabelCrossValidation()
    """Model selection."""
    studies: LabelStudies = LabelStudies()
    """Studies: simulations, and samples of chains."""
    bootstrap: Bootstrap = Bootstrap()
    """Bootstrap intervals."""
