"""What the keys of a catalogue entry demand of each other."""

from collections.abc import Iterator, Mapping

from beyond_accuracy_pipeline.datasets.faults import Fault
from beyond_accuracy_pipeline.datasets.sources import GeneratedSource

_ONE_FILE = ("reuters_sgml", "arxiv_snapshot", "arxiv_oai_xml", "paperscape")
_NAMED_COLUMNS = ("arff", "csv", "parquet")
_DENSE_ONLY = ("min_max", "equalize_images")


def _files_have_a_parser(sources, files, parser) -> Iterator[Fault]:
    if any(source.kind not in ("bundled", "generated") for source in sources):
        if parser is None:
            yield Fault(("parser",), "nothing", "a parser for the files of the sources")
    else:
        if parser is not None:
            yield Fault(("parser",), parser.kind, "none: the sources have no files")
        if files:
            yield Fault(("files",), f"roles {_listed(files)}", "none: the sources have no files")


def _sources_have_the_files(sources, files, parser) -> Iterator[Fault]:
    for number, source in enumerate(sources):
        other = source.kind == "package" and source.rows is not None
        own = source.kind in ("mirror", "file", "url", "package") and not other
        if own and set(source.files) != set(files):
            valid = f"the roles of `files`, {_listed(files)}"
            yield Fault(("sources", number, "files"), f"roles {_listed(source.files)}", valid)
        if source.kind == "openml" and (parser is None or parser.kind != "arff"):
            found = "no parser" if parser is None else f"parser {parser.kind}"
            yield Fault(("sources", number), found, "an openml source only for parser arff")


def _other_spellings_are_checked(sources, sha256_arrays) -> Iterator[Fault]:
    if sha256_arrays is None and any(getattr(source, "rows", None) for source in sources):
        valid = "the digest of the arrays, which a source with `rows` must give"
        yield Fault(("sha256_arrays",), "nothing", valid)


def _roles_fit_parser_and_split(files, parser, split) -> Iterator[Fault]:
    kind = None if parser is None else parser.kind
    given = split.kind == "given"
    if kind == "reuters_sgml" and not given:
        yield Fault(("split", "kind"), split.kind, "given: the documents say their part")
    elif given and (kind is None or (kind in _ONE_FILE and kind != "reuters_sgml")):
        yield Fault(("split", "kind"), "given", "sample or none: the source has one part")
    elif kind is not None:
        roles = {"train", "test"} if given and kind not in _ONE_FILE else {"data"}
        roles |= {"labels"} if kind == "multilabel_arff" else set()
        if set(files) != roles:
            valid = f"{_listed(roles)} for parser {kind} and split {split.kind}"
            yield Fault(("files",), f"roles {_listed(files)}", valid)


def _columns_can_be_named(parser, target, drop_columns) -> Iterator[Fault]:
    kind = None if parser is None else parser.kind
    if kind in _NAMED_COLUMNS and target is None:
        yield Fault(("target",), "nothing", "the name of the class attribute")
    if kind not in _NAMED_COLUMNS and target is not None:
        valid = f"only for parsers {', '.join(_NAMED_COLUMNS)}"
        yield Fault(("target",), repr(target), valid)
    kinds = dict.fromkeys(_NAMED_COLUMNS, (str, "the name of an attribute"))
    kinds["delimited"] = (int, "an index, from 0")
    if drop_columns and kind not in kinds:
        yield Fault(("drop_columns",), repr(drop_columns), f"only for parsers {', '.join(kinds)}")
    for number, column in enumerate(drop_columns if kind in kinds else ()):
        if not isinstance(column, kinds[kind][0]):
            yield Fault(("drop_columns", number), repr(column), kinds[kind][1])


