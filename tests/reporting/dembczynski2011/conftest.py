"""A reported synthetic run of the multi-label paper."""

import pytest

from .synthetic_label_run import (
    LabelRun,
    report,
    write_label_run,
    write_simulations,
    write_worst_cases,
)


@pytest.fixture(scope="session")
def label_run(tmp_path_factory) -> LabelRun:
    """A synthetic run with all its reports; tests must not write into it."""
    wrong = {"marginal_threshold": 0.3, "gfm": 0.1, "meuf": 0.15, "gfm_threshold_exact": 0.4}
    wrong["pcc_unscaled", "gfm"] = 0.25
    run = write_label_run(tmp_path_factory.mktemp("labels"), wrong)
    write_simulations(run.results)
    write_worst_cases(run.results, (0.1, 0.5, 0.8), (0.0, 0.05, 0.1))
    report(run)
    return run
