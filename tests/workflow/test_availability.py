"""Messages on missing data sets and failed fits, and retries of missing data sets."""

import hashlib
import json
from pathlib import Path

import pandas as pd
import pytest

from beyond_accuracy_pipeline.datasets.entry import Entry
from beyond_accuracy_pipeline.datasets.prepare import prepare
from beyond_accuracy_pipeline.datasets.record import read_record
from beyond_accuracy_pipeline.results.checksums import Checksums
from beyond_accuracy_pipeline.workflow.availability import (
    describe_outcome,
    fetch_settings,
    mirror_folder,
    remember_unreachable,
    retry_mark,
    retry_missing,
)

NAMES = ["optdigits", "yeast", "covertype", "letter", "iris"]


@pytest.fixture
def config(tmp_path, monkeypatch):
    """Return a configuration whose prepared data sets are unavailable, substituted and there."""
    monkeypatch.delenv("BEYOND_ACCURACY_MIRROR", raising=False)
    resources = tmp_path / "resources"
    wrong = {"data_set": "optdigits", "source": "url", "location": "http://a/b"}
    wrong |= {"outcome": "wrong", "reason": "wrong checksum"}
    common = {"attempts": [], "source": None, "files": [], "how_to_get": "set the mirror"}
    records = {
        "optdigits": common | {"status": "unavailable", "used": None},
        "yeast": common | {"status": "faulty", "used": None, "attempts": [wrong]},
        "covertype": common | {"status": "ok", "used": "covertype-first20000"},
        "iris": common | {"status": "ok", "used": "iris"},
    }
    for name, record in records.items():
        (resources / "prepared" / name).mkdir(parents=True)
        text = json.dumps({"name": name, **record})
        (resources / "prepared" / name / "record.json").write_text(text)
    return {
        "mirror": None,
        "resources": str(resources),
        "results": str(tmp_path / "results"),
        "papers": [],
    }


def test_end_of_a_run_says_what_is_missing_and_how_to_get_it(config):
    text = describe_outcome(config, NAMES, succeeded=True)
    assert "2 of 5 data sets are missing: optdigits, yeast." in text
    assert "yeast: a wrong file was not used: url http://a/b: wrong checksum" in text
    assert "set MIRROR=DIR" in text
    assert "covertype is missing; its substitute covertype-first20000 is used instead" in text
    assert "iris" not in text
    assert "Results" not in text
    site = Path(config["results"]) / "index.html"
    site.parent.mkdir()
    site.touch()
    assert describe_outcome(config, ["iris"], succeeded=True) == f"Results: {site}"
    # After a failed job, the page is that of an earlier run.
    assert describe_outcome(config, ["iris"], succeeded=False) == ""


def test_a_file_of_ones_own_is_corrected_and_not_downloaded(config):
    wrong = {"data_set": "letter", "source": "file", "location": "letter.csv"}
    wrong |= {"outcome": "wrong", "reason": "no column y"}
    record = {"name": "letter", "status": "faulty", "used": None, "attempts": [wrong]}
    record |= {"source": None, "files": [], "how_to_get": ""}
    folder = Path(config["resources"]) / "prepared/letter"
    folder.mkdir()
    (folder / "record.json").write_text(json.dumps(record))
    text = describe_outcome(config, ["letter", "iris"], succeeded=True)
    assert "Correct their files, or their entries in config/datasets, and run again." in text
    assert "MIRROR" not in text


def test_end_of_a_run_counts_failed_fits_and_says_where(config, tmp_path):
    config["papers"] = ["joachims2005"]
    config["joachims2005"] = {
        "data_sets": ["iris", "letter"],
        "measures": ["f1"],
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
    text = describe_outcome(config, ["iris"], succeeded=True)
    assert "2 fits have failed and are marked so in the tables" in text
    assert (
        f"{tmp_path}/results/joachims2005/fits/iris/svm.parquet: 2 of 3, the first: why 1" in text
    )
    assert "lr.parquet" not in text
    assert "digits" not in text
    # As of a job that was killed before it stored a checksum.
    (tmp_path / "results/joachims2005/fits/iris/lr.parquet").write_bytes(b"PAR1abc")
    text = describe_outcome(config, ["iris"], succeeded=True)
    assert "iris/lr.parquet: damaged" in text
    assert "svm.parquet: 2 of 3" in text


def test_a_data_set_with_a_substitute_is_looked_for_again(tmp_path, monkeypatch):
    """Found by a reader: a substitute was permanent, whatever mirror was named later."""
    monkeypatch.delenv("BEYOND_ACCURACY_MIRROR", raising=False)
    content = b"1 1:1\n-1 1:2\n"
    digest = hashlib.sha256(content).hexdigest()

    def entry(name, **keys):
        sources = [{"kind": "mirror", "files": {"data": f"{name}.svm"}}]
        return Entry.model_validate(
            {
                **{"name": name, "task": "binary", "sources": sources, "title": name},
                **{"files": {"data": {"sha256": [digest]}}, "split": {"kind": "none"}},
                **{"parser": {"kind": "svmlight", "n_features": 1}, "shape": {}},
                **{"citation": "none", "licence": "none", **keys},
            }
        )

    catalogue = {"real": entry("real", substitute="other"), "other": entry("other")}
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    (mirror / "other.svm").write_bytes(content)
    config = {
        **{"mirror": str(mirror), "resources": str(tmp_path / "resources"), "seed": 1},
        **{"results": str(tmp_path / "results"), "missing_data": "report"},
        "large_downloads": False,
    }
    folder = tmp_path / "resources/prepared/real"
    prepare(
        catalogue["real"],
        settings=fetch_settings(config),
        output_folder=folder,
        seed=1,
        catalogue=catalogue,
    )
    assert read_record(folder)["used"] == "other"
    Checksums.of(config).store([folder / "record.json"])
    mark = retry_mark(config, "real")
    assert retry_missing(config, ["real"], catalogue) == []
    assert not mark.exists()
    (mirror / "real.svm").write_bytes(content)
    lines = retry_missing(config, ["real"], catalogue)
    assert lines == ["real is available now and is prepared again."]
    assert mark.exists()


def test_jobs_share_the_hosts_that_cannot_be_reached(config):
    config["large_downloads"] = False
    for host in ("a.org", "b.org"):
        downloader = fetch_settings(config).downloader
        downloader.unreachable[host] = "the server stalls"
        remember_unreachable(config, downloader)
    assert set(fetch_settings(config).downloader.unreachable) == {"a.org", "b.org"}
    retry_missing(config | {"missing_data": "report", "seed": 1}, [], {})
    assert fetch_settings(config).downloader.unreachable == {}


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