def _task_fits_the_source(task, sources, parser) -> Iterator[Fault]:
    multilabel = task == "multilabel"
    if parser is not None and (parser.kind in ("multilabel_arff", "reuters_sgml")) != multilabel:
        valid = "binary or multiclass" if multilabel else "multilabel"
        yield Fault(("task",), task, f"{valid} for parser {parser.kind}")
    for number, source in enumerate(sources):
        if source.kind == "bundled" and multilabel:
            yield Fault(("sources", number, "loader"), source.loader, "no such set is multilabel")
        made = isinstance(source, GeneratedSource)
        if made and getattr(source.options, "multilabel", False) != multilabel:
            found = f"a set that is {'not ' * multilabel}multilabel"
            valid = f"{'' if multilabel else 'no '}`multilabel: true` for task {task}"
            yield Fault(("sources", number, "options"), found, valid)


def _documents_are_transformed(sources, parser, transforms) -> Iterator[Fault]:
    made = {source.generator for source in sources if isinstance(source, GeneratedSource)}
    documents = "zipf_documents" in made or (parser is not None and parser.kind in _ONE_FILE)
    sparse = documents or (parser is not None and getattr(parser, "dense", True) is False)
    if documents and (not transforms or transforms[0].kind != "tfidf"):
        found = transforms[0].kind if transforms else "nothing"
        yield Fault(("transforms",), found, "tfidf first: the rows are documents")
    for number, transform in enumerate(transforms):
        if transform.kind == "tfidf" and (number or not documents):
            valid = "only first, on documents (Reuters, arXiv, zipf_documents)"
            yield Fault(("transforms", number, "kind"), "tfidf", valid)
        if transform.kind in _DENSE_ONLY and sparse:
            valid = "only on dense data (parser option dense: true); unit_length keeps zeros"
            yield Fault(("transforms", number, "kind"), transform.kind, valid)


def _published_data_say_whose_they_are(sources, given) -> Iterator[Fault]:
    if not any(source.kind == "file" for source in sources) and isinstance(given, Mapping):
        for key in ("title", "split", "shape", "citation", "licence"):
            if key not in given:
                yield Fault((key,), "nothing", "this key is required unless a source is a file")


def _preprocessing_is_of_columns(preprocess, parser) -> Iterator[Fault]:
    if preprocess is not None and (parser is None or parser.kind not in _NAMED_COLUMNS):
        valid = f"only for parsers {', '.join(_NAMED_COLUMNS)}"
        yield Fault(("preprocess",), "a mapping", valid)


def _preprocessing_is_the_last_step(preprocess, transforms) -> Iterator[Fault]:
    if preprocess is not None and transforms:
        valid = "none beside preprocess, which is fitted inside each training part"
        yield Fault(("transforms",), transforms[0].kind, valid)


def _positive_is_for_binary_tasks(positive, task) -> Iterator[Fault]:
    if positive is not None and task != "binary":
        yield Fault(("positive",), "a rule", f"only for task binary, found task {task}")


def _shape_fits_task_and_split(shape, task, split) -> Iterator[Fault]:
    if split.kind == "none" and shape.n_test is not None:
        yield Fault(("shape", "n_test"), str(shape.n_test), "null: split none has no test part")
    for part, counts in (shape.positives or {}).items():
        key = ("shape", "positives", part)
        if split.kind == "none" and part == "test":
            yield Fault(key, "counts", "no such part: split none has no test part")
        if isinstance(counts, dict) == (task == "binary"):
            found = "a mapping" if task == "binary" else str(counts)
            valid = "one number" if task == "binary" else "a mapping of class names to numbers"
            yield Fault(key, found, f"{valid} for task {task}")


def _listed(roles) -> str:
    return ", ".join(sorted(roles)) or "none"


ENTRY_CHECKS = (
    _files_have_a_parser,
    _sources_have_the_files,
    _other_spellings_are_checked,
    _roles_fit_parser_and_split,
    _columns_can_be_named,
    _task_fits_the_source,
    _documents_are_transformed,
    _published_data_say_whose_they_are,
    _preprocessing_is_of_columns,
    _preprocessing_is_the_last_step,
    _positive_is_for_binary_tasks,
    _shape_fits_task_and_split,
)
