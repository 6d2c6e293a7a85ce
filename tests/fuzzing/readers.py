"""Readers of foreign files: a valid file of each, and checks for any changed one."""

import gzip
import hashlib
import io
import json
import tarfile
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import scipy.sparse as sp

from beyond_accuracy.command_line.main import main
from beyond_accuracy.command_line.model_file import read_model
from beyond_accuracy.measures import get_measure
from beyond_accuracy.readers.errors import FileError
from beyond_accuracy.readers.svmlight_file import read_examples
from beyond_accuracy_pipeline.datasets.entry import Entry
from beyond_accuracy_pipeline.datasets.errors import DataSetError, ParseError, WrongContent
from beyond_accuracy_pipeline.datasets.own_data import describe_file
from beyond_accuracy_pipeline.datasets.parsers import parse
from beyond_accuracy_pipeline.datasets.raw_files import check_file
from beyond_accuracy_pipeline.datasets.sources import FileSpecification

from .mutations import attempt

UNPINNED = {"unpinned": "a test"}
ENTRY = {
    "name": "fuzzed",
    "title": "Fuzzed",
    "task": "multiclass",
    "sources": [{"kind": "mirror", "files": {"data": "fuzzed"}}],
    "files": {"data": UNPINNED},
    "split": {"kind": "none"},
    "shape": {},
    "citation": "none",
    "licence": "none",
}
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
FRAME = pd.DataFrame({"a": [1.5, None, 3.0], "b": ["x", "y", None], "class": ["p", "q", "p"]})
# By parser: a valid file, the parser's options, and other keys of the entry.
FORMATS = {
    "csv": (FRAME.to_csv(index=False).encode(), {}, {"target": "class"}),
    "parquet": (FRAME.to_parquet(), {}, {"target": "class"}),
    "delimited": (b"0.5,1,a\n2,-3e2,b\n4,5,a\n", {"delimiter": ",", "class_column": -1}, {}),
    "svmlight": (b"+1 1:0.5 3:2 # said\n-1 2:1\n", {"n_features": 4}, {}),
    "arff": (
        b"@relation r\n@attribute a {'?', no}\n@attribute b real\n@attribute class {p, 'q r'}\n"
        b"@data\n'?',1,p\n?,2.5,'q r'\n% c\nno,?,p\n",
        {},
        {"target": "class"},
    ),
    "arxiv_snapshot": (SNAPSHOT, ARCHIVES, {"transforms": [{"kind": "tfidf"}]}),
}
# More than ten numbers, so that the "?" among them counts as a missing value.
OWN = b"a,b,class\n" + b"".join(b"%d.5,x,p\n%d.25,y,q\n" % (i, i) for i in range(6)) + b"?,,q\n"

Check = Callable[[bytes], object]
Reader = tuple[bytes | Callable[[], bytes], Callable[[Path], Check]]


def written(folder: Path, name: str, content: bytes) -> Path:
    """Write a file and return its path."""
    path = folder / name
    path.write_bytes(content)
    return path


def parser(changed: str, files: dict[str, bytes], **keys) -> Reader:
    """Return the reader of one file of an entry; its other files are valid."""
    sources = [{"kind": "mirror", "files": {role: role for role in files}}]
    pins = dict.fromkeys(files, UNPINNED)
    entry = Entry.model_validate(ENTRY | {"sources": sources, "files": pins} | keys)

    def check(folder, content):
        contents = files | {changed: content}

        def read():
            checked = {}
            for role, pin in entry.files.items():
                path = written(folder, f"file of {role}", contents[role])
                checked[role] = check_file(path, pin, path.name, "nothing")
            return parse(entry, checked)

        tables, message = attempt(read, (ParseError, WrongContent))
        if tables is None:
            assert message.startswith("file of ")
        else:
            for table in tables.values():
                _assert_sound(table)
        return tables

    return files[changed], lambda folder: partial(check, folder)


