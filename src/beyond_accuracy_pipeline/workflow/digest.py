"""Digests of source code: if code changes, Snakemake repeats the rules that use it.

Snakemake tracks the script of a rule, but not the modules that the script imports. So each rule has
the digest of its packages among its ``params``.
"""

import hashlib
from functools import cache
from pathlib import Path

import beyond_accuracy_pipeline

_LIBRARY = "beyond_accuracy"
_PIPELINE = "beyond_accuracy_pipeline"
PREPARATION = (f"{_LIBRARY}/readers", f"{_PIPELINE}/datasets")
OVERVIEW = (*PREPARATION, f"{_PIPELINE}/results")
EXPERIMENTS = (
    *OVERVIEW,
    *(
        f"{_LIBRARY}/{name}"
        for name in (
            "measures", "compilation.py", "scikit_learn.py", "solvers", "inference",
            "operating_points", "reweighting", "estimators",
        )
    ),
    f"{_PIPELINE}/reproduction",
    f"{_PIPELINE}/experiments",
)  # fmt: skip
REPORTS = (
    f"{_LIBRARY}/measures",
    f"{_PIPELINE}/results",
    f"{_PIPELINE}/reporting",
    f"{_PIPELINE}/experiments/seeds.py",
)
PAPERS = f"{_PIPELINE}/papers"

_IGNORED = {".pyc", ".nbi", ".nbc", ".md"}
# Configuration, which is a parameter of rules.
_PAPER = "paper.yaml"


@cache
def source_digest(
    *packages: str, root: Path = Path(beyond_accuracy_pipeline.__file__).parents[1]
) -> str:
    """Return the sha256 of the names and contents of some source files.

    `packages` are paths of folders or files below `root`.
    """
    total = hashlib.sha256()
    for package in sorted(packages):
        folder = root / package
        if not folder.exists():
            raise FileNotFoundError(f"{folder}: there is no such package")
        for path in [folder, *sorted(folder.rglob("*"))]:
            if path.is_file() and path.suffix not in _IGNORED and path.name != _PAPER:
                content = hashlib.sha256(path.read_bytes()).hexdigest()
                total.update(f"{path.relative_to(root).as_posix()}\0{content}\n".encode())
    return total.hexdigest()
