"""A configuration that has not changed is not validated again; one that has is."""

import pytest

from beyond_accuracy_pipeline.configuration import validation
from beyond_accuracy_pipeline.configuration.files import ConfigurationError
from beyond_accuracy_pipeline.workflow.valid_configuration import valid_configuration


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Return a function that starts with a configuration and says whether it was validated."""
    calls = []

    def validate(config, files, catalogue, *, command_line):
        calls.append(config)
        if config["seed"] < 0:
            raise ConfigurationError([])
        return {**config, "pair": (1, 2)}

    monkeypatch.setattr(validation, "validate_configuration", validate)
    file = tmp_path / "config.yaml"

    def run(text="seed: 1", command_line=None, **config):
        file.write_text(text)
        before = len(calls)
        memory = tmp_path / "memory" / "valid.json"
        config = {"seed": 1, **config}
        result = valid_configuration(config, [str(file)], {}, command_line or {}, memory)
        assert result == {**config, "pair": [1, 2]}
        return len(calls) > before

    return run


def test_only_a_change_is_validated(start, tmp_path):
    assert start()
    assert not start()
    assert start("seed:  1")
    assert start(seed=2)
    assert start(command_line={"seed": "2"})
    mirror = tmp_path / "mirror"
    assert start(mirror=str(mirror))
    mirror.mkdir()
    assert start(mirror=str(mirror))
    assert not start(mirror=str(mirror))


def test_an_invalid_configuration_is_not_remembered(start):
    for _ in range(2):
        with pytest.raises(ConfigurationError):
            start(seed=-1)


@pytest.mark.parametrize("content", ["{", "[]"])
def test_a_spoilt_memory_is_written_anew(start, tmp_path, content):
    start()
    (tmp_path / "memory" / "valid.json").write_text(content)
    assert start()
    assert not start()
