"""Configuration files: a valid one of each kind, and checks for any changed one."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import yaml

import beyond_accuracy_pipeline.papers
from beyond_accuracy_pipeline.configuration.catalogue import load_catalogue
from beyond_accuracy_pipeline.configuration.files import (
    ConfigurationError,
    check_configuration_file,
)
from beyond_accuracy_pipeline.configuration.validation import validate_configuration
from beyond_accuracy_pipeline.papers import paper_ids
from beyond_accuracy_pipeline.results.variants import laid_over

from .mutations import attempt

_REPOSITORY = Path(__file__).parents[2]
_DATA_SETS = _REPOSITORY / "config/datasets"
_OWN = Path(beyond_accuracy_pipeline.papers.__file__).parent
# Some papers have short versions, in which a change is more likely to matter.
_SHORT = sorted((_REPOSITORY / "tests/configuration/papers").glob("*.yaml"))
_PAPERS = {paper: _OWN / paper / "paper.yaml" for paper in paper_ids()}
_PAPERS |= {file.stem: file for file in _SHORT}

Check = Callable[[bytes], Mapping[str, Any] | None]


_catalogue = cache(partial(load_catalogue, _DATA_SETS))


def _validated(files: Sequence[Path]) -> Mapping[str, Any]:
    """Check and read files as Snakemake does, then validate the configuration."""
    config: dict = {}
    for file in files:
        check_configuration_file(file)
        config = laid_over(config, yaml.safe_load(file.read_text()))
    return validate_configuration(config, files, _catalogue())


def _check(changed: Path, files: Sequence[Path], content: bytes) -> Mapping[str, Any] | None:
    changed.write_bytes(content)
    found, message = attempt(lambda: _validated(files), ConfigurationError)
    assert message is None or "yaml" in message
    return found


def _paper(paper: str, folder: Path) -> Check:
    general, own = folder / "config.yaml", folder / "paper.yaml"
    general.write_text(f"seed: 1\npapers: [{paper}]\n")
    return partial(_check, own, [general, own])


def _general(folder: Path) -> Check:
    general, own = folder / "config.yaml", folder / "paper.yaml"
    own.write_bytes(_PAPERS["joachims2005"].read_bytes())
    return partial(_check, general, [general, own])


def _general_text() -> bytes:
    """Return the general configuration with one short paper; with others, all is refused."""
    text = (_REPOSITORY / "config/config.yaml").read_text()
    return re.sub(r"^papers: .*$", "papers: [joachims2005]", text, flags=re.MULTILINE).encode()


CONFIGURATIONS: dict[str, tuple[bytes, Callable[[Path], Check]]] = {
    **{name: (file.read_bytes(), partial(_paper, name)) for name, file in _PAPERS.items()},
    "configuration": (_general_text(), _general),
}
"""By name: a whole file, and what makes the check of any in a folder."""
