"""The configuration of a multi-label paper: its models, and the decisions from them."""

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from beyond_accuracy.measures.multilabel import get_multilabel_measure
from beyond_accuracy_pipeline.configuration.classifiers import (
    LabelClassifierPath,
    LabelModelPath,
    grid_faults,
    parameter_faults,
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
from beyond_accuracy_pipeline.datasets.faults import CheckedModel, Fault
from beyond_accuracy_pipeline.experiments.label_decisions import Decision

LabelDecision = Annotated[Name, accepted_by(Decision.of)]
LabelMeasure = Annotated[Name, accepted_by(get_multilabel_measure)]


def _classifiers_take_parameters(
    estimator, parameters, base, base_parameters, grid
) -> Iterator[Fault]:
    yield from parameter_faults(("parameters",), estimator, parameters)
    yield from parameter_faults(("base_parameters",), base, base_parameters, grid=grid)
    yield from grid_faults(base, grid)


class MultilabelMethod(Method):
    """One model of a multi-label paper, and the decisions from it."""

    checks: ClassVar = (_classifiers_take_parameters,)

    estimator: LabelModelPath
    """Full path of the model: a classifier chain, binary relevance or EFP."""
    base: LabelClassifierPath
    """Full path of the classifier of a single label."""
    base_parameters: dict[Name, Scalar] = {}
    """Fixed parameters of that classifier."""
    grid: dict[Name, Values] = {}
    """Parameters of that classifier that cross-validation chooses, and the values tried."""
    inference: Some[LabelDecision]
    """Decisions from the probabilities: ``marginal_threshold``, ``gfm``, ``gfm_threshold``,
    ``meuf_approx`` or ``meuf``, followed by ``_exact`` for all label vectors instead of samples;
    ``macro_f1_thresholds`` or ``micro_f1_threshold``, chosen on held-out folds. Each may end with
    ``_f2`` for another β."""
    data_sets: Names = []
    """Selected data sets that the model is fitted to; all if the list is empty."""


class LabelCrossValidation(CheckedModel):
    """How the hyperparameters of each label's classifier are chosen."""

    folds: Annotated[int, Field(ge=2)] = 3
    """Number of folds of the training set; the criterion is the log-loss."""


class MultilabelPaper(Paper):
    """A paper whose methods predict label vectors: all decisions from one model of the labels."""

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
