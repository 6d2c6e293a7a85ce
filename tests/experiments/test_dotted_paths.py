"""Modules of packages that are not allowed are refused before their code runs."""

import sys

import pytest
from sklearn.svm import LinearSVC

from beyond_accuracy_pipeline.experiments.dotted_paths import load_class, load_estimator


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Make a module that writes a file when it is imported; yield the path of that file."""
    trace = tmp_path / "trace"
    text = f"open({str(trace)!r}, 'w').close()\nfrom sklearn.svm import LinearSVC\n"
    (tmp_path / "foreign_module.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    yield trace
    sys.modules.pop("foreign_module", None)


def test_a_package_that_is_not_allowed_is_not_imported(module, monkeypatch):
    monkeypatch.delenv("BEYOND_ACCURACY_PACKAGES", raising=False)
    with pytest.raises(ValueError, match="foreign_module"):
        load_class("foreign_module.LinearSVC")
    assert not module.exists()
    monkeypatch.setenv("BEYOND_ACCURACY_PACKAGES", "other,foreign_module")
    assert load_class("foreign_module.LinearSVC") is LinearSVC
    assert module.exists()


def test_only_classifiers_are_suggested():
    with pytest.raises(ValueError, match="did you mean 'sklearn.ensemble.RandomForestClassifier'"):
        load_estimator("sklearn.ensemble.RandomForest")
