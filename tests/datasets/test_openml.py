"""OpenML through its package, against a server on the loopback with the same protocol."""

import hashlib
import re

import numpy as np
import pytest
import yaml

from beyond_accuracy.command_line.main import main
from beyond_accuracy_pipeline.configuration.catalogue import load_catalogue
from beyond_accuracy_pipeline.datasets.fetch import fetch
from beyond_accuracy_pipeline.datasets.prepare import prepare
from beyond_accuracy_pipeline.datasets.prepared import load_prepared
from beyond_accuracy_pipeline.datasets.preprocessing import transform_parts

ARFF = b"""@relation weather
@attribute outlook {sunny, rainy}
@attribute degrees integer
@attribute play {yes, no}
@data
sunny,20.5,yes
rainy,?,no
sunny,31,yes
"""
DESCRIPTION = """<oml:data_set_description xmlns:oml="http://openml.org/openml">
  <oml:id>7</oml:id><oml:name>weather</oml:name><oml:version>1</oml:version>
  <oml:description>Three days</oml:description><oml:format>ARFF</oml:format>
  <oml:file_id>70</oml:file_id><oml:url>{url}/data/download/70/weather.arff</oml:url>
  <oml:parquet_url>{url}/parquet/weather.pq</oml:parquet_url>
  <oml:default_target_attribute>play</oml:default_target_attribute>
  <oml:md5_checksum>{md5}</oml:md5_checksum>
</oml:data_set_description>"""
ERROR = (
    b'<oml:error xmlns:oml="http://openml.org/openml"><oml:code>111</oml:code>'
    b"<oml:message>Unknown dataset</oml:message></oml:error>"
)
DESCRIBED, FILE = "/api/v1/xml/data/7", "/data/download/70/weather.arff"


@pytest.fixture
def weather(server):
    """Return the server with a valid data set."""
    serve(server, ARFF)
    return server


def serve(server, content):
    md5 = hashlib.md5(content, usedforsecurity=False).hexdigest()
    description = DESCRIPTION.format(url=server.url, md5=md5).encode()
    server.answers[DESCRIBED] = server.content(description, "text/xml; charset=utf-8")
    server.answers[FILE] = server.content(content, "text/plain; charset=utf-8")


@pytest.fixture
def entry(make_entry):
    return make_entry(
        sources=[{"kind": "openml", "id": 7}],
        files={"data": {"sha256": [hashlib.sha256(ARFF).hexdigest()]}},
        parser={"kind": "arff"},
        target="play",
    )


@pytest.fixture(autouse=True)
def openml_server(server, monkeypatch):
    monkeypatch.setenv("BEYOND_ACCURACY_OPENML_SERVER", f"{server.url}/api/v1/xml")


@pytest.fixture
def run(entry, places):
    """Return a function that fetches the entry; it returns the files and the failed attempts."""

    def run():
        attempts = []
        return next(fetch(entry, places(), attempts), None), attempts

    return run


def test_a_data_set_is_fetched_parsed_and_kept(weather, entry, places, tmp_path):
    where = {"settings": places()}
    record = prepare(entry, **where, output_folder=tmp_path / "tiny", seed=1, catalogue={})
    data = load_prepared(tmp_path / "tiny")
    assert record["source"] == {"kind": "openml", "location": "openml data set 7"}
    assert data.class_names == ("yes", "no")
    assert data.y_train.tolist() == [0, 1, 0]
    np.testing.assert_array_equal(data.X_train, [[0, 20.5], [1, np.nan], [0, 31]])
    assert data.categories == {0: ("sunny", "rainy")}
    assert weather.requests == [DESCRIBED, FILE]
    prepare(entry, **where, output_folder=tmp_path / "tiny", seed=1, catalogue={})
    assert weather.requests == [DESCRIBED, FILE]
    assert [path.name for path in (tmp_path / "raw" / "openml").iterdir()] == ["7.arff"]


