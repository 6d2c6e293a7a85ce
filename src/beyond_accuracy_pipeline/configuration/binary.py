"""The configuration of a binary paper: its methods, their grids and auxiliaries, its studies."""

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import Field, PositiveFloat, PositiveInt, model_validator

from beyond_accuracy.measures import get_measure
from beyond_accuracy_pipeline.configuration.classifiers import (
    ClassifierPath,
    grid_faults,
    parameter_faults,
    parameters_of,
)
from beyond_accuracy_pipeline.configuration.parts import (
    Bootstrap,
    Each,
    Fraction,
    Method,
    Name,
    Names,
    Paper,
    Scalar,
    Some,
    Values,
    accepted_by,
    unknown,
)
from beyond_accuracy_pipeline.configuration.studies import BinaryStudies
from beyond_accuracy_pipeline.datasets.faults import CheckedModel, Fault, KeyPath, suggestion
from beyond_accuracy_pipeline.experiments.methods import check_training

BinaryMeasure = Annotated[Name, accepted_by(get_measure)]


class Refinement(CheckedModel):
    """A second, finer comparison of candidates around the one chosen from the grid."""

    rows: PositiveInt
    """Examples of each fitted part on which they are compared."""
    factors: Annotated[dict[Name, Annotated[float, Field(gt=1)]], Field(min_length=1)]
    """Parameters of the grid, and by what each is multiplied and divided."""


def _classifier_takes_parameters(
    estimator,
    parameters,
    selection_parameters,
    measure_parameters,
    grid,
    extend_grid,
    max_extensions,
) -> list[Fault]:
    of_measures = [
        fault
        for measure, own in measure_parameters.items()
        for fault in parameter_faults(("measure_parameters", measure), estimator, own, grid=grid)
    ]
    return [
        *of_measures,
        *parameter_faults(("parameters",), estimator, parameters, grid=grid),
        *parameter_faults(("selection_parameters",), estimator, selection_parameters, grid=grid),
        *grid_faults(estimator, grid, extend_grid, max_extensions),
    ]


def _compares_rows_with_a_kernel(grid, selection_rows, refinement) -> Iterator[Fault]:
    given = {"selection_rows": selection_rows, "refinement": refinement}
    if "gamma" not in grid:
        for name in (name for name, value in given.items() if value is not None):
            found = f"{name} of a method without a kernel"
            yield Fault((name,), found, "nothing: its candidates see all examples")
    elif refinement is not None:
        for name in (factor for factor in refinement.factors if factor not in grid):
            found = f"{name!r}, which is not in the grid"
            yield Fault(("refinement", "factors", name), found, suggestion(name, grid))


def _thresholds_are_tuned_in_selection(grid, tune_threshold) -> Iterator[Fault]:
    if tune_threshold and not grid:
        found = "a threshold to be tuned, but nothing is selected: the grid is empty"
        yield Fault(("tune_threshold",), found, "a grid, of one value if need be")


