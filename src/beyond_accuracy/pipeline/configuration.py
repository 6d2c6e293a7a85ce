"""The configuration of a run: every key, its type, its default and its meaning.

The models are the reference of ``config/``; ``workflow/schemas/`` holds the same as JSON schemas
for editors. Selections (what to run) are lists and catalogues (what can be run) are mappings,
because Snakemake replaces lists and merges mappings when it overlays ``--configfile``.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PositiveFloat, PositiveInt, StringConstraints

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
"""A name that is also a file name: letters, digits, dots, hyphens and underscores."""

PathText = Annotated[str, Field(coerce_numbers_to_str=True)]
"""A path; ``--config results=2026`` is a number for Snakemake."""

Fraction = Annotated[float, Field(gt=0, lt=1)]

Selection = Annotated[list[Name], Field(min_length=1)]


class Strict(BaseModel):
    """A mapping in which an unknown key is an error and values keep the type they have in YAML."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


DottedPath = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)+$")]


class MethodConfiguration(Strict):
    """One method of a paper: a classifier, and the values that model selection chooses from."""

    estimator: DottedPath
    """Full path of a scikit-learn classifier, e.g. ``sklearn.svm.LinearSVC``."""

    parameters: dict[Name, bool | int | float | str | None] = {}
    """Fixed parameters of the classifier."""

    selection_parameters: dict[Name, bool | int | float | str | None] = {}
    """Parameters that differ while candidates are compared, such as a looser ``tol``."""

    measures: list[Name] = []
    """Measures that the method is fitted for; all measures of the paper if the list is empty."""

    grid: dict[Name, Annotated[list[PositiveFloat], Field(min_length=1)]]
    """Parameters that model selection chooses, and the values tried for each."""

    extend_grid: dict[Name, Literal["both", "lower", "upper", "none"]] = {}
    """At which ends the values of a parameter grow by themselves when the one chosen most often
    is the last; parameters that are not named do not grow."""

    max_extensions: Annotated[int, Field(ge=0)] = 3
    """How many values may be added at each end."""

    count_iterations_without_line_search: bool = False
    """Whether each final fit of a multivariate SVM is repeated without line search, as in the
    paper, and to SVM-perf's default tolerance of 0.1 percentage points of loss, to count its
    cutting planes."""


class ModelSelection(Strict):
    """How hyperparameters are chosen."""

    holdout: Fraction = 1 / 3
    """Fraction of the training set held out to score the candidates (stratified, seeded)."""


class Bootstrap(Strict):
    """Percentile intervals by resampling the examples of the test set."""

    n_resamples: PositiveInt = 1000
    """Number of bootstrap samples."""

    level: Fraction = 0.95
    """Coverage of the interval."""


class Significance(Strict):
    """The paired test over the tasks of a data set, and how its result is shown."""

    stars: dict[Annotated[str, StringConstraints(pattern=r"^\*+$")], Fraction] = {
        "*": 0.05,
        "**": 0.01,
    }
    """Marks for p-values up to a level."""

    zero_method: Literal["wilcox", "pratt", "zsplit"] = "wilcox"
    """Treatment of zero differences in the Wilcoxon signed-rank test, as in scipy."""


class Claim(Strict):
    """A testable statement of the paper, with the rule of its verdict."""

    id: Name
    """Identifier within the paper."""

    statement: str
    """What the paper says, in a few words."""

    section: str
    """Where it says so."""

    rule: str
    """When the verdict is `reproduced`, `partly`, `not reproduced` or `not testable`, in words."""

    function: str
    """Name of the function that computes the verdict from the measurements."""


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


PaperConfiguration = BinaryPaper


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


FIT_KEYS = ("protocol", "measures", "selection")
"""Keys of a paper's configuration, besides the method's own, on which a fit depends."""


def fit_configuration(paper: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a paper's configuration on which fits depend, whatever the method."""
    return {key: paper[key] for key in FIT_KEYS if key in paper}
