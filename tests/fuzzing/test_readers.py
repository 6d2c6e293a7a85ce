"""Whatever is in a file, a reader reads it or raises the named error: nothing else.

HYPOTHESIS_EXAMPLES (`make fuzz EXAMPLES=...`) sets how many files each reader is given.
"""

import json

import numpy as np
import pytest
import scipy.sparse as sp

from beyond_accuracy.command_line.errors import FileError
from beyond_accuracy.command_line.model_file import read_model
from beyond_accuracy.command_line.svmlight_file import read_examples
from beyond_accuracy.datasets.entry import Entry
from beyond_accuracy.datasets.errors import ChecksumError, ParseError
from beyond_accuracy.datasets.parsers import parse
from beyond_accuracy.datasets.parsers.reuters_sgml import read_documents
from beyond_accuracy.datasets.raw_files import check_file

from .mutations import attempt, fuzzed

ENTRY = {
    "name": "fuzzed",
    "title": "Fuzzed",
    "task": "multiclass",
    "sources": [{"kind": "mirror", "files": {"data": "fuzzed"}}],
    "files": {"data": {"unpinned": "a test"}},
    "split": {"kind": "none"},
    "shape": {},
    "citation": "none",
    "licence": "none",
}
TEXT = {"transforms": [{"kind": "tfidf"}]}
ARCHIVES = {
    "first_date": "1991-01-01",
    "last_date": "2010-12-31",
    "archives": ["hep-th", "math"],
    "min_documents": 1,
}
SNAPSHOT = "".join(
    json.dumps(
        {
            "id": f"{archive}/0401001",
            "categories": archive,
            "title": "A title",
            "abstract": "An abstract",
            "versions": [{"version": "v1", "created": "Mon, 5 Jan 2004 10:00:00 GMT"}],
        }
    )
    + "\n"
    for archive in ("hep-th", "math")
).encode()
LABELS = b"""<?xml version="1.0" encoding="utf-8"?>
<labels xmlns="http://mulan.sourceforge.net/labels">
<label name="sea"></label><label name="sky"></label>
</labels>"""
MULTILABEL = (
    b"@relation r\n@attribute x real\n@attribute sky {0,1}\n@attribute y real\n"
    b"@attribute sea {1,0}\n@data\n1,0,2,1\n3,1,4,0\n"
)
FORMATS = {
    "delimited": (b"0.5,1,a\n2,-3e2,b\n4,5,a\n", {"delimiter": ",", "class_column": -1}, {}),
    "svmlight": (b"+1 1:0.5 3:2 # said\n-1 2:1\n", {"n_features": 4}, {}),
    "arff": (
        b"@relation r\n@attribute a {'?', no}\n@attribute b real\n@attribute class {p, 'q r'}\n"
        b"@data\n'?',1,p\n?,2.5,'q r'\n% c\nno,?,p\n",
        {},
        {"target": "class"},
    ),
    "arxiv_snapshot": (SNAPSHOT, ARCHIVES, TEXT),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("fuzzed")


def written(folder, name, content):
    path = folder / name
    path.write_bytes(content)
    return path


def assert_sound(table):
    """Check that what was accepted has one target a row, and numbers that later steps can take."""
    assert len(table.y) == (table.X.shape[0] if hasattr(table.X, "shape") else len(table.X))
    values = table.X.data if sp.issparse(table.X) else np.asarray(table.X)
    if values.dtype.kind == "f":
        assert not np.isinf(values).any()


def read_or_refuse(entry, files):
    def check_and_parse():
        checked = {
            name: check_file(file, entry.files[name], file.name, "nothing")
            for name, file in files.items()
        }
        return parse(entry, checked)

    tables, message = attempt(check_and_parse, (ParseError, ChecksumError))
    if tables is None:
        assert message.startswith(tuple(file.name for file in files.values()))
    else:
        for table in tables.values():
            assert_sound(table)
    return tables


def test_seeds_are_whole(folder):
    """Else nothing but refusals would be tried."""
    for kind, (seed, parser, keys) in FORMATS.items():
        entry = Entry.model_validate(ENTRY | {"parser": {"kind": kind, **parser}} | keys)
        assert read_or_refuse(entry, {"data": written(folder, kind, seed)})
    assert read_or_refuse(multilabel_entry(), multilabel_files(folder, MULTILABEL, LABELS))


@pytest.mark.parametrize("kind", FORMATS)
def test_parsers(folder, kind):
    seed, parser, keys = FORMATS[kind]
    entry = Entry.model_validate(ENTRY | {"parser": {"kind": kind, **parser}} | keys)

    @fuzzed(seed)
    def check(content):
        read_or_refuse(entry, {"data": written(folder, kind, content)})

    check()


def multilabel_entry():
    files = {"data": "a.arff", "labels": "a.xml"}
    unpinned = dict.fromkeys(files, {"unpinned": "a test"})
    keys = {"task": "multilabel", "files": unpinned, "parser": {"kind": "multilabel_arff"}}
    return Entry.model_validate(ENTRY | keys | {"sources": [{"kind": "mirror", "files": files}]})


def multilabel_files(folder, data, labels):
    return {
        "data": written(folder, "a.arff", data),
        "labels": written(folder, "a.xml", labels),
    }


@pytest.mark.parametrize("broken", ["data", "labels"])
def test_multilabel_parser(folder, broken):
    entry = multilabel_entry()
    whole = {"data": MULTILABEL, "labels": LABELS}

    @fuzzed(whole[broken])
    def check(content):
        read_or_refuse(entry, multilabel_files(folder, **whole | {broken: content}))

    check()


SGML = (
    b'<!DOCTYPE lewis SYSTEM "lewis.dtd">\n'
    b'<REUTERS TOPICS="YES" LEWISSPLIT="TRAIN" CGISPLIT="X" NEWID="1">\n<DATE>1-JAN-1987</DATE>'
    b"<TOPICS><D>grain</D><D>wheat</D></TOPICS>\n<TEXT>&#2;\n<TITLE>A &amp; B</TITLE>"
    b"<BODY>Body\n&#3;</BODY></TEXT>\n</REUTERS>\n"
)


def check_reuters(content):
    text = content.decode("latin-1")
    documents, message = attempt(lambda: list(read_documents(text, "a.sgm")), ParseError)
    if documents is None:
        assert message.startswith("a.sgm")
    else:
        assert all(isinstance(topic, str) for each in documents for topic in each.topics)


test_reuters = fuzzed(SGML)(check_reuters)


@pytest.fixture(scope="module")
def model_text(folder):
    from beyond_accuracy.command_line.main import main

    data, model = folder / "train.svm", folder / "whole.json"
    data.write_bytes(b"+1 1:0.5 3:2\n-1 2:1\n+1 1:1\n-1 3:-1\n")
    assert main(["train", "--measure", "f1", "-C", "1", str(data), str(model)]) == 0
    return model.read_bytes()


def test_model_file(folder, model_text):
    @fuzzed(model_text)
    def check(content):
        path = folder / "model.json"
        path.write_bytes(content)
        model, message = attempt(lambda: read_model(path), FileError)
        if model is None:
            assert message.startswith(str(path))
        else:
            assert np.isfinite(model.coefficients).all()
            assert len(model.coefficients) == model.n_features

    check()


def test_examples_of_the_command_line(folder):
    @fuzzed(FORMATS["svmlight"][0])
    def check(content):
        path = folder / "examples.svm"
        path.write_bytes(content)
        examples, message = attempt(lambda: read_examples(str(path)), FileError)
        if examples is None:
            assert message.startswith(str(path))
        else:
            X, y = examples
            assert X.shape[0] == len(y)
            assert np.isfinite(X.data if sp.issparse(X) else X).all()

    check()