class BinaryMethod(Method):
    """One method of a paper: a classifier, and the values that model selection chooses from."""

    checks: ClassVar = (
        _classifier_takes_parameters,
        _compares_rows_with_a_kernel,
        _thresholds_are_tuned_in_selection,
    )

    estimator: ClassifierPath
    """Full path of a scikit-learn classifier, e.g. ``sklearn.svm.LinearSVC``."""
    auxiliaries: Names = []
    """Auxiliary classifiers of adaptation or the weighted ensemble: other methods of `methods` with
    an empty grid."""
    selection_parameters: dict[Name, Scalar] = {}
    """Parameters that differ while candidates are compared, such as a looser ``tol``."""
    measures: Each[BinaryMeasure] = []
    """Measures that the method is fitted for; all measures of the paper if the list is empty."""
    measure_parameters: dict[BinaryMeasure, dict[Name, Scalar]] = {}
    """Parameters of the fits for some measures alone, over `parameters`."""
    grid: dict[Name, Values]
    """Parameters that model selection chooses, and the values tried for each."""
    selection_rows: PositiveInt | None = None
    """For kernels: examples of each fitted part on which candidates are compared; all by default. A
    candidate that cannot be the best any more is not fitted to further parts."""
    refinement: Refinement | None = None
    """For kernels: a finer comparison around the candidate chosen."""
    repetitions: PositiveInt | None = None
    """Repetitions of each final fit; the paper's if it is not given."""
    random_state_of: Name | None = None
    """A method whose random state this one has. Candidates of both are then the same fits, which
    are made once if the methods share a `job`."""
    extend_grid: dict[Name, Literal["both", "lower", "upper", "none"]] = {}
    """Ends at which the values of a parameter grow if the value chosen most often is the last. The
    values must be positive numbers; they go on by the ratio of the last two."""
    max_extensions: Annotated[int, Field(ge=0)] = 3
    """How many values may be added at each end."""
    tune_threshold: bool = False
    """Whether candidates are compared at the best threshold for their validation scores. The chosen
    threshold is subtracted from the decision values of the final fit."""
    score_signs: bool = False
    """Whether its test scores are the signs of its decision values, so that a ranking measure sees
    no more than its predictions. Methods that use it as an auxiliary are not affected."""
    oversample: Literal["smote"] | None = None
    """Whether the smaller class of each fitted part is oversampled (SMOTE, imbalanced-learn)."""
    count_iterations_without_line_search: bool = False
    """Whether each final fit of a multivariate SVM is repeated without line search, to SVM-perf's
    default tolerance, to count its cutting planes, at most 500."""

    @property
    def trains_on_a_measure(self) -> bool:
        """Whether the method is fitted for each measure, and not only selected by it."""
        return "measure" in parameters_of(self.estimator)

    @property
    def adapts(self) -> bool:
        """Whether the method has auxiliaries."""
        return "auxiliaries" in parameters_of(self.estimator)


class ModelSelection(CheckedModel):
    """How hyperparameters are chosen: by a holdout, which is the default, or by folds."""

    holdout: Fraction | None = None
    """Fraction of the training set held out to score candidates (stratified); 1/3 by default."""
    folds: Annotated[int, Field(ge=2)] | None = None
    """Number of stratified folds over which candidates' scores are averaged."""
    ties: BinaryMeasure | None = None
    """Held-out measure that breaks ties; null takes the middle candidate of the grid."""

    @model_validator(mode="after")
    def _exactly_one(self) -> "ModelSelection":
        if self.holdout is not None and self.folds is not None:
            raise ValueError("only one of holdout and folds; set the other to null")
        if self.holdout is None and self.folds is None:
            self.holdout = 1 / 3
        return self


class TaskSample(CheckedModel):
    """Rows and tasks that a comparison over many data sets takes of each; see `sample_tasks`."""

    train: PositiveInt
    """Rows of the training part, at most; in proportion to the classes."""
    test: PositiveInt
    """Rows of the test part, at most. A data set without one gets a third of its rows as such."""
    tasks: PositiveInt
    """Classes or labels of a data set, at most, at even ranks from the rarest to the commonest."""
    positives: PositiveInt = 10
    """Training rows that a class is expected to have, at least."""


def _methods_train_on_measures(measures, methods_selected, methods) -> Iterator[Fault]:
    for name, method in methods.items():
        key = ("methods", name, "measures") if method.measures else ("measures",)
        of_paper = measures if name in methods_selected else ()
        for index, measure in enumerate(method.measures or of_paper):
            try:
                check_training(method.model_dump(), measure)
            except ValueError as error:
                found = f"{measure!r}, for which {name} is to be trained"
                yield Fault((*key, index), found, str(error))


def _of_kind(key: KeyPath, names, kind: str, methods: Mapping, valid, what: str) -> Iterator[Fault]:
    """Yield the names at `key` that are not methods, or not `valid` methods."""
    yield from unknown(key, names, kind, methods)
    for index, name in enumerate(names):
        if name in methods and name not in valid:
            found = f"{name!r}, which is no {kind} {what}"
            yield Fault((*key, index), found, suggestion(name, valid))


def _auxiliaries(methods) -> list[str]:
    return [
        name
        for name, method in methods.items()
        if not method.grid and not method.trains_on_a_measure
    ]


def _auxiliaries_are_methods(methods) -> Iterator[Fault]:
    valid = _auxiliaries(methods)
    for name, method in methods.items():
        key = ("methods", name, "auxiliaries")
        if method.adapts and not method.auxiliaries:
            listing = ", ".join(valid) or "none; give a classifier an empty grid"
            yield Fault(key, "no auxiliary", f"one or several of: {listing}")
        if method.auxiliaries and not method.adapts:
            found = f"auxiliaries of {method.estimator}, which takes none"
            yield Fault(key, found, "none, or a CAPOClassifier")
        else:
            names = method.auxiliaries
            yield from _of_kind(key, names, "auxiliary", methods, valid, "with an empty grid")


