"""Configurations in these tests may name estimators that tests define."""

import pytest

from beyond_accuracy_pipeline.experiments.dotted_paths import PACKAGES_VARIABLE


@pytest.fixture(autouse=True)
def tests_are_allowed(monkeypatch):
    monkeypatch.setenv(PACKAGES_VARIABLE, "tests")
