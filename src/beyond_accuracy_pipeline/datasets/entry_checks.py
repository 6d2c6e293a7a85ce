"""Checks of the keys of a catalogue entry that depend on each other.

Each check takes values of the entry as arguments and yields its problems.
"""

from collections.abc import Iterator

from beyond_accuracy_pipeline.datasets.problems import Problem
from beyond_accuracy_pipeline.datasets.sources import WITHOUT_FILES

_ONE_PART = ("arxiv_snapshot", "arxiv_oai_xml", "paperscape")
_DOCUMENTS = ("reuters_sgml", *_ONE_PART)
_MULTILABEL = ("multilabel_arff", "reuters_sgml")
_NAMED_COLUMNS = ("arff", "csv", "parquet")
_DENSE_ONLY = ("min_max", "equalize_images")
_REQUIRED = ("title", "split", "shape", "citation", "licence")


def _check_sources(sources, files, parser, sha256_arrays) -> Iterator[Problem]:
    """Yield a problem for each source that does not fit the entry's files or parser."""
    if parser is None and any(source.kind not in WITHOUT_FILES for source in sources):
        yield Problem(("parser",), "nothing", "a parser for the files of the sources")
    for number, source in enumerate(sources):
        rewritten = getattr(source, "rows", None) is not None
        if rewritten and sha256_arrays is None:
            valid = "the digest of the arrays, which a source with `rows` must give"
            yield Problem(("sha256_arrays",), "nothing", valid)
        if hasattr(source, "files") and not rewritten and set(source.files) != set(files):
            valid = f"the roles of `files`, {_listed(files)}"
            yield Problem(("sources", number, "files"), f"roles {_listed(source.files)}", valid)
        if source.kind == "openml" and (parser is None or parser.kind != "arff"):
            found = "no parser" if parser is None else f"parser {parser.kind}"
            yield Problem(("sources", number), found, "an openml source only for parser arff")


def _check_parts(files, parser, split) -> Iterator[Problem]:
    """Yield a problem if parser or files do not allow the split."""
    kind = parser.kind if parser else None
    given = split.kind == "given"
    if kind == "reuters_sgml" and not given:
        yield Problem(("split", "kind"), split.kind, "given: the documents say their part")
    elif given and (kind is None or kind in _ONE_PART):
        yield Problem(("split", "kind"), "given", "sample or none: the source has one part")
    elif kind is not None:
        roles = {"train", "test"} if given and kind != "reuters_sgml" else {"data"}
        roles |= {"labels"} if kind == "multilabel_arff" else set()
        if set(files) != roles:
            valid = f"{_listed(roles)} for parser {kind} and split {split.kind}"
            yield Problem(("files",), f"roles {_listed(files)}", valid)


def _check_columns(parser, target, drop_columns, preprocess) -> Iterator[Problem]:
    """Yield problems of target, dropped columns and preprocessing."""
    named = parser is not None and parser.kind in _NAMED_COLUMNS
    valid = f"only for parsers {', '.join(_NAMED_COLUMNS)}"
    if named and target is None:
        yield Problem(("target",), "nothing", "the name of the class attribute")
    if not named and target is not None:
        yield Problem(("target",), repr(target), valid)
    if not named and preprocess is not None:
        yield Problem(("preprocess",), "a mapping", valid)
    if drop_columns and not named and (parser is None or parser.kind != "delimited"):
        yield Problem(("drop_columns",), repr(drop_columns), f"{valid}, delimited")
    for number, column in enumerate(drop_columns):
        if isinstance(column, str) != named:
            valid = "the name of an attribute" if named else "an index, from 0"
            yield Problem(("drop_columns", number), repr(column), valid)


def _check_task(task, parser, positive) -> Iterator[Problem]:
    """Yield a problem if parser or `positive` does not fit the task."""
    multilabel = task == "multilabel"
    if parser is not None and (parser.kind in _MULTILABEL) != multilabel:
        valid = "binary or multiclass" if multilabel else "multilabel"
        yield Problem(("task",), task, f"{valid} for parser {parser.kind}")
    if positive is not None and task != "binary":
        yield Problem(("positive",), "a rule", f"only for task binary, found task {task}")


def _check_transforms(sources, parser, transforms, preprocess) -> Iterator[Problem]:
    """Yield a problem for each transform that does not fit the kind of features."""
    documents = any(getattr(source, "generator", None) == "zipf_documents" for source in sources)
    documents = documents or (parser is not None and parser.kind in _DOCUMENTS)
    sparse = documents or getattr(parser, "dense", True) is False
    kinds = [transform.kind for transform in transforms]
    if documents and kinds[:1] != ["tfidf"]:
        found = kinds[0] if kinds else "nothing"
        yield Problem(("transforms",), found, "tfidf first: the rows are documents")
    if preprocess is not None and transforms:
        valid = "none beside preprocess, which is fitted inside each training part"
        yield Problem(("transforms",), kinds[0], valid)
    for number, kind in enumerate(kinds):
        if kind == "tfidf" and (number or not documents):
            valid = "only first, on documents (Reuters, arXiv, zipf_documents)"
            yield Problem(("transforms", number, "kind"), kind, valid)
        if kind in _DENSE_ONLY and sparse:
            valid = "only on dense data (parser option dense: true); unit_length keeps zeros"
            yield Problem(("transforms", number, "kind"), kind, valid)


def _check_required(sources, given) -> Iterator[Problem]:
    """Yield a problem for each missing required key, unless a source is a private file."""
    if not any(source.kind == "file" for source in sources):
        for key in _REQUIRED:
            if key not in given:
                yield Problem((key,), "nothing", "this key is required unless a source is a file")


def _check_shape(shape, task, split) -> Iterator[Problem]:
    """Yield a problem if the expected shape does not fit task or split."""
    if split.kind == "none" and shape.n_test is not None:
        yield Problem(("shape", "n_test"), str(shape.n_test), "null: split none has no test part")
    for part, counts in (shape.positives or {}).items():
        if isinstance(counts, dict) == (task == "binary"):
            found = "a mapping" if task == "binary" else str(counts)
            valid = "one number" if task == "binary" else "a mapping of class names to numbers"
            yield Problem(("shape", "positives", part), found, f"{valid} for task {task}")


def _listed(roles) -> str:
    return ", ".join(sorted(roles)) or "none"


ENTRY_CHECKS = (
    _check_sources,
    _check_parts,
    _check_columns,
    _check_task,
    _check_transforms,
    _check_required,
    _check_shape,
)
