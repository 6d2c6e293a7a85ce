"""Pydantic models of the settings of studies, which are additional experiments of papers."""

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from pydantic import Field, PositiveFloat, PositiveInt

from beyond_accuracy_pipeline.configuration.parts import (
    Each,
    Fraction,
    Name,
    Names,
    NonEmpty,
    Selection,
)
from beyond_accuracy_pipeline.datasets.problems import CheckedModel, Problem

PositiveFloats = NonEmpty[PositiveFloat]
Share = Annotated[float, Field(gt=0, le=1)]


class Study(CheckedModel):
    """Settings that all studies (additional experiments of a paper) have in common."""

    job: Name | None = None
    """Job of the workflow; studies with the same job run together, and results do not change."""
    every_state: bool = False
    """Whether the study is run for all seeds of the paper instead of the first only."""


class DataStudy(Study):
    """Settings of a study (additional experiment of a paper) that uses data sets."""

    data_sets: Names = []
    """Data sets; all of the paper if the list is empty."""


class MeasureStudy(DataStudy):
    """Settings of a study (additional experiment) that is repeated for several measures."""

    measures: Names = []
    """Measures, out of the paper's; all if the list is empty."""


class Sweep(MeasureStudy):
    """Settings of a study that fits methods at all combinations of hyperparameter values."""

    methods: Selection
    """Methods, out of `methods`."""
    C: PositiveFloats
    """Values of C, in SVM-perf's convention."""
    B: PositiveFloats | None = None
    """Penalties on the weights of auxiliary classifiers; 1 by default."""
    train_fraction: NonEmpty[Share] = [1.0]
    """Fractions of the training set; a larger sample contains the smaller ones."""
    budget: PositiveFloat | None = None
    """Largest number of operations per fit; by default, the paper's."""
    algorithm_1: bool = False
    """Whether to fit by Algorithm 1 (no line search, no warm start) to SVM-perf's accuracy."""
    max_iter: PositiveInt = 5000
    """Largest number of iterations of Algorithm 1; beyond it, the status is `timeout`."""


class OracleCallSweep(Sweep):
    """Settings of a study that counts an SVM's searches for the most violated constraint."""

    algorithm_1: Literal[True] = True
    """Always true: Algorithm 1 is used."""
    repetitions: PositiveInt = 1
    """Fits whose median time is reported; fits of more than half a second are not repeated."""


def _widths_hold_the_default(widths) -> Iterator[Problem]:
    if 1 not in widths:
        yield Problem(("widths",), str(widths), "widths that hold 1, the default width")


class AuxiliarySelection(MeasureStudy):
    """Settings of a study that selects CAPO's auxiliary classifiers by cross-validation.

    CAPO (classifier adaptation, Li et al. 2013) is a linear SVM whose additional features are the
    outputs of auxiliary classifiers, here kernel machines.
    """

    checks: ClassVar = (_widths_hold_the_default,)

    auxiliaries: Selection
    """Candidates, out of `methods`, whose kernel has a width; as many are selected as listed."""
    widths: PositiveFloats
    """Factors by which the default kernel width ``gamma`` is multiplied; they must include 1."""
    rows: PositiveInt
    """Number of examples of each training part to which candidates are fitted."""
    C: PositiveFloats
    """Values of C of CAPO, the cost per example; the grid may grow at both ends."""
    tol: PositiveFloat = 1e-3
    """Relative duality gap at which to stop."""
    max_iter: PositiveInt = 5000
    """Iterations at which to stop."""
    folds: Annotated[int, Field(ge=2)] | None = None
    """Folds of the cross-validation; by default those of the paper's model selection."""


class Minimization(DataStudy):
    """Settings of a study that minimizes a cost-sensitive hinge loss by cutting planes."""

    t: PositiveFloat = 0.5
    """Target value of F1: a missed positive costs 2 − t and a false alarm t."""
    mu: Share = 0.1
    """Place of the next cutting plane, between the best point (0) and the model's minimizer (1)."""
    tol: PositiveFloat = 1e-3
    """Relative duality gap at which to stop."""


def _shown_is_run(C, C_shown) -> Iterator[Problem]:
    if C_shown not in C:
        yield Problem(("C_shown",), str(C_shown), f"C_shown must be one of C, {C}")


