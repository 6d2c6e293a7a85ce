"""Estimators that the tests define may be named in configurations."""

import pytest

from beyond_accuracy_pipeline.experiments.dotted_paths import PACKAGES_VARIABLE


@pytest.fixture(autouse=True)
def tests_are_allowed(monkeypatch):
    monkeypatch.setenv(PACKAGES_VARIABLE, "tests")