@pytest.mark.parametrize("path", [DESCRIBED, FILE])
@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (lambda server: server.status(500), "server fails|HTTP status 500"),
        (lambda server: server.status(500, b"<html>oops"), "server fails|HTTP status 500"),
        (
            lambda server: server.truncated(ARFF),
            "server fails|breaks off|no description|not OpenML",
        ),
        (lambda server: server.status(412, ERROR), "answers with error 111|HTTP status 412"),
        (lambda server: server.status(404, ERROR), "answers with error 111|HTTP status 404"),
    ],
)
def test_faults_of_the_server_make_it_unreachable(weather, run, tmp_path, path, fault, reason):
    weather.answers[path] = fault(weather)
    fetched, attempts = run()
    assert fetched is None
    assert attempts[0].outcome == "unreachable"
    assert re.search(reason, attempts[0].reason)
    assert list((tmp_path / "raw" / "openml").iterdir()) == []


def test_a_server_error_is_retried(weather, run):
    weather.answers[FILE] = weather.in_turn(weather.status(500), weather.answers[FILE])
    assert run()[0].files["data"].path.read_bytes() == ARFF


@pytest.fixture
def add(tmp_path, capsys):
    """Return a function that adds openml:7 and returns exit status and standard error."""
    (tmp_path / "catalogue").mkdir()

    def call(*arguments):
        catalogue = str(tmp_path / "catalogue")
        status = main(["add", "openml:7", "--catalogue", catalogue, *arguments])
        return status, capsys.readouterr().err

    return call


def test_an_entry_is_added_by_its_id(server, add, places, tmp_path):
    header, rows = ARFF.split(b"@data\n")
    content = header + b"@data\n" + 10 * rows
    serve(server, content)
    status, error = add("--target", "play")
    assert status == 0, error
    written = yaml.safe_load((tmp_path / "catalogue" / "openml-7.yaml").read_text())
    assert written["sources"] == [{"kind": "openml", "id": 7}]
    assert written["target"] == "play"
    assert written["files"] == {"data": {"sha256": [hashlib.sha256(content).hexdigest()]}}
    assert (written["task"], written["parser"]["kind"]) == ("binary", "arff")
    assert (written["shape"]["n_train"], written["shape"]["n_test"]) == (20, 10)
    assert "https://www.openml.org/d/7" in written["citation"]
    # The pipeline prepares this entry from the same server.
    entry = load_catalogue(tmp_path / "catalogue")["openml-7"]
    where = {"settings": places()}
    prepare(entry, **where, output_folder=tmp_path / "tiny", seed=1, catalogue={})
    data = load_prepared(tmp_path / "tiny")
    assert len(data.y_train) == 20
    assert np.isfinite(transform_parts(data).X_train).all()
    assert sorted(data.y_train)[::19] == [-1, 1]


@pytest.mark.parametrize(
    ("target", "fault", "message"),
    [
        (["--target", "plai"], None, "did you mean 'play'"),
        ([], None, "target: found nothing"),
        (["--target", "play"], lambda s: s.status(412, ERROR), "HTTP status 412"),
        (["--target", "play"], lambda s: s.truncated(ARFF), "breaks off"),
    ],
)
def test_errors_of_adding_by_id_are_named_and_nothing_is_written(
    weather, add, tmp_path, target, fault, message
):
    if fault is not None:
        weather.answers[FILE] = fault(weather)
    status, error = add(*target)
    assert status == 1
    assert message in error
    assert list((tmp_path / "catalogue").iterdir()) == []


@pytest.mark.parametrize(
    "answer",
    [
        b"<!DOCTYPE html><html><body>Please log in</body></html>",
        b"Please log in",
        b"",
        b"\xff\xfe\x00",
        DESCRIPTION.encode()[:200],
        DESCRIPTION.replace("<oml:id>7</oml:id>", "").encode(),
        DESCRIPTION.replace("<oml:id>7<", "<oml:id>seven<").encode(),
    ],
)
def test_what_is_no_description_makes_the_source_unreachable(weather, run, answer):
    weather.answers[DESCRIBED] = weather.content(answer, "text/html; charset=utf-8")
    fetched, attempts = run()
    assert fetched is None
    assert re.search("OpenML's (description|server fails)", attempts[0].reason)
