"""The configuration of studies: fits at given values, choice of auxiliaries, simulations."""

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
from beyond_accuracy_pipeline.datasets.faults import CheckedModel, Fault

Positives = NonEmpty[PositiveFloat]
Share = Annotated[float, Field(gt=0, le=1)]


class Study(CheckedModel):
    """Work of a paper besides the measurements of its methods."""

    job: Name | None = None
    """Job of the workflow; studies of a data set with the same job run in one. By default each
    study has its own. Results do not depend on it."""
    every_state: bool = False
    """Whether it is run in every random state of the paper, not in the first alone."""


class DataStudy(Study):
    """A study of data sets."""

    data_sets: Names = []
    """Data sets, all of the paper if the list is empty; others than the paper's are left out."""


class MeasureStudy(DataStudy):
    """A study of performance measures."""

    measures: Names = []
    """Measures, out of the paper's; all if the list is empty."""


class Sweep(MeasureStudy):
    """Fits at all combinations of given values of hyperparameters."""

    methods: Selection
    """Methods, out of `methods`."""
    C: Positives
    """Values of C, in SVM-perf's convention."""
    B: Positives | None = None
    """Penalties on the weights of auxiliaries; 1 if it is not given."""
    train_fraction: NonEmpty[Share] = [1.0]
    """Shares of the training set, each of which holds the smaller ones."""
    budget: PositiveFloat | None = None
    """Operations of each fit; the paper's if it is not given. Larger fits are not begun."""
    algorithm_1: bool = False
    """Whether to fit by Algorithm 1 (no line search, no warm start) to SVM-perf's accuracy."""
    max_iter: PositiveInt = 5000
    """Iterations of Algorithm 1 beyond which the status is `timeout`."""


class OracleCallSweep(Sweep):
    """Calls of the oracle of Algorithm 1 and its seconds."""

    algorithm_1: Literal[True] = True
    """It is always Algorithm 1."""
    repetitions: PositiveInt = 1
    """Fits of which seconds are the median; one of more than half a second is not repeated."""


class MatchingPenalty(MeasureStudy):
    """The B at which an auxiliary gets the weight 1, if there is one."""

    auxiliaries: Selection
    """Auxiliaries, out of `methods`."""
    C: PositiveFloat = 1.0
    """SVM-perf's C."""
    tol: PositiveFloat = 1e-5
    """Relative duality gap of each of the problems solved."""


def _widths_hold_the_default(widths) -> Iterator[Fault]:
    if 1 not in widths:
        yield Fault(("widths",), str(widths), "widths that hold 1, the default width")


class AuxiliarySelection(MeasureStudy):
    """Auxiliaries chosen by the target measure among core vector machines of many widths."""

    checks: ClassVar = (_widths_hold_the_default,)

    auxiliaries: Selection
    """Auxiliaries, out of `methods`, whose kernel has a width; as many are chosen."""
    widths: Positives
    """Factors on the width of each, ``gamma``; 1 has to be among them."""
    rows: PositiveInt
    """Examples of each training part on which candidates are compared."""
    C: Positives
    """Values of C of the adaptation, the cost of an example; they grow at both ends."""
    tol: PositiveFloat = 1e-3
    """Relative duality gap at which to stop."""
    max_iter: PositiveInt = 5000
    """Iterations at which to stop."""
    folds: Annotated[int, Field(ge=2)] | None = None
    """Folds of the cross-validation; those of the paper's model selection if it is not given."""


class Minimization(DataStudy):
    """Minimization of a cost-sensitive hinge loss by the bundle method."""

    t: PositiveFloat = 0.5
    """Target of F1: the costs are 2 − t of a missed positive and t of a false alarm."""
    mu: Share = 0.1
    """Of the bundle method: where between best point and model's minimizer to cut."""
    tol: PositiveFloat = 1e-3
    """Relative duality gap at which to stop."""


def _shown_is_run(C, C_shown) -> Iterator[Fault]:
    if C_shown not in C:
        yield Fault(("C_shown",), str(C_shown), f"C_shown must be one of C, {C}")


class Convergence(Minimization):
    """Minimizations of the same loss by several methods, followed iteration by iteration."""

    checks: ClassVar = (_shown_is_run,)

    C: Positives
    """LIBLINEAR's C, one minimization each."""
    C_shown: PositiveFloat
    """The one of `C` that figures show."""
    selected_by: Name | None = None
    """A method out of `methods` whose chosen t, C and mu are followed as well."""
    max_iter: PositiveInt = 10_000
    """Iterations at which to stop."""
    liblinear_rounds: NonEmpty[PositiveInt]
    """Rounds after which LIBLINEAR is stopped, one fit each."""


