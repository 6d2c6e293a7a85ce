"""Whatever is in a file of the configuration: it is valid, or all its faults are named."""

import re
from pathlib import Path

import pytest
import yaml

import beyond_accuracy.papers
from beyond_accuracy.configuration.catalogue import load_catalogue
from beyond_accuracy.configuration.files import ConfigurationError, check_configuration_file
from beyond_accuracy.configuration.validation import validate_configuration
from beyond_accuracy.papers import paper_ids
from beyond_accuracy.results.variants import laid_over

from .mutations import attempt, fuzz

_OWN = Path(beyond_accuracy.papers.__file__).parent
# Of some papers there are short ones, in which more of what is changed matters.
_SHORT = sorted((Path(__file__).parents[1] / "configuration/papers").glob("*.yaml"))
PAPERS = {paper: _OWN / paper / "paper.yaml" for paper in paper_ids()}
PAPERS |= {file.stem: file for file in _SHORT}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("fuzzed")


def validated(files, catalogue):
    """Read files as Snakemake does, which checks each first, and validate them."""
    config = {}
    for file in files:
        check_configuration_file(file)
        config = laid_over(config, yaml.safe_load(file.read_text()))
    return validate_configuration(config, files, catalogue)


@pytest.mark.parametrize("paper", PAPERS)
def test_paper(folder, catalogue, paper):
    general, own = folder / "config.yaml", folder / "paper.yaml"
    general.write_text(f"seed: 1\npapers: [{paper}]\n")
    own.write_bytes(PAPERS[paper].read_bytes())
    assert paper in validated([general, own], catalogue)

    def check(content):
        own.write_bytes(content)
        _, message = attempt(lambda: validated([general, own], catalogue), ConfigurationError)
        assert message is None or "yaml" in message

    fuzz(check, PAPERS[paper].read_bytes())


def test_general_configuration(folder, catalogue, repository):
    general, paper = folder / "config.yaml", folder / "paper.yaml"
    paper.write_bytes(PAPERS["joachims2005"].read_bytes())
    text = (repository / "config/config.yaml").read_text()
    seed = re.sub(r"^papers: .*$", "papers: [joachims2005]", text, flags=re.MULTILINE).encode()
    # Else nothing but refusals would be tried.
    general.write_bytes(seed)
    assert validated([general, paper], catalogue)["papers"] == ["joachims2005"]

    def check(content):
        general.write_bytes(content)
        _, message = attempt(lambda: validated([general, paper], catalogue), ConfigurationError)
        assert message is None or "yaml" in message

    fuzz(check, seed)


def test_catalogue(folder, repository):
    entries = folder / "entries"
    entries.mkdir()
    name = "generated-imbalanced.yaml"
    seed = (repository / "config/datasets" / name).read_bytes()
    (entries / name).write_bytes(seed)
    assert [*load_catalogue(entries)] == ["generated-imbalanced"]

    def check(content):
        (entries / name).write_bytes(content)
        catalogue, message = attempt(lambda: load_catalogue(entries), ConfigurationError)
        if catalogue is None:
            assert name in message
        else:
            assert [*catalogue] == ["generated-imbalanced"]

    fuzz(check, seed)
