"""What make hands over to Snakemake."""

import subprocess

import pytest


def make(repository, *arguments):
    command = ["make", "--dry-run", "--no-print-directory", "VENV=/none", *arguments]
    return subprocess.run(command, cwd=repository, text=True, capture_output=True, check=False)


@pytest.mark.parametrize("cores", ["0", "two", ""])
def test_a_number_of_cores_that_is_none_is_an_error(repository, cores):
    run = make(repository, "all", f"CORES={cores}")
    assert run.returncode != 0
    assert f"CORES: found '{cores}'; valid: a whole number from 1, or all" in run.stderr


def test_a_mirror_leaves_room_for_other_configuration(repository):
    show = "--eval=show: ; +@echo mirror is $$BEYOND_ACCURACY_MIRROR"
    arguments = ("MIRROR=/a/b", "ARGS=--config seed=1")
    assert "mirror is /a/b\n" in make(repository, show, "show", *arguments).stdout
    assert make(repository, "all", *arguments).stdout.count("--config") == 1
