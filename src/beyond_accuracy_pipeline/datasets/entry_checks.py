"""Check that the keys of a catalogue entry go together."""

from collections.abc import Iterator

from beyond_accuracy_pipeline.datasets.faults import Fault
from beyond_accuracy_pipeline.datasets.sources import WITHOUT_FILES

_ONE_PART = ("arxiv_snapshot", "arxiv_oai_xml", "paperscape")
_DOCUMENTS = ("reuters_sgml", *_ONE_PART)
_MULTILABEL = ("multilabel_arff", "reuters_sgml")
_NAMED_COLUMNS = ("arff", "csv", "parquet")
_DENSE_ONLY = ("min_max", "equalize_images")
_REQUIRED = ("title", "split", "shape", "citation", "licence")


def _check_sources(sources, files, parser, sha256_arrays) -> Iterator[Fault]:
    if parser is None and any(source.kind not in WITHOUT_FILES for source in sources):
        yield Fault(("parser",), "nothing", "a parser for the files of the sources")
    for number, source in enumerate(sources):
        rewritten = getattr(source, "rows", None) is not None
        if rewritten and sha256_arrays is None:
            valid = "the digest of the arrays, which a source with `rows` must give"
            yield Fault(("sha256_arrays",), "nothing", valid)
        if hasattr(source, "files") and not rewritten and set(source.files) != set(files):
            valid = f"the roles of `files`, {_listed(files)}"
            yield Fault(("sources", number, "files"), f"roles {_listed(source.files)}", valid)
        if source.kind == "openml" and (parser is None or parser.kind != "arff"):
            found = "no parser" if parser is None else f"parser {parser.kind}"
            yield Fault(("sources", number), found, "an openml source only for parser arff")


def _check_parts(files, parser, split) -> Iterator[Fault]:
    kind = parser.kind if parser else None
    given = split.kind == "given"
    if kind == "reuters_sgml" and not given:
        yield Fault(("split", "kind"), split.kind, "given: the documents say their part")
    elif given and (kind is None or kind in _ONE_PART):
        yield Fault(("split", "kind"), "given", "sample or none: the source has one part")
    elif kind is not None:
        roles = {"train", "test"} if given and kind != "reuters_sgml" else {"data"}
        roles |= {"labels"} if kind == "multilabel_arff" else set()
        if set(files) != roles:
            valid = f"{_listed(roles)} for parser {kind} and split {split.kind}"
            yield Fault(("files",), f"roles {_listed(files)}", valid)


def _check_columns(parser, target, drop_columns, preprocess) -> Iterator[Fault]:
    named = parser is not None and parser.kind in _NAMED_COLUMNS
    valid = f"only for parsers {', '.join(_NAMED_COLUMNS)}"
    if named and target is None:
        yield Fault(("target",), "nothing", "the name of the class attribute")
    if not named and target is not None:
        yield Fault(("target",), repr(target), valid)
    if not named and preprocess is not None:
        yield Fault(("preprocess",), "a mapping", valid)
    if drop_columns and not named and (parser is None or parser.kind != "delimited"):
        yield Fault(("drop_columns",), repr(drop_columns), f"{valid}, delimited")
    for number, column in enumerate(drop_columns):
        if isinstance(column, str) != named:
            valid = "the name of an attribute" if named else "an index, from 0"
            yield Fault(("drop_columns", number), repr(column), valid)


def _check_task(task, sources, parser, positive) -> Iterator[Fault]:
    multilabel = task == "multilabel"
    if parser is not None and (parser.kind in _MULTILABEL) != multilabel:
        valid = "binary or multiclass" if multilabel else "multilabel"
        yield Fault(("task",), task, f"{valid} for parser {parser.kind}")
    for number, source in enumerate(sources):
        options = getattr(source, "options", None)
        made = source.kind in WITHOUT_FILES
        if made and getattr(options, "multilabel", False) != multilabel:
            found = f"a set that is {'not ' * multilabel}multilabel"
            yield Fault(("sources", number), found, f"one that fits task {task}")
    if positive is not None and task != "binary":
        yield Fault(("positive",), "a rule", f"only for task binary, found task {task}")


def _check_transforms(sources, parser, transforms, preprocess) -> Iterator[Fault]:
    documents = any(getattr(source, "generator", None) == "zipf_documents" for source in sources)
    documents = documents or (parser is not None and parser.kind in _DOCUMENTS)
    sparse = documents or getattr(parser, "dense", True) is False
    kinds = [transform.kind for transform in transforms]
    if documents and kinds[:1] != ["tfidf"]:
        found = kinds[0] if kinds else "nothing"
        yield Fault(("transforms",), found, "tfidf first: the rows are documents")
    if preprocess is not None and transforms:
        valid = "none beside preprocess, which is fitted inside each training part"
        yield Fault(("transforms",), kinds[0], valid)
    for number, kind in enumerate(kinds):
        if kind == "tfidf" and (number or not documents):
            valid = "only first, on documents (Reuters, arXiv, zipf_documents)"
            yield Fault(("transforms", number, "kind"), kind, valid)
        if kind in _DENSE_ONLY and sparse:
            valid = "only on dense data (parser option dense: true); unit_length keeps zeros"
            yield Fault(("transforms", number, "kind"), kind, valid)


def _check_required(sources, given) -> Iterator[Fault]:
    if not any(source.kind == "file" for source in sources):
        for key in _REQUIRED:
            if key not in given:
                yield Fault((key,), "nothing", "this key is required unless a source is a file")


def _check_shape(shape, task, split) -> Iterator[Fault]:
    if split.kind == "none" and shape.n_test is not None:
        yield Fault(("shape", "n_test"), str(shape.n_test), "null: split none has no test part")
    for part, counts in (shape.positives or {}).items():
        if isinstance(counts, dict) == (task == "binary"):
            found = "a mapping" if task == "binary" else str(counts)
            valid = "one number" if task == "binary" else "a mapping of class names to numbers"
            yield Fault(("shape", "positives", part), found, f"{valid} for task {task}")


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
