"""The configuration of a run: every key, its type, its default and its meaning.

The models are the reference of ``config/``; ``workflow/schemas/`` holds the same as JSON schemas
for editors. Selections (what to run) are lists and catalogues (what can be run) are mappings,
because Snakemake replaces lists and merges mappings when it overlays ``--configfile``.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, PositiveFloat, PositiveInt, model_validator

from beyond_accuracy.pipeline.adaptation_configuration import (
    AuxiliarySelection,
    Refinement,
    Sweeps,
)
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
from beyond_accuracy.pipeline.label_configuration import MultilabelPaper
from beyond_accuracy.pipeline.reweighting_configuration import MulticlassPaper

PathText = Annotated[str, Field(coerce_numbers_to_str=True, strict=False)]
"""A path; ``--config results=2026`` is a number for Snakemake."""


class MethodConfiguration(Strict):
    """One method of a paper: a classifier, and the values that model selection chooses from."""

    estimator: DottedPath
    """Full path of a scikit-learn classifier, e.g. ``sklearn.svm.LinearSVC``."""

    auxiliaries: list[Name] = []
    """Of classifier adaptation and the weighted ensemble: auxiliary classifiers, which are other
    methods of `methods` with an empty grid."""

    parameters: dict[Name, Scalar] = {}
    """Fixed parameters of the classifier."""

    selection_parameters: dict[Name, Scalar] = {}
    """Parameters that differ while candidates are compared, such as a looser ``tol``."""

    measures: list[Name] = []
    """Measures that the method is fitted for; all measures of the paper if the list is empty."""

    grid: dict[Name, Annotated[list[Scalar], Field(min_length=1)]]
    """Parameters that model selection chooses, and the values tried for each, kept as they are
    written; nothing is chosen if it is empty."""

    selection_rows: PositiveInt | None = None
    """Of methods with a kernel: examples of each fitted part on which candidates are compared; all
    if it is not given."""

    refinement: Refinement | None = None
    """Of methods with a kernel: a finer comparison around the candidate chosen."""

    repetitions: PositiveInt | None = None
    """How often each final fit is repeated; as often as the paper says if it is not given."""

    extend_grid: dict[Name, Literal["both", "lower", "upper", "none"]] = {}
    """At which ends the values of a parameter grow by themselves when the one chosen most often
    is the last; parameters that are not named do not grow. It takes positive numbers, which go on
    by the ratio of the last two."""

    max_extensions: Annotated[int, Field(ge=0)] = 3
    """How many values may be added at each end."""

    count_iterations_without_line_search: bool = False
    """Whether each final fit of a multivariate SVM is repeated without line search, as in the
    paper, and to SVM-perf's default tolerance of 0.1 percentage points of loss, to count its
    cutting planes."""


class ModelSelection(Strict):
    """How hyperparameters are chosen: by a holdout, which is the default, or by folds."""

    holdout: Fraction | None = None
    """Fraction of the training set held out to score the candidates (stratified, seeded); 1/3 if
    `folds` is not given either."""

    folds: Annotated[int, Field(ge=2)] | None = None
    """Number of stratified, seeded folds of the training set over which candidates' scores are
    averaged."""

    @model_validator(mode="after")
    def _exactly_one(self) -> "ModelSelection":
        if self.holdout is not None and self.folds is not None:
            raise ValueError("only one of holdout and folds; set the other to null")
        if self.holdout is None and self.folds is None:
            self.holdout = 1 / 3
        return self


class Convergence(Strict):
    """Minimizations of the same cost-sensitive hinge loss by several methods, on every data set."""

    t: PositiveFloat = 0.5
    """Target of F1: the costs are 2 − t of a missed positive and t of a false alarm."""

    C: Annotated[list[PositiveFloat], Field(min_length=1)]
    """LIBLINEAR's C, one minimization each."""

    C_shown: PositiveFloat
    """The one of `C` that figures show."""

    mu: Annotated[float, Field(gt=0, le=1)] = 0.1
    """Of the bundle method: where between best point and model's minimizer to cut."""

    tol: PositiveFloat = 1e-3
    """Relative duality gap at which to stop."""

    max_iter: PositiveInt = 10_000
    """Iterations at which to stop."""

    liblinear_rounds: Annotated[list[PositiveInt], Field(min_length=1)]
    """Rounds after which LIBLINEAR is stopped, one fit each."""

    line_search_iteration: PositiveInt = 5
    """Iteration whose line search is kept, with all its breakpoints."""

    @model_validator(mode="after")
    def _shown_is_run(self) -> "Convergence":
        if self.C_shown not in self.C:
            raise ValueError(f"C_shown must be one of C, {self.C}")
        return self


