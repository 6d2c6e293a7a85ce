"""The configuration of classifier adaptation: sweeps over given values, choice of auxiliaries."""

from typing import Annotated, Literal

from pydantic import Field, PositiveFloat, PositiveInt, model_validator

from beyond_accuracy.pipeline.configuration_parts import Name, Scalar, Selection, Strict

Positives = Annotated[list[PositiveFloat], Field(min_length=1)]
Shares = Annotated[list[Annotated[float, Field(gt=0, le=1)]], Field(min_length=1)]
KernelOfCandidates = Literal[
    "rbf", "poly", "laplacian", "inverse_distance", "inverse_square_distance"
]


class Refinement(Strict):
    """A second, finer comparison of candidates around the one chosen from the grid."""

    rows: PositiveInt
    """Examples of each fitted part on which they are compared."""

    factors: Annotated[dict[Name, Annotated[float, Field(gt=1)]], Field(min_length=1)]
    """Parameters of the grid, and by what each is multiplied and divided."""


class Sweep(Strict):
    """Fits at given values of hyperparameters, with C in SVM-perf's convention."""

    data_sets: Selection
    """Data sets; those that the paper does not select are left out."""

    methods: Selection
    """Methods, out of `methods`."""

    measures: list[Name] = []
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

    train_fraction: Shares
    """Shares of the training set."""


class MatchingPenalty(Strict):
    """The B at which an auxiliary gets the weight 1, if there is one."""

    data_sets: Selection
    """As in a sweep."""

    auxiliaries: Selection
    """Auxiliaries, out of `methods`."""

    measures: list[Name] = []
    """As in a sweep."""

    C: PositiveFloat = 1.0
    """SVM-perf's C."""

    tol: PositiveFloat = 1e-5
    """Relative duality gap of each of the problems solved."""


class Sweeps(Strict):
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


class AuxiliarySelection(Strict):
    """Auxiliaries chosen by the target measure among core vector machines of many widths."""

    data_sets: Selection
    """As in a sweep."""

    kernels: Annotated[list[KernelOfCandidates], Field(min_length=1)]
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

    @model_validator(mode="after")
    def _has_default(self) -> "AuxiliarySelection":
        if 1 not in self.widths:
            raise ValueError(f"widths must hold 1, the default width, found {self.widths}")
        return self