def _assert_sound(table):
    """Check that accepted data have one target per row, and numbers that later steps accept."""
    assert len(table.y) == table.X.shape[0]
    assert ((table.y >= 0) & (table.y < len(table.class_names))).all()
    values = table.X.data if sp.issparse(table.X) else table.X
    if values.dtype.kind == "f":
        assert not np.isinf(values).any()


def packed(whole: bytes, **pins) -> Reader:
    """Return the reader of a file that is decompressed or unpacked, and compared with its pins."""
    specification = FileSpecification(**pins)

    def check(folder, content):
        path = written(folder, "a.packed", content)

        def read():
            file = check_file(path, specification, "a.packed", "nothing")
            with file.open() as stream:
                return file.members() if specification.members else stream.read()

        found, message = attempt(read, WrongContent)
        assert found is not None or message.startswith("a.packed")
        return found

    return whole, lambda folder: partial(check, folder)


def _tar(content: bytes) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        member = tarfile.TarInfo("a.txt")
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))
    # Cut most of the trailing zeros, which nothing reads.
    return buffer.getvalue()[: 1024 + 512 * (len(content) // 512 + 1)]


def _trained_model() -> bytes:
    with tempfile.TemporaryDirectory() as name:
        data = written(Path(name), "train.svm", b"+1 1:0.5 3:2\n-1 2:1\n+1 1:1\n-1 3:-1\n")
        model = Path(name) / "whole.json"
        assert main(["train", "--measure", "f1", "-C", "1", str(data), str(model)]) == 0
        return model.read_bytes()


def _check_model(folder: Path, content: bytes):
    path = written(folder, "model.json", content)
    model, message = attempt(lambda: read_model(path), FileError)
    if model is None:
        assert message.startswith(str(path))
    else:
        assert np.isfinite(model.coefficients).all()
        assert len(model.coefficients) == model.n_features
        # A newer version that knows the measure may have written the model.
        attempt(lambda: get_measure(model.measure), ValueError)
    return model


def _check_examples(folder: Path, content: bytes):
    path = written(folder, "examples.svm", content)
    examples, message = attempt(lambda: read_examples(str(path)), FileError)
    if examples is None:
        assert message.startswith(str(path))
    else:
        X, y = examples
        assert X.shape[0] == len(y)
        assert np.isfinite(X.data if sp.issparse(X) else X).all()
    return examples


def _check_own_data(folder: Path, content: bytes):
    """Check `describe_file`, which interprets the texts of a user's CSV itself."""
    path = written(folder, "own.csv", content)
    source = {"kind": "file", "files": {"data": "own.csv"}}
    given = {"name": "own", "source": source, "target": "class"}
    described, message = attempt(lambda: describe_file(path, **given), DataSetError)
    if described is None:
        assert "own.csv" in message
    else:
        _assert_sound(described[1])
    return described


PAIR = {"data": MULTILABEL, "labels": LABELS}
MULAN = {"task": "multilabel", "parser": {"kind": "multilabel_arff"}}
READERS: dict[str, Reader] = {
    **{
        kind: parser("data", {"data": whole}, parser={"kind": kind, **options}, **keys)
        for kind, (whole, options, keys) in FORMATS.items()
    },
    "tar": packed(_tar(b"content\n"), members={"a.txt": hashlib.sha256(b"content\n").hexdigest()}),
    "compressed": packed(gzip.compress(b"content\n" * 9, mtime=0), unpinned="a test"),
    "multilabel_arff": parser("data", PAIR, **MULAN),
    "label_names": parser("labels", PAIR, **MULAN),
    "own_data": (OWN, lambda folder: partial(_check_own_data, folder)),
    "model_file": (_trained_model, lambda folder: partial(_check_model, folder)),
    "examples": (FORMATS["svmlight"][0], lambda folder: partial(_check_examples, folder)),
}
"""By name: a valid file or its maker, and a function that makes the check in a folder."""
