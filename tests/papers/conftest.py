"""Synthetic runs that several tests read."""

import pytest

from .synthetic import SyntheticRun, paper_configuration, synthetic_run
from .whole_run import whole_run

COLLECTIONS = {"text": 6, "failing": 4, "standin": 3, "absent": 0}


def collections(folder) -> SyntheticRun:
    """Write a run of four data sets: plain, with a failed class, a substitute, unavailable."""
    substitute = {"used": "twin", "substitute_for": "standin"}
    failed = {("failing", "multivariate_svm", "class 1"): ("failed", "no positive in test")}
    return synthetic_run(
        folder,
        "joachims2005",
        configuration=paper_configuration("joachims2005", data_sets=list(COLLECTIONS)),
        n_classes=COLLECTIONS,
        records={"standin": substitute | {"substitute_reason": "the real one is <private>"}},
        quality=lambda data_set, method, measure: 1.5 if method == "multivariate_svm" else 1.0,
        status=lambda *key: failed.get(key, ("ok", "")),
        fits=lambda row: {
            "fallback": (row["data_set"], row["task"]) == ("text", "class 0"),
            "degenerate": (row["data_set"], row["task"]) == ("text", "class 1"),
            "n_iter": 10 * (1 + int(row["task"][-1])) if row["task"] else None,
        },
    )


@pytest.fixture(scope="session")
def run(tmp_path_factory) -> SyntheticRun:
    """Return a run of four collections with all its reports; tests must not write into it."""
    return collections(tmp_path_factory.mktemp("run")).build()


@pytest.fixture(scope="session")
def paper_run(request, tmp_path_factory) -> SyntheticRun:
    """Return a run of two data sets of a paper, with reports; tests must not write into it."""
    return whole_run(tmp_path_factory.mktemp("whole"), request.param).build()
