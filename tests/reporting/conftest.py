"""Synthetic runs that the tests of this folder read."""

import pytest

from .synthetic_run import Run, report, write_run


@pytest.fixture(scope="session")
def run(tmp_path_factory) -> Run:
    """A synthetic run without intervals, tables or figures; tests must not write into it."""
    return write_run(tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="session")
def reported(tmp_path_factory) -> Run:
    """A synthetic run with all its reports; tests must not write into it."""
    run = write_run(tmp_path_factory.mktemp("reported"))
    report(run)
    return run
