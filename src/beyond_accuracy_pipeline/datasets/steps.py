"""Pydantic models of how the files of a data set are read, split and transformed."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from beyond_accuracy_pipeline.datasets.schema import Character, Day, Model


class SvmlightParser(Model):
    kind: Literal["svmlight"]
    """SVMlight / LIBSVM text, one or several label-sorted parts."""
    n_features: Annotated[int, Field(ge=1)]
    """Number of features; a part may lack the highest ones."""
    dense: bool = False
    """Store as a dense array (low-dimensional data)."""


class ArffParser(Model):
    kind: Literal["arff"]
    """Weka's ARFF, dense or sparse; a bare ``?`` is missing, a quoted one is a value."""
    drop_rows_without_class: bool = False
    """Leave out rows whose class is missing instead of refusing the file."""


class MultilabelArffParser(Model):
    kind: Literal["multilabel_arff"]
    """Mulan's pair of ARFF and XML label header (role ``labels``); matched by name."""
    dense: bool = True
    """Store features as a dense array; false for text."""
    label_order: Literal["columns", "header"] = "columns"
    """Order of the labels: that of the table's columns, or of the header."""


class ReutersParser(Model):
    kind: Literal["reuters_sgml"]
    """Reuters-21578 SGML, ModApte split, title and body of each document."""


class ArxivParser(Model):
    kind: Literal["arxiv_snapshot", "arxiv_oai_xml", "paperscape"]
    """JSON lines of the public metadata snapshot, yearly OAI XML files, or Paperscape CSV."""
    first_date: Day
    """First day (ISO) of the first version of a paper."""
    last_date: Day
    """Last day (ISO), included."""
    archives: Annotated[list[str], Field(min_length=2)]
    """Archives whose papers are kept; the class of a paper is its archive."""
    min_documents: Annotated[int, Field(ge=1)]
    """Archives with fewer papers after the date filter are left out."""


class DelimitedParser(Model):
    kind: Literal["delimited"]
    """Numbers in columns, one row per line."""
    delimiter: Character | None = None
    """Column separator; null for blanks."""
    class_column: int
    """Column of the class, from 0; negative counts from the end."""
    skip_lines: Annotated[int, Field(ge=0)] = 0
    """Lines before the first row."""


class CsvParser(Model):
    kind: Literal["csv"]
    """Text with a header line; columns that are not all numbers are nominal, empty is missing."""
    delimiter: Character = ","
    """Column separator."""
    decimal: Literal[".", ","] = "."
    """Decimal mark of numbers."""
    nominal: list[str] = []
    """Columns of numbers that are codes of categories, so that the columns are nominal."""
    missing: dict[str, list[str]] = {}
    """By column, texts that mean a missing value, besides empty cells."""


class ParquetParser(Model):
    kind: Literal["parquet"]
    """Apache Parquet; columns of text are nominal, null is missing."""
    nominal: list[str] = []
    """Columns of numbers that are codes of categories, so that the columns are nominal."""


class Preprocessing(Model):
    """Settings of preprocessing steps for the columns of a table, such as imputation.

    The steps run in the order of the fields, and each is fitted on training data only.
    """

    impute: Literal["median", "mean", "most_frequent"] | None = None
    """Replacement of missing numbers; null leaves them NaN. (A missing nominal value is a
    separate value.)"""
    one_hot: bool
    """A column of 0 and 1 for each value of a nominal column; false keeps codes, for classifiers
    that are told which columns are nominal."""
    standardize: bool = False
    """Numeric columns to mean 0 and variance 1."""


Parser = Annotated[
    SvmlightParser
    | CsvParser
    | ParquetParser
    | ArffParser
    | MultilabelArffParser
    | ReutersParser
    | ArxivParser
    | DelimitedParser,
    Field(discriminator="kind"),
]


class PositiveRule(Model):
    """Rule that makes a multi-class data set binary: which classes are positive."""

    classes: list[str] | None = None
    """Names of the classes that are positive."""
    smallest_class: bool = False
    """The class with the fewest training rows (the first in order when several tie)."""

    @model_validator(mode="after")
    def _exactly_one_rule(self):
        if bool(self.classes) == self.smallest_class:
            raise ValueError("exactly one of `classes: [...]` and `smallest_class: true`")
        return self


class FixedSplit(Model):
    kind: Literal["given", "none"]
    """`given`: the files hold a training and a test part. `none`: experiments cross-validate."""


class SampleSplit(Model):
    kind: Literal["sample"]
    """Training and test part drawn without replacement, from the configured seed."""
    n_train: Annotated[int, Field(ge=1)] | None = None
    """Rows of the training part; give this or ``train_fraction``."""
    train_fraction: Annotated[float, Field(gt=0, lt=1)] | None = None
    """Fraction of the rows in the training part."""
    n_test: Annotated[int, Field(ge=1)] | None = None
    """Rows of the test part; all that are left by default."""
    last_row: Annotated[int, Field(ge=1)] | None = None
    """Draw from the first ``last_row`` rows only."""
    stratified: bool = False
    """Keep the class proportions in both parts."""

    @model_validator(mode="after")
    def _one_size(self):
        if (self.n_train is None) == (self.train_fraction is None):
            raise ValueError("exactly one of n_train and train_fraction")
        return self


Split = Annotated[FixedSplit | SampleSplit, Field(discriminator="kind")]


class TfidfTransform(Model):
    kind: Literal["tfidf"]
    """TF-IDF of documents, fitted on the training part, rows of unit length."""
    min_documents: Annotated[int, Field(ge=1)] = 1
    """Terms in fewer training documents are left out."""
    stemmer: Literal["english", "porter"] | None = None
    """Snowball's stemmer of that name, applied to each word; by default words stay as they are."""
    sublinear: bool = False
    """A word that occurs n times in a document counts 1 + log n times, not n."""


class PlainTransform(Model):
    kind: Literal["unit_length", "min_max", "equalize_images"]
    """`unit_length`: rows of Euclidean length 1. `min_max`: features to [0, 1] by the range of the
    training part. `equalize_images`: rows of grey levels to [0, 1] by histogram equalization."""


Transform = Annotated[TfidfTransform | PlainTransform, Field(discriminator="kind")]