class Convergence(Minimization):
    """Settings of a study that records, per iteration, how solvers minimize the same loss."""

    checks: ClassVar = (_shown_is_run,)

    C: PositiveFloats
    """Values of C in LIBLINEAR's convention; each is one minimization."""
    C_shown: PositiveFloat
    """The value of `C` that figures show."""
    selected_by: Name | None = None
    """A method out of `methods` whose selected t, C and mu are used for further minimizations."""
    max_iter: PositiveInt = 10_000
    """Iterations at which to stop."""
    liblinear_rounds: NonEmpty[PositiveInt]
    """Numbers of rounds after which LIBLINEAR is stopped; each is one fit."""


class LineSearch(Minimization):
    """Settings of a study that records the slopes along one line search of the bundle method."""

    C: PositiveFloat
    """LIBLINEAR's C."""
    iteration: PositiveInt = 5
    """Iteration whose line search is recorded."""


SomeLabels = Annotated[int, Field(ge=2)]
EvenLabels = Annotated[int, Field(ge=4, multiple_of=2)]
EnumeratedLabels = Annotated[int, Field(ge=2, le=8)]


class DependentLabelsSimulation(Study):
    """Settings of a study that predicts label vectors from samples of dependent labels."""

    n_trials: PositiveInt = 50
    """Repetitions."""
    n_labels: SomeLabels = 25
    """Number of labels."""
    sample_sizes: NonEmpty[PositiveInt]
    """Numbers of samples from which the probabilities are estimated."""


class IndependentLabelsSimulation(DependentLabelsSimulation):
    """Settings of a study that predicts label vectors from samples of independent labels."""

    probability: Fraction = 0.12
    """Probability of each label."""


class InferenceSecondsSimulation(Study):
    """Settings of a study that times predictions of label vectors, by the number of labels."""

    n_trials: PositiveInt = 50
    """Repetitions."""
    n_labels: NonEmpty[SomeLabels]
    """Numbers of labels."""
    n_samples: PositiveInt = 200
    """Number of samples per example."""
    probability: Fraction = 0.12
    """Probability of each label; the labels are independent."""
    n_examples: PositiveInt = 20
    """Number of examples decided together in a trial; the original MEUF decides on one."""


class WorstCasesSimulation(Study):
    """Settings of a study that computes how much expected F methods lose in bad cases."""

    n_labels: NonEmpty[EvenLabels]
    """Numbers of labels, which must be even."""
    many_labels: Each[SomeLabels] = []
    """Further numbers of labels, for the regret of MEUF by Proposition 2.1 only."""
    enumerated_labels: Each[EnumeratedLabels] = []
    """Numbers of labels for the worst case of thresholds and for GFM against all predictions."""


class ErrorRate(DataStudy):
    """Settings of a study that compares the SVM for the error rate with the ordinary SVM."""

    C: PositiveFloat = 1.0
    """LIBLINEAR's C."""
    tol: PositiveFloat = 1e-4
    """Relative duality gap of both SVMs."""


class Learnable(MeasureStudy):
    """Settings of a study that finds the classes for which w = 0 is not optimal."""

    data_sets: dict[Name, Name]
    """By data set of the paper, the multi-class data set from which it is derived."""


class BinaryStudies(CheckedModel):
    """Settings of each study on binary tasks; null means that the study is not run."""

    oracle_calls_by_C: OracleCallSweep | None = None
    """Number of searches for the most violated labelling, by C."""
    oracle_calls_by_B: OracleCallSweep | None = None
    """Number of searches for the most violated labelling, by B."""
    by_C: Sweep | None = None
    """Performance and time by C; kernels have the selected width, as in every sweep."""
    by_B: Sweep | None = None
    """Performance and time by B."""
    by_training_size: Sweep | None = None
    """Performance and time by the fraction of the training set."""
    auxiliary_selection: AuxiliarySelection | None = None
    """Selection of auxiliaries by the target measure."""
    convergence: Convergence | None = None
    """Objective of each method after each iteration."""
    line_search: LineSearch | None = None
    """Slopes along a line search."""
    error_rate: ErrorRate | None = None
    """Comparison of the multivariate SVM for the error rate with the ordinary SVM."""
    learnable: Learnable | None = None
    """Classes for which weights of zero are optimal for every C, so that the SVM learns nothing."""


class LabelStudies(CheckedModel):
    """Settings of each study on multi-label data; null means that the study is not run."""

    independent_labels: IndependentLabelsSimulation | None = None
    """The left panel of Figure 1."""
    dependent_labels: DependentLabelsSimulation | None = None
    """The central panel of Figure 1."""
    inference_seconds: InferenceSecondsSimulation | None = None
    """The right panel of Figure 1."""
    worst_cases: WorstCasesSimulation | None = None
    """Propositions 2.1 and 2.3."""