def _random_states_are_of_methods(methods) -> Iterator[Fault]:
    for name, method in methods.items():
        if (other := method.random_state_of) is not None and other not in methods:
            key = ("methods", name, "random_state_of")
            yield Fault(key, f"unknown method {other!r}", suggestion(other, methods))


def _studies_name_what_there_is(
    studies, measures, methods_selected, methods, selection, context
) -> Iterator[Fault]:
    for study, settings in studies:
        if settings is None:
            continue
        key = ("studies", study)
        own = getattr(settings, "measures", [])
        names = [*settings.data_sets]
        if isinstance(settings.data_sets, Mapping):
            names += settings.data_sets.values()
        yield from unknown((*key, "data_sets"), names, "data set", context.data_sets)
        yield from unknown((*key, "measures"), own, "measure", measures)
        if hasattr(settings, "auxiliaries"):
            place, names = (*key, "auxiliaries"), settings.auxiliaries
            valid, what = _auxiliaries(methods), "with an empty grid"
            if hasattr(settings, "widths"):
                valid = [
                    name for name in valid if "gamma" in parameters_of(methods[name].estimator)
                ]
                what = "with a kernel"
            yield from _of_kind(place, names, "auxiliary", methods, valid, what)
        if hasattr(settings, "methods"):
            yield from _swept_methods(key, settings, methods_selected, methods)
        if getattr(settings, "selected_by", None):
            valid = [name for name, method in methods.items() if {"t", "C"} <= method.grid.keys()]
            place, names, what = (*key, "selected_by"), [settings.selected_by], "with t and C"
            yield from _of_kind(place, names, "method", methods, valid, what)
        if hasattr(settings, "folds") and not (settings.folds or selection.folds):
            found = "auxiliaries chosen by cross-validation, but no folds"
            yield Fault(key, found, "selection: {folds: 5}")


def _swept_methods(key, settings, methods_selected, methods) -> Iterator[Fault]:
    valid = {name for name, m in methods.items() if "C" in m.grid and m.trains_on_a_measure}
    what = "whose grid holds C and that is trained on the measure"
    if settings.B:
        valid, what = {name for name in valid if methods[name].adapts}, "with auxiliaries"
    elif key[-1] == "oracle_calls_by_C":
        valid = {name for name in valid if "gamma" not in methods[name].grid}
        what = "without a kernel"
    place = (*key, "methods")
    yield from _of_kind(place, settings.methods, "method", methods, valid, what)
    for index, name in enumerate(settings.methods):
        if name in valid and "gamma" in methods[name].grid and name not in methods_selected:
            found = f"{name!r}, which is not selected, so that its kernel has no width"
            yield Fault((*place, index), found, f"add {name!r} to methods_selected")


class BinaryPaper(Paper):
    """A paper whose methods are binary classifiers: one task for each class of a data set."""

    checks: ClassVar = (
        *Paper.checks,
        _methods_train_on_measures,
        _auxiliaries_are_methods,
        _random_states_are_of_methods,
        _studies_name_what_there_is,
    )

    protocol: Literal["binary"]
    """Which experiment is run."""
    measures: Some[BinaryMeasure]
    """Performance measures, each of which is optimized by model selection and reported."""
    methods: dict[Name, BinaryMethod]
    """Catalogue of methods."""
    selection: ModelSelection = ModelSelection()
    """Model selection."""
    sample: TaskSample | None = None
    """Sample of each data set, drawn anew in each random state; all rows by default."""
    repetitions: PositiveInt = 1
    """Repetitions of each final fit, for the median of its seconds. No repetition is begun after 20
    processor seconds."""
    budget: PositiveFloat | None = None
    """Operations of one measure on one data set, selection and final fits together, beyond which
    its status is `timeout`; no limit by default. An operation multiplies a stored feature value: a
    solver's iteration takes two per value, a kernel's factor its rank squared per example."""
    studies: BinaryStudies = BinaryStudies()
    """Studies: fits at given values of hyperparameters, or followed iteration by iteration."""
    bootstrap: Bootstrap = Bootstrap()
    """Bootstrap intervals."""
