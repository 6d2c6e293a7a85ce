"""The configuration of a multi-label paper: its models, their decisions, its simulations."""

from typing import Annotated, Literal

from pydantic import Field, PositiveInt

from beyond_accuracy.pipeline.configuration_parts import (
    Bootstrap,
    Claim,
    DottedPath,
    Fraction,
    Name,
    Scalar,
    Selection,
    Significance,
    Strict,
)


class LabelMethodConfiguration(Strict):
    """One model of a multi-label paper, and what is decided from it."""

    estimator: DottedPath
    """Full path of the model: a classifier chain or binary relevance."""

    parameters: dict[Name, Scalar] = {}
    """Fixed parameters of the model."""

    base: DottedPath
    """Full path of the classifier of a single label."""

    base_parameters: dict[Name, Scalar] = {}
    """Fixed parameters of that classifier."""

    grid: dict[Name, Annotated[list[Scalar], Field(min_length=1)]] = {}
    """Parameters of that classifier that are chosen by cross-validation, and the
    values tried, kept as they are written; nothing is chosen if it is empty."""

    inference: Selection
    """What is decided from the probabilities: ``marginal_threshold``, ``gfm``, ``gfm_threshold``,
    ``meuf_approx`` or ``meuf``, followed by ``_exact`` for all label vectors in place of samples
    and by ``_f2`` for another β."""

    data_sets: list[Name] = []
    """Data sets that the model is fitted to; all of the paper if the list is empty."""


class LabelCrossValidation(Strict):
    """How the hyperparameters of each label's classifier are chosen."""

    folds: Annotated[int, Field(ge=2)] = 3
    """Number of folds of the training set; the criterion is the log-loss."""


Sizes = Annotated[list[PositiveInt], Field(min_length=1)]
SomeLabels = Annotated[int, Field(ge=2)]
EvenLabels = Annotated[int, Field(ge=4, multiple_of=2)]


class IndependentLabelsSimulation(Strict):
    """Decisions from samples of independent labels."""

    n_trials: PositiveInt = 50
    """Repetitions."""

    n_labels: SomeLabels = 25
    """Number of labels."""

    probability: Fraction = 0.12
    """Probability of each label."""

    sample_sizes: Sizes
    """Numbers of samples from which the probabilities are estimated."""


class DependentLabelsSimulation(Strict):
    """Decisions from samples of the paper's model of dependent labels, in both codings."""

    n_trials: PositiveInt = 50
    """Repetitions."""

    n_labels: SomeLabels = 25
    """Number of labels."""

    sample_sizes: Sizes
    """Numbers of samples from which the probabilities are estimated."""


class InferenceSecondsSimulation(Strict):
    """Seconds of each inference method against the number of labels."""

    n_trials: PositiveInt = 50
    """Repetitions."""

    n_labels: Annotated[list[SomeLabels], Field(min_length=1)]
    """Numbers of labels."""

    n_samples: PositiveInt = 200
    """Samples of an example."""

    probability: Fraction = 0.12
    """Probability of each label, which is independent of the others."""

    n_examples: PositiveInt = 20
    """Examples decided at once in a trial; the original MEUF decides on one."""


class WorstCasesSimulation(Strict):
    """Regrets on the distributions of the paper's two propositions."""

    n_labels: Annotated[list[EvenLabels], Field(min_length=1)]
    """Even numbers of labels."""


class Simulations(Strict):
    """Simulations to run; those that are not given are not."""

    independent_labels: IndependentLabelsSimulation | None = None
    """The left panel of Figure 1."""

    dependent_labels: DependentLabelsSimulation | None = None
    """The central panel of Figure 1."""

    inference_seconds: InferenceSecondsSimulation | None = None
    """The right panel of Figure 1."""

    worst_cases: WorstCasesSimulation | None = None
    """Propositions 2.1 and 2.3."""


class MultilabelPaper(Strict):
    """A paper whose methods predict label vectors: all decisions from one model of the labels."""

    protocol: Literal["multilabel"]
    """Which experiment is run."""

    data_sets: Selection
    """Selected data sets: names of files of ``config/datasets/``."""

    measures: Selection
    """Measures of label vectors that are reported."""

    methods_selected: Selection
    """Selected models, out of `methods`."""

    methods: dict[Name, LabelMethodConfiguration]
    """Catalogue of models."""

    selection: LabelCrossValidation = LabelCrossValidation()
    """Model selection."""

    simulations: Simulations = Simulations()
    """Simulations."""

    bootstrap: Bootstrap = Bootstrap()
    """Bootstrap intervals."""

    significance: Significance = Significance()
    """Significance tests."""

    tables: list[Name] = []
    """Selected tables."""

    figures: list[Name] = []
    """Selected figures."""

    claims: list[Claim] = []
    """Claims of the paper and the rules of their verdicts."""
