"""Pydantic models of a binary paper's configuration: methods, grids, auxiliaries and studies."""

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import Field, PositiveFloat, PositiveInt, model_validator

from beyond_accuracy.measures import get_measure
from beyond_accuracy_pipeline.configuration.classifiers import (
    ClassifierPath,
    grid_problems,
    parameter_problems,
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
from beyond_accuracy_pipeline.datasets.problems import CheckedModel, KeyPath, Problem, suggestion
from beyond_accuracy_pipeline.experiments.methods import check_training

BinaryMeasure = Annotated[Name, accepted_by(get_measure)]


class Refinement(CheckedModel):
    """Settings of a second, finer comparison of candidates around the grid's best candidate."""

    rows: PositiveInt
    """Number of examples of each training part to which the candidates are fitted."""
    factors: Annotated[dict[Name, Annotated[float, Field(gt=1)]], Field(min_length=1)]
    """Factor by which each hyperparameter is multiplied and divided."""


def _classifier_takes_parameters(
    estimator,
    parameters,
    selection_parameters,
    measure_parameters,
    grid,
    extend_grid,
    max_extensions,
) -> Iterator[Problem]:
    given = {("parameters",): parameters, ("selection_parameters",): selection_parameters}
    for measure, of_measure in measure_parameters.items():
        given["measure_parameters", measure] = of_measure
    for key, values in given.items():
        yield from parameter_problems(key, estimator, values, grid=grid)
    yield from grid_problems(estimator, grid, extend_grid, max_extensions)


def _compares_rows_with_a_kernel(grid, selection_rows, refinement) -> Iterator[Problem]:
    given = {"selection_rows": selection_rows, "refinement": refinement}
    if "gamma" not in grid:
        for name in (name for name, value in given.items() if value is not None):
            found = f"{name} of a method without a kernel"
            yield Problem((name,), found, "nothing: its candidates see all examples")
    elif refinement is not None:
        for name in (factor for factor in refinement.factors if factor not in grid):
            found = f"{name!r}, which is not in the grid"
            yield Problem(("refinement", "factors", name), found, suggestion(name, grid))


def _thresholds_are_tuned_in_selection(grid, tune_threshold) -> Iterator[Problem]:
    if tune_threshold and not grid:
        found = "a threshold to be tuned, but nothing is selected: the grid is empty"
        yield Problem(("tune_threshold",), found, "a grid, of one value if need be")


class BinaryMethod(Method):
    """Settings of a method for binary tasks: a classifier, fixed parameters, and a grid."""

    checks: ClassVar = (
        _classifier_takes_parameters,
        _compares_rows_with_a_kernel,
        _thresholds_are_tuned_in_selection,
    )

    estimator: ClassifierPath
    """Full path of a scikit-learn classifier, e.g. ``sklearn.svm.LinearSVC``."""
    auxiliaries: Names = []
    """Auxiliary classifiers of CAPO or of the weighted ensemble: other methods with an empty
    grid."""
    selection_parameters: dict[Name, Scalar] = {}
    """Parameters that differ while candidates are compared, such as a looser ``tol``."""
    measures: Each[BinaryMeasure] = []
    """Measures that the method is fitted for; all measures of the paper if the list is empty."""
    measure_parameters: dict[BinaryMeasure, dict[Name, Scalar]] = {}
    """Parameters for some measures only; they replace those of `parameters`."""
    grid: dict[Name, Values]
    """Hyperparameters that model selection chooses, and the values tried for each."""
    selection_rows: PositiveInt | None = None
    """For kernels: examples of each training part on which candidates are compared; all by
    default."""
    refinement: Refinement | None = None
    """For kernels: a finer comparison around the best candidate."""
    repetitions: PositiveInt | None = None
    """Repetitions of each final fit; by default, the paper's number."""
    random_state_of: Name | None = None
    """Another method, whose seed this method uses, so that candidates of both are the same fits."""
    extend_grid: dict[Name, Literal["both", "lower", "upper", "none"]] = {}
    """Ends at which a grid of positive values grows, by the ratio of its values, if the outermost
    value is selected most often."""
    max_extensions: Annotated[int, Field(ge=0)] = 3
    """Largest number of values added at each end."""
    tune_threshold: bool = False
    """Whether candidates are compared at the best threshold for their validation scores."""
    score_signs: bool = False
    """Whether the test scores are the signs of the decision values."""
    oversample: Literal["smote"] | None = None
    """Whether the smaller class of each training part is oversampled (SMOTE, imbalanced-learn)."""
    count_iterations_without_line_search: bool = False
    """Whether to count the cutting planes, at most 500, of a second fit without line search."""

    @property
    def trains_on_a_measure(self) -> bool:
        """Whether the classifier's training depends on the measure, not only model selection."""
        return "measure" in parameters_of(self.estimator)

    @property
    def takes_auxiliaries(self) -> bool:
        """Whether the classifier uses outputs of other classifiers (auxiliaries) as features."""
        return "auxiliaries" in parameters_of(self.estimator)


class ModelSelection(CheckedModel):
    """Settings of hyperparameter selection: on one holdout set (default) or by cross-validation."""

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
    """Numbers of rows and tasks drawn from each data set. A task is one class against the rest."""

    train: PositiveInt
    """Largest number of rows of the training part, drawn in proportion to the classes."""
    test: PositiveInt
    """Largest number of rows of the test part; without one, a third of all rows is used."""
    tasks: PositiveInt
    """Largest number of classes or labels, chosen evenly from the rarest to the most frequent."""
    positives: PositiveInt = 10
    """Smallest expected number of positive training rows of a class."""


def _methods_train_on_measures(measures, methods_selected, methods) -> Iterator[Problem]:
    for name, method in methods.items():
        key = ("methods", name, "measures") if method.measures else ("measures",)
        of_paper = measures if name in methods_selected else ()
        for index, measure in enumerate(method.measures or of_paper):
            try:
                check_training(method.model_dump(), measure)
            except ValueError as error:
                found = f"{measure!r}, for which {name} is to be trained"
                yield Problem((*key, index), found, str(error))


def _of_kind(
    key: KeyPath, names, kind: str, methods: Mapping, valid_names, requirement: str
) -> Iterator[Problem]:
    """Yield a problem for each name at `key` that is not a method, or not in `valid_names`.

    `kind` and `requirement` describe valid methods, such as "auxiliary" and "with an empty grid".
    """
    yield from unknown(key, names, kind, methods)
    for index, name in enumerate(names):
        if name in methods and name not in valid_names:
            found = f"{name!r}, which is no {kind} {requirement}"
            yield Problem((*key, index), found, suggestion(name, valid_names))


def _auxiliaries(methods) -> list[str]:
    """Return the names of methods that can be auxiliary classifiers of other methods."""
    fixed = (name for name, method in methods.items() if not method.grid)
    return [name for name in fixed if not methods[name].trains_on_a_measure]


def _other_methods_exist(methods) -> Iterator[Problem]:
    valid = _auxiliaries(methods)
    for name, method in methods.items():
        other = {"random_state_of": method.random_state_of}
        yield from unknown(("methods", name), other, "method", methods)
        key = ("methods", name, "auxiliaries")
        if method.takes_auxiliaries and not method.auxiliaries:
            listing = ", ".join(valid) or "none; give a classifier an empty grid"
            yield Problem(key, "no auxiliary", f"one or several of: {listing}")
        if method.auxiliaries and not method.takes_auxiliaries:
            found = f"auxiliaries of {method.estimator}, which takes none"
            yield Problem(key, found, "none, or a CAPOClassifier")
        else:
            names = method.auxiliaries
            yield from _of_kind(key, names, "auxiliary", methods, valid, "with an empty grid")


def _studies_name_what_there_is(
    studies, measures, methods_selected, methods, selection, context
) -> Iterator[Problem]:
    for study, settings in studies:
        if settings is None:
            continue
        key = ("studies", study)
        data_sets = settings.data_sets
        replaced = {name: name for name in data_sets} if isinstance(data_sets, Mapping) else {}
        for names in (data_sets, replaced):
            yield from unknown((*key, "data_sets"), names, "data set", context.data_sets)
        names = getattr(settings, "measures", [])
        yield from unknown((*key, "measures"), names, "measure", measures)
        if hasattr(settings, "auxiliaries"):
            valid, requirement = _auxiliaries(methods), "with an empty grid"
            if hasattr(settings, "widths"):
                valid = [n for n in valid if "gamma" in parameters_of(methods[n].estimator)]
                requirement = "with a kernel"
            names, names_key = settings.auxiliaries, (*key, "auxiliaries")
            yield from _of_kind(names_key, names, "auxiliary", methods, valid, requirement)
        if hasattr(settings, "methods"):
            yield from _swept_methods(key, settings, methods_selected, methods)
        if getattr(settings, "selected_by", None):
            valid = [name for name, method in methods.items() if {"t", "C"} <= method.grid.keys()]
            names, names_key = [settings.selected_by], (*key, "selected_by")
            yield from _of_kind(names_key, names, "method", methods, valid, "with t and C")
        if hasattr(settings, "folds") and not (settings.folds or selection.folds):
            found = "auxiliaries chosen by cross-validation, but no folds"
            yield Problem(key, found, "selection: {folds: 5}")


def _swept_methods(key, settings, methods_selected, methods) -> Iterator[Problem]:
    valid = {name for name, m in methods.items() if "C" in m.grid and m.trains_on_a_measure}
    requirement = "whose grid holds C and that is trained on the measure"
    if settings.B:
        valid = {name for name in valid if methods[name].takes_auxiliaries}
        requirement = "with auxiliaries"
    elif key[-1] == "oracle_calls_by_C":
        valid = {name for name in valid if "gamma" not in methods[name].grid}
        requirement = "without a kernel"
    names_key = (*key, "methods")
    yield from _of_kind(names_key, settings.methods, "method", methods, valid, requirement)
    for index, name in enumerate(settings.methods):
        if name in valid and "gamma" in methods[name].grid and name not in methods_selected:
            found = f"{name!r}, which is not selected, so that its kernel has no width"
            yield Problem((*names_key, index), found, f"add {name!r} to methods_selected")


class BinaryPaper(Paper):
    """Configuration of a paper with binary classifiers: one task per class, against the rest."""

    checks: ClassVar = (
        *Paper.checks,
        _methods_train_on_measures,
        _other_methods_exist,
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
    """Sample of each data set, drawn anew for each seed; all rows by default."""
    repetitions: PositiveInt = 1
    """Repetitions of each final fit; none begins after 20 CPU seconds. The median time is
    reported."""
    budget: PositiveFloat | None = None
    """Largest number of operations for one measure on one task; beyond it, the status is
    `timeout`."""
    studies: BinaryStudies = BinaryStudies()
    """Studies: fits at given values of hyperparameters, or followed iteration by iteration."""
    bootstrap: Bootstrap = Bootstrap()
    """Bootstrap intervals."""
