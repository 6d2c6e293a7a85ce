"""Files that YAML's own rules let grow: refused at once, by name."""

import time

import pytest

from beyond_accuracy_pipeline.configuration.files import (
    ConfigurationError,
    check_configuration_file,
)


def doubling(template, levels=30):
    lines = ["a0: &a0 {x: 1}"]
    lines += [template.format(i, i, i - 1, i - 1) for i in range(1, levels)]
    return "\n".join(lines)


HOSTILE = {
    "aliases": (doubling("a{}: &a{} [*a{}, *a{}]"), "too many values"),
    "merged aliases": (doubling("a{}: &a{} {{<<: [*a{}, *a{}]}}"), "too many values"),
    "cycle": ("a: &a [1, *a]\n", "aliases that refer to themselves"),
    "deep flow": ("a: " + "[" * 200_000 + "]" * 200_000, "too deep"),
    "deep block": ("a:\n  " + "- " * 200_000 + "1\n", "too deep"),
    "sexagesimal": ("a: 1" + ":59" * 100_000, "a number of 300001 characters"),
    "sexagesimal float": ("a: 1" + ":59" * 1000 + ".5", "a number of 3003 characters"),
    "hexadecimal": ("a: 0x" + "f" * 20_000, "a number of 20002 characters"),
    "binary": ("a: 0b" + "1" * 20_000, "a number of 20002 characters"),
    "digits": ("a: " + "9" * 400_000, "a number of 400000 characters"),
    "key": ("? 0x" + "f" * 20_000 + "\n: 1", "a number of 20002 characters"),
    "long": ("a: 1\n" + "# comment\n" * 200_000, "too long a file"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_yaml_is_refused_at_once(tmp_path, kind):
    file = tmp_path / "config.yaml"
    text, message = HOSTILE[kind]
    file.write_text(text)
    started = time.process_time()
    with pytest.raises(ConfigurationError, match=message):
        check_configuration_file(file)
    assert time.process_time() - started < 2


def test_aliases_are_read(tmp_path):
    file = tmp_path / "config.yaml"
    file.write_text("a: &a {b: 1}\nc: *a\nd: {<<: *a, e: 2}\n")
    check_configuration_file(file)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("papers: [joachims2005 ?at the top]\n", r"no valid YAML: expected .* but got .\?"),
        (
            "papers: [!,joachims2005 deng2006]\n",
            "could not determine a constructor for the tag '!,joachims2005'",
        ),
    ],
)
def test_yaml_that_only_the_parser_in_c_takes_is_refused(tmp_path, text, message):
    """Snakemake's is that in Python: what passed here ended in its traceback."""
    file = tmp_path / "config.yaml"
    file.write_text(text)
    with pytest.raises(ConfigurationError, match=message):
        check_configuration_file(file)
