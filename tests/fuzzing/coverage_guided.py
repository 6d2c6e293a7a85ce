"""`python -m tests.fuzzing.coverage_guided READER`: fuzzing that looks for code not yet reached.

Needs `atheris`, which the tests do without. Options of libFuzzer may follow, such as
-max_total_time=60 (seconds) and -runs=100000. It ends at the first input that does anything but be
read or raise the named error, and writes that input into the present folder.
"""

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["beyond_accuracy"]):
    from beyond_accuracy.datasets.entry import Entry

    from .test_readers import ENTRY, FORMATS, SGML, check_reuters, read_or_refuse, written


def main(reader: str, *options: str) -> None:
    """Fuzz a reader, one of FORMATS or `reuters_sgml`, beginning with its whole file."""
    folder = Path(tempfile.mkdtemp(prefix="coverage-guided-"))
    if reader == "reuters_sgml":
        seed, check = SGML, check_reuters
    else:
        seed, parser, keys = FORMATS[reader]
        entry = Entry.model_validate(ENTRY | {"parser": {"kind": reader, **parser}} | keys)

        def check(content):
            read_or_refuse(entry, {"data": written(folder, reader, content)})

    corpus = folder / "corpus"
    corpus.mkdir()
    (corpus / "whole").write_bytes(seed)
    atheris.Setup([sys.argv[0], *options, str(corpus)], check)
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