class BinaryPaper(Strict):
    """A paper whose methods are binary classifiers: one task for each class of a data set."""

    protocol: Literal["binary"]
    """Which experiment is run."""

    data_sets: Selection
    """Selected data sets: names of files of ``config/datasets/``."""

    measures: Selection
    """Performance measures, each of which is optimized by model selection and reported."""

    methods_selected: Selection
    """Selected methods, out of `methods`."""

    methods: dict[Name, MethodConfiguration]
    """Catalogue of methods."""

    selection: ModelSelection = ModelSelection()
    """Model selection."""

    repetitions: PositiveInt = 1
    """How often each final fit is repeated, for its seconds alone: tables take the median. No
    repetition is begun after 20 processor seconds."""

    budget: PositiveFloat | None = None
    """Operations of one measure on one data set, selection and final fits together, beyond which
    its status is `timeout`: multiplications of a stored feature value by a number, of which an
    iteration of a solver takes two for each value, and a kernel's factor its rank squared for each
    example; no limit if it is not given."""

    convergence: Convergence | None = None
    """Fits that are followed iteration by iteration; none if it is not given."""

    sweeps: Sweeps = Sweeps()
    """Fits at given values of hyperparameters."""

    auxiliary_selection: AuxiliarySelection | None = None
    """Choice of auxiliaries by the target measure; none if it is not given."""

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


PAPER_MODELS: dict[str, type[Strict]] = {
    "binary": BinaryPaper,
    "multiclass": MulticlassPaper,
    "multilabel": MultilabelPaper,
}
"""The model of a paper's configuration, by its protocol."""


class Configuration(Strict):
    """The keys of ``config/config.yaml``; each selected paper adds a key of its own."""

    seed: Annotated[int, Field(ge=0, strict=True)]
    """Seed from which every random stream of the run is derived."""

    papers: Selection
    """Selected papers: names of files of ``config/papers/``."""

    mirror: PathText | None = None
    """Folder with the files of the data sets; without it the environment variable
    ``BEYOND_ACCURACY_MIRROR`` counts. Changing it reruns nothing that is already prepared."""

    missing_data: Literal["report", "fail"] = "report"
    """What to do with a data set none of whose sources can be reached: report it and build the
    rest, or fail."""

    retry_substitutes: bool = False
    """Whether a data set in whose place a substitute is used is tried again by every run, as an
    unavailable one is."""

    results: PathText = "results"
    """Folder of all results."""

    resources: PathText = "resources"
    """Folder of downloads and prepared data sets, shared by all configurations."""


FIT_KEYS = (
    "protocol",
    "measures",
    "selection",
    "repetitions",
    "budget",
    "cross_validation",
    "cost_matrices",
)
"""Keys of a paper's configuration, besides the method's own, on which a fit depends."""


def fit_configuration(paper: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a paper's configuration on which fits depend, whatever the method."""
    return {key: paper[key] for key in FIT_KEYS if paper.get(key) is not None}


_OF_SOME_METHODS = ("auxiliaries", "selection_rows", "refinement", "repetitions")


def method_configuration(paper: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a method's configuration, with those of its auxiliaries by name.

    Keys that only some methods have are left out where they are not given, so that they change
    nothing for the others.
    """
    given = {
        key: value
        for key, value in paper["methods"][name].items()
        if key not in _OF_SOME_METHODS or value not in (None, [])
    }
    if given.get("auxiliaries"):
        given["auxiliaries"] = {
            auxiliary: method_configuration(paper, auxiliary) for auxiliary in given["auxiliaries"]
        }
    return given


def estimator_paths(method: Mapping[str, Any]) -> list[str]:
    """Return the dotted paths of all classes that a method's fit uses, its auxiliaries' too."""
    paths = [method[key] for key in ("estimator", "reweighter", "base") if method.get(key)]
    for auxiliary in (method.get("auxiliaries") or {}).values():
        paths.extend(estimator_paths(auxiliary))
    return list(dict.fromkeys(paths))


def swept_data_sets(paper: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
    """Return the data sets of a sweep that the paper selects, in the paper's order."""
    return [name for name in paper["data_sets"] if name in settings["data_sets"]]


def swept_methods(paper: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the configurations of the methods or auxiliaries of a sweep, by name."""
    names = settings.get("methods") or settings["auxiliaries"]
    return {name: method_configuration(paper, name) for name in names}


def methods_with_width(methods: Mapping[str, Any]) -> list[str]:
    """Return those of the methods of a sweep whose kernel's width model selection chooses."""
    return [name for name, method in methods.items() if "gamma" in method["grid"]]