class LineSearch(Minimization):
    """One line search, with all its breakpoints."""

    C: PositiveFloat
    """LIBLINEAR's C."""
    iteration: PositiveInt = 5
    """Iteration whose line search is kept."""


SomeLabels = Annotated[int, Field(ge=2)]
EvenLabels = Annotated[int, Field(ge=4, multiple_of=2)]
EnumeratedLabels = Annotated[int, Field(ge=2, le=8)]


class DependentLabelsSimulation(Study):
    """Decisions from samples of the paper's model of dependent labels, in both codings."""

    n_trials: PositiveInt = 50
    """Repetitions."""
    n_labels: SomeLabels = 25
    """Number of labels."""
    sample_sizes: NonEmpty[PositiveInt]
    """Numbers of samples from which the probabilities are estimated."""


class IndependentLabelsSimulation(DependentLabelsSimulation):
    """Decisions from samples of independent labels."""

    probability: Fraction = 0.12
    """Probability of each label."""


class InferenceSecondsSimulation(Study):
    """Seconds of each inference method against the number of labels."""

    n_trials: PositiveInt = 50
    """Repetitions."""
    n_labels: NonEmpty[SomeLabels]
    """Numbers of labels."""
    n_samples: PositiveInt = 200
    """Samples of an example."""
    probability: Fraction = 0.12
    """Probability of each label, which is independent of the others."""
    n_examples: PositiveInt = 20
    """Examples decided at once in a trial; the original MEUF decides on one."""


class WorstCasesSimulation(Study):
    """Regrets on the distributions of the paper's two propositions."""

    n_labels: NonEmpty[EvenLabels]
    """Even numbers of labels."""
    many_labels: Each[SomeLabels] = []
    """More numbers of labels, for MEUF's regret on the first distribution alone."""
    enumerated_labels: Each[EnumeratedLabels] = []
    """Numbers of labels for the worst case of thresholds, and for GFM against all predictions."""


class ErrorRate(DataStudy):
    """The multivariate SVM for the error rate beside the ordinary SVM, which it equals."""

    C: PositiveFloat = 1.0
    """LIBLINEAR's C."""
    tol: PositiveFloat = 1e-4
    """Relative duality gap of both."""


class Learnable(Study):
    """Whether any C lets a measure be learned, for each class of a data set against the rest."""

    data_sets: dict[Name, Name]
    """Data sets of several classes, by the names of those of the paper that are made from them."""
    measures: Names = []
    """Measures, out of the paper's; all if the list is empty."""


class BinaryStudies(CheckedModel):
    """Studies of a binary paper; only the given ones are run."""

    oracle_calls_by_C: OracleCallSweep | None = None
    """Calls of the oracle against C."""
    oracle_calls_by_B: OracleCallSweep | None = None
    """Calls of the oracle against B."""
    by_C: Sweep | None = None
    """Performance and time against C; kernels have the selected width, as in every sweep."""
    by_B: Sweep | None = None
    """Performance and time against B."""
    by_training_size: Sweep | None = None
    """Performance and time against the share of the training set."""
    matching_B: MatchingPenalty | None = None
    """The B that reproduces an auxiliary of weight 1."""
    auxiliary_selection: AuxiliarySelection | None = None
    """Choice of auxiliaries by the target measure."""
    convergence: Convergence | None = None
    """Fits that are followed iteration by iteration."""
    line_search: LineSearch | None = None
    """The subdifferential along a line search."""
    error_rate: ErrorRate | None = None
    """The multivariate SVM for the error rate beside the ordinary SVM."""
    learnable: Learnable | None = None
    """Whether w = 0 is optimal for every C, class by class."""


class LabelStudies(CheckedModel):
    """Studies of a multi-label paper; only the given ones are run."""

    independent_labels: IndependentLabelsSimulation | None = None
    """The left panel of Figure 1."""
    dependent_labels: DependentLabelsSimulation | None = None
    """The central panel of Figure 1."""
    inference_seconds: InferenceSecondsSimulation | None = None
    """The right panel of Figure 1."""
    worst_cases: WorstCasesSimulation | None = None
    """Propositions 2.1 and 2.3."""
