"""Copies for machines without network, and the check of all addresses, on the loopback."""

import hashlib
import re

import pandas as pd
import pytest

from beyond_accuracy_pipeline.configuration.catalogue import load_catalogue
from beyond_accuracy_pipeline.datasets.mirror_copy import MANIFEST, copy_to_mirror
from beyond_accuracy_pipeline.datasets.prepare import obtain
from beyond_accuracy_pipeline.workflow import sources
from beyond_accuracy_pipeline.workflow.sources import REACHABLE, check_addresses, main

CONTENT = b"1,2,a\n3,4,b\n"
SHA256 = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture
def catalogue(make_entry, server):
    """Return three entries: redistributable with a mirror path, without one, and missing."""
    server.answers["/data.csv"] = server.content(CONTENT)
    url = {"kind": "url", "files": {"data": [f"{server.url}/data.csv"]}}
    gone = {"kind": "url", "files": {"data": [f"{server.url}/gone.csv"]}}
    mirror = {"kind": "mirror", "files": {"data": "uci/free.csv"}}
    options = {"files": {"data": {"sha256": [SHA256]}}}
    entries = [
        make_entry(name="free", sources=[mirror, url], redistributable=True, **options),
        make_entry(name="other", sources=[url], **options),
        make_entry(name="gone", sources=[gone], **options),
    ]
    return {entry.name: entry for entry in entries}


def test_a_copy_serves_as_mirror_without_network(catalogue, settings, tmp_path, server):
    folder = tmp_path / "mirror"
    copied, missing = copy_to_mirror(catalogue, catalogue, folder, settings())
    free, other = copied
    assert (free.file, free.sha256, free.bytes) == ("uci/free.csv", SHA256, len(CONTENT))
    assert free.source == f"url {server.url}/data.csv"
    assert re.fullmatch(r"other/data-[0-9a-f]{16}", other.file)
    assert [message.partition(" ")[0] for message in missing] == ["gone:"]
    server.answers.clear()
    data = obtain(catalogue["free"], {}, settings(folder, raw_folder=tmp_path / "none"), 1)
    assert data.record["source"]["kind"] == "mirror"


def test_a_public_copy_has_only_what_may_be_passed_on(catalogue, settings, tmp_path):
    copied, missing = copy_to_mirror(catalogue, catalogue, tmp_path / "m", settings(), public=True)
    assert [file.data_set for file in copied] == ["free"]
    assert missing == ["other: may not be redistributed", "gone: may not be redistributed"]
    assert not (tmp_path / "m/other").exists()


def test_a_second_copy_keeps_the_manifest_of_the_first(catalogue, settings, tmp_path):
    for name in ("free", "other"):
        copied, _ = copy_to_mirror(catalogue, [name], tmp_path / "m", settings())
        assert [file.data_set for file in copied] == [name]
    manifest = pd.read_csv(tmp_path / "m" / MANIFEST)
    assert list(manifest["data_set"]) == ["other", "free"]


def test_a_folder_that_cannot_be_written_is_named(tmp_path, capsys, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setattr(sources, "selected_data_sets", lambda papers: ["vehicle"])
    assert main(["mirror", str(tmp_path / "file")]) == 2
    assert str(tmp_path / "file") in capsys.readouterr().err


def test_every_address_is_asked_once_for_its_first_bytes(make_entry, server, quick):
    server.answers |= {
        "/there": server.content(CONTENT),
        "/page": server.content(b"<html>Sign in"),
    }
    urls = [f"{server.url}/{name}" for name in ("there", "page", "gone")]
    entry = make_entry(sources=[{"kind": "url", "files": {"data": urls}}])
    archive = {"archive": urls[0], "member": "x"}
    twin = make_entry(name="twin", sources=[{"kind": "url", "files": {"data": [archive]}}])
    answers = check_addresses([entry, twin], quick, seconds_between=0)
    assert answers[urls[0]] == (["tiny", "twin"], REACHABLE)
    assert [answer for _, answer in answers.values()][1:] == ["a web page", "HTTP status 404"]
    assert server.requests.count("/there") == 1
    assert server.headers[0]["Range"] == "bytes=0-511"


def test_data_sets_of_the_papers_are_selected(repository, monkeypatch):
    monkeypatch.chdir(repository)
    selected = sources.selected_data_sets(["cheng2016"])
    assert {"satimage", "letter", "a3a", "ijcnn1", "news20"} <= set(selected)
    catalogue = load_catalogue("config/datasets")
    assert set(sources.selected_data_sets([])) <= catalogue.keys()
