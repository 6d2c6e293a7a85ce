"""Which data sets are missing, which are tried again, and what the end of a run says."""

import json
from pathlib import Path

import pandas as pd
import pytest

from beyond_accuracy.configuration.catalogue import load_catalogue
from beyond_accuracy.pipeline.availability import (
    describe_outcome,
    describe_retry,
    mirror_folder,
    retry_unavailable_data_sets,
    unavailable_data_sets,
    within_reach,
)

NAMES = ["optdigits", "covertype", "letter", "iris"]


@pytest.fixture
def config(tmp_path, monkeypatch):
    """Return a configuration whose prepared data sets are unavailable, substituted and there."""
    monkeypatch.delenv("BEYOND_ACCURACY_MIRROR", raising=False)
    resources = tmp_path / "resources"
    records = {
        "optdigits": {"status": "unavailable", "used": None, "reason": "no mirror",
                      "how_to_get": "set the mirror"},
        "covertype": {"status": "ok", "used": "covertype-first20000"},
        "iris": {"status": "ok", "used": "iris"},
    }  # fmt: skip
    for name, record in records.items():
        (resources / "prepared" / name).mkdir(parents=True)
        text = json.dumps({"name": name, **record})
        (resources / "prepared" / name / "record.json").write_text(text)
    return {
        "mirror": None,
        "missing_data": "report",
        "retry_substitutes": False,
        "resources": str(resources),
        "results": str(tmp_path / "results"),
        "papers": [],
    }


@pytest.fixture
def obtainable(monkeypatch):
    """Say which data sets can be had, instead of reaching for them."""
    within, asked = set(), []

    def answer(prepared, catalogue, *, mirror, raw_folder, names, retry_substitutes):
        asked.append((sorted(names), retry_substitutes))
        return sorted(within.intersection(names))

    monkeypatch.setattr("beyond_accuracy.pipeline.availability.retry_unavailable", answer)
    return within, asked


def test_lists_what_is_unavailable(config):
    prepared = Path(config["resources"]) / "prepared"
    assert list(unavailable_data_sets(prepared, NAMES)) == ["optdigits"]
    assert unavailable_data_sets(prepared, ["iris", "letter"]) == {}


def test_end_of_a_run_says_what_is_missing_and_how_to_get_it(config):
    text = describe_outcome(config, NAMES)
    assert "1 data set is unavailable" in text
    assert "optdigits: no mirror" in text
    assert "how to get it: set the mirror" in text
    assert "covertype is not at hand; its substitute covertype-first20000 is used" in text
    assert "iris" not in text
    assert "Results" not in text
    site = Path(config["results"]) / "index.html"
    site.parent.mkdir()
    site.touch()
    assert describe_outcome(config, ["iris"]) == f"Results: {site}"


def test_marks_what_is_within_reach(config, obtainable, repository):
    names, asked = obtainable
    catalogue = load_catalogue(repository / "config/datasets")
    marker = within_reach(config["resources"], "optdigits")
    assert retry_unavailable_data_sets(config, NAMES, catalogue) == {"optdigits": False}
    assert not marker.exists()
    names.add("optdigits")
    assert retry_unavailable_data_sets(config, NAMES, catalogue) == {"optdigits": True}
    first = marker.read_text()
    assert retry_unavailable_data_sets(config, NAMES, catalogue) == {"optdigits": True}
    assert marker.read_text() != first
    assert asked == [(["optdigits"], False)] * 3


def test_start_of_a_run_says_what_was_tried_again(config):
    assert describe_retry(config, {"optdigits": True}) == (
        "optdigits was unavailable and is tried again."
    )
    assert describe_retry(config, {"optdigits": False}) == (
        "optdigits was tried again and is still unavailable:\n    no mirror\n"
        "    how to get it: set the mirror"
    )
    assert describe_retry(config, {"covertype": True, "optdigits": True}) == (
        "covertype had a substitute and is tried again.\n"
        "optdigits was unavailable and is tried again."
    )
    assert "its substitute stays in use" in describe_retry(config, {"covertype": False})


def test_end_of_a_run_counts_failed_fits_and_says_where(config, tmp_path):
    config["papers"] = ["joachims2005"]
    config["joachims2005"] = {
        "data_sets": ["iris", "letter"],
        "methods_selected": ["svm", "lr"],
        "methods": {"svm": {}, "lr": {}},
    }
    status = {
        ("iris", "svm"): ["ok", "failed", "timeout"],
        ("iris", "lr"): ["ok", "ok", "unavailable"],
        ("digits", "svm"): ["failed"],
    }
    for (data_set, method), rows in status.items():
        path = tmp_path / f"results/joachims2005/fits/{data_set}/{method}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        frame = {"status": rows, "reason": [f"why {number}" for number in range(len(rows))]}
        pd.DataFrame(frame).to_parquet(path)
    text = describe_outcome(config, ["iris"])
    assert "2 fits have failed and are marked so in the tables" in text
    assert (
        f"{tmp_path}/results/joachims2005/fits/iris/svm.parquet: 2 of 3, the first: why 1" in text
    )
    assert "lr.parquet" not in text
    assert "digits" not in text


def test_data_sets_of_others_are_left_alone(config, obtainable, repository):
    names, asked = obtainable
    names.add("optdigits")
    assert (
        retry_unavailable_data_sets(
            config, ["iris"], load_catalogue(repository / "config/datasets")
        )
        == {}
    )
    assert asked == []


def test_substitutes_are_tried_again_on_request_only(config, obtainable, repository):
    names, asked = obtainable
    names.add("covertype")
    catalogue = load_catalogue(repository / "config/datasets")
    assert retry_unavailable_data_sets(config, ["covertype"], catalogue) == {}
    config["retry_substitutes"] = True
    assert retry_unavailable_data_sets(config, ["covertype"], catalogue) == {"covertype": True}
    assert asked == [(["covertype"], True)]


def test_missing_data_that_fails_is_prepared_again_in_any_case(config, obtainable, repository):
    config["missing_data"] = "fail"
    catalogue = load_catalogue(repository / "config/datasets")
    assert retry_unavailable_data_sets(config, NAMES, catalogue) == {"optdigits": True}


def test_mirror_of_the_configuration_comes_first(config, tmp_path, monkeypatch):
    assert mirror_folder(config) is None
    monkeypatch.setenv("BEYOND_ACCURACY_MIRROR", str(tmp_path))
    assert mirror_folder(config) == tmp_path
    assert mirror_folder({"mirror": "elsewhere"}) == Path("elsewhere")
    monkeypatch.setenv("BEYOND_ACCURACY_MIRROR", str(tmp_path / "nowhere"))
    with pytest.raises(NotADirectoryError, match="BEYOND_ACCURACY_MIRROR is"):
        mirror_folder(config)
    monkeypatch.setenv("BEYOND_ACCURACY_MIRROR", "")
    assert mirror_folder(config) is None
