"""The configuration of studies: fits at given values, choice of auxiliaries, simulations."""

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from pydantic import Field, PositiveFloat, PositiveInt

from beyond_accuracy.configuration.classifiers import parameter_faults, parameters_of
from beyond_accuracy.configuration.parts import Fraction, Name, Names, NonEmpty, Scalar, Selection
from beyond_accuracy.datasets.faults import CheckedModel, Fault

_MACHINE = "beyond_accuracy.estimators.CoreVectorMachine"

Positives = NonEmpty[PositiveFloat]
Share = Annotated[float, Field(gt=0, le=1)]
KernelOfCandidates = Literal[
    "rbf", "poly", "laplacian", "inverse_distance", "inverse_square_distance"
]


class Sweep(CheckedModel):
    """Fits at given values of hyperparameters, with C in SVM-perf's convention."""

    data_sets: Selection
    """Data sets; those that the paper does not select are left out."""
    methods: Selection
    """Methods, out of `methods`."""
    measures: Names = []
    """Measures, out of the paper's; all if the list is empty."""
    C: Positives
    """Values of C."""


class OracleCallSweep(Sweep):
    """Calls of the oracle of Algorithm 1 at SVM-perf's default accuracy."""

    max_iter: PositiveInt = 5000
    """Iterations beyond which the status is `timeout`."""


class PenaltySweep(Sweep):
    """Fits with several B."""

    B: Positives
    """Penalties on the weights of the auxiliaries."""


class TrainingSizeSweep(Sweep):
    """Fits to parts of the training set, each of which holds the smaller ones."""

    train_fraction: NonEmpty[Share]
    """Shares of the training set."""


class MatchingPenalty(CheckedModel):
    """The B at which an auxiliary gets the weight 1, if there is one."""

    data_sets: Selection
    """As in a sweep."""
    auxiliaries: Selection
    """Auxiliaries, out of `methods`."""
    measures: Names = []
    """As in a sweep."""
    C: PositiveFloat = 1.0
    """SVM-perf's C."""
    tol: PositiveFloat = 1e-5
    """Relative duality gap of each of the problems solved."""


class Sweeps(CheckedModel):
    """Sweeps to run; those that are not given are not."""

    oracle_calls_by_C: OracleCallSweep | None = None
    """Calls of the oracle against C."""
    by_C: Sweep | None = None
    """Performance and time against C."""
    by_B: PenaltySweep | None = None
    """Performance and time against B."""
    by_training_size: TrainingSizeSweep | None = None
    """Performance and time against the share of the training set."""
    matching_B: MatchingPenalty | None = None
    """The B that reproduces an auxiliary of weight 1."""


def _candidates_take_parameters(parameters) -> Iterator[Fault]:
    names = set(parameters_of(_MACHINE)) - {"kernel", "gamma"}
    yield from parameter_faults(("parameters",), _MACHINE, parameters, names=names)


def _widths_hold_the_default(widths) -> Iterator[Fault]:
    if 1 not in widths:
        yield Fault(("widths",), str(widths), "widths that hold 1, the default width")


class AuxiliarySelection(CheckedModel):
    """Auxiliaries chosen by the target measure among core vector machines of many widths."""

    checks: ClassVar = (_candidates_take_parameters, _widths_hold_the_default)

    data_sets: Selection
    """As in a sweep."""
    kernels: NonEmpty[KernelOfCandidates]
    """Kernels; as many candidates are chosen."""
    widths: Positives
    """Factors on the default width, the inverse mean squared distance; 1 has to be among them."""
    parameters: dict[Name, Scalar] = {}
    """Further parameters of the core vector machines."""
    rows: PositiveInt
    """Examples of each training part on which candidates are compared."""
    C: Positives
    """Values of C of the adaptation, the cost of an example; they grow at both ends."""
    tol: PositiveFloat = 1e-3
    """Relative duality gap at which to stop."""
    max_iter: PositiveInt = 5000
    """Iterations at which to stop."""


def _shown_is_run(C, C_shown) -> Iterator[Fault]:
    if C_shown not in C:
        yield Fault(("C_shown",), str(C_shown), f"C_shown must be one of C, {C}")


class Convergence(CheckedModel):
    """Minimizations of the same cost-sensitive hinge loss by several methods, on every data set."""

    checks: ClassVar = (_shown_is_run,)

    t: PositiveFloat = 0.5
    """Target of F1: the costs are 2 − t of a missed positive and t of a false alarm."""
    C: Positives
    """LIBLINEAR's C, one minimization each."""
    C_shown: PositiveFloat
    """The one of `C` that figures show."""
    mu: Share = 0.1
    """Of the bundle method: where between best point and model's minimizer to cut."""
    tol: PositiveFloat = 1e-3
    """Relative duality gap at which to stop."""
    max_iter: PositiveInt = 10_000
    """Iterations at which to stop."""
    liblinear_rounds: NonEmpty[PositiveInt]
    """Rounds after which LIBLINEAR is stopped, one fit each."""
    line_search_iteration: PositiveInt = 5
    """Iteration whose line search is kept, with all its breakpoints."""


SomeLabels = Annotated[int, Field(ge=2)]
EvenLabels = Annotated[int, Field(ge=4, multiple_of=2)]


class IndependentLabelsSimulation(CheckedModel):
    """Decisions from samples of independent labels."""

    n_trials: PositiveInt = 50
    """Repetitions."""
    n_labels: SomeLabels = 25
    """Number of labels."""
    probability: Fraction = 0.12
    """Probability of each label."""
    sample_sizes: NonEmpty[PositiveInt]
    """Numbers of samples from which the probabilities are estimated."""


class DependentLabelsSimulation(CheckedModel):
    """Decisions from samples of the paper's model of dependent labels, in both codings."""

    n_trials: PositiveInt = 50
    """Repetitions."""
    n_labels: SomeLabels = 25
    """Number of labels."""
    sample_sizes: NonEmpty[PositiveInt]
    """Numbers of samples from which the probabilities are estimated."""


class InferenceSecondsSimulation(CheckedModel):
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


class WorstCasesSimulation(CheckedModel):
    """Regrets on the distributions of the paper's two propositions."""

    n_labels: NonEmpty[EvenLabels]
    """Even numbers of labels."""


class Simulations(CheckedModel):
    """Simulations to run; those that are not given are not."""

    independent_labels: IndependentLabelsSimulation | None = None
    """The left panel of Figure 1."""
    dependent_labels: DependentLabelsSimulation | None = None
    """The central panel of Figure 1."""
    inference_seconds: InferenceSecondsSimulation | None = None
    """The right panel of Figure 1."""
    worst_cases: WorstCasesSimulation | None = None
    """Propositions 2.1 and 2.3."""
