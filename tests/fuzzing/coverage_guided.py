"""`python -m tests.fuzzing.coverage_guided READER`: fuzzing that looks for code not yet reached.

Needs `atheris`, which the tests do without. Options of libFuzzer may follow, such as
-max_total_time=60 (seconds) and -runs=1000000. It ends at the first input that does anything but be
read or raise the named error, and writes that input into the present folder.
"""

import logging
import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["beyond_accuracy"]):
    from .configurations import CONFIGURATIONS
    from .limits import limited
    from .readers import reader


# Most of the time of an input would be that of a disk.
_MEMORY = Path("/dev/shm")


def main(name: str, *options: str) -> None:
    """Fuzz a reader, one of `READERS` or `CONFIGURATIONS`, beginning with its whole file."""
    # Libraries warn of most inputs, and to write that takes longer than to read them.
    logging.disable(logging.WARNING)
    if _MEMORY.is_dir():
        tempfile.tempdir = str(_MEMORY)
    folder = Path(tempfile.mkdtemp(prefix="coverage-guided-"))
    if name in CONFIGURATIONS:
        seed, make = CONFIGURATIONS[name]
        check = make(folder)
    else:
        seed, check = reader(name, folder)
    corpus = folder / "corpus"
    corpus.mkdir()
    (corpus / "whole").write_bytes(seed)

    # Libraries are loaded once: their memory is not that of a file.
    check(seed)
    within_limits = limited(check)

    def check_one(content):
        within_limits(content)

    atheris.Setup([sys.argv[0], *options, str(corpus)], check_one)
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
