"""A small valid paper per protocol, and functions that validate configuration texts."""

from pathlib import Path

import pytest
import yaml

from beyond_accuracy_pipeline.configuration.validation import validate_configuration
from beyond_accuracy_pipeline.results.variants import laid_over


@pytest.fixture(scope="session")
def papers():
    """Return a small valid configuration text per paper."""
    folder = Path(__file__).parent / "papers"
    return {path.stem: path.read_text() for path in folder.glob("*.yaml")}


@pytest.fixture
def check(tmp_path, catalogue):
    """Return a function that validates configuration texts; later texts override earlier ones."""

    def run(*texts, command_line=None):
        config, files = {}, []
        for number, text in enumerate(texts):
            files.append(tmp_path / f"file{number}.yaml")
            files[-1].write_text(text)
            config = laid_over(config, yaml.safe_load(text))
        config = laid_over(config, command_line or {})
        return validate_configuration(config, files, catalogue, command_line=command_line)

    return run


@pytest.fixture
def check_paper(check, papers):
    """Return a function that validates the text of one paper and returns its configuration."""

    def run(paper, text=None):
        general = f"seed: 1\npapers: [{paper}]\n"
        return check(general, papers[paper] if text is None else text)[paper]

    return run
