"""OpenML through its package, against a server on the loopback with the same protocol."""

import hashlib

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
</oml:data_set_description>"""
ERROR = (
    b'<oml:error xmlns:oml="http://openml.org/openml"><oml:code>111</oml:code>'
    b"<oml:message>Unknown dataset</oml:message></oml:error>"
)
DESCRIBED, FILE = "/api/v1/xml/data/7", "/data/download/70/weather.arff"


def serve(server, content):
    server.answers[DESCRIBED] = server.content(DESCRIPTION.format(url=server.url).encode())
    server.answers[FILE] = server.content(content)


@pytest.fixture
def weather(server, monkeypatch):
    """Return the server with a valid data set."""
    monkeypatch.setenv("BEYOND_ACCURACY_OPENML_SERVER", f"{server.url}/api/v1/xml")
    serve(server, ARFF)
    return server


@pytest.fixture
def entry(make_entry):
    return make_entry(
        sources=[{"kind": "openml", "id": 7}],
        files={"data": {"sha256": [hashlib.sha256(ARFF).hexdigest()]}},
        parser={"kind": "arff"},
        target="play",
    )


def test_a_data_set_is_fetched_parsed_and_kept(weather, entry, settings, tmp_path):
    options = {
        "settings": settings(),
        "output_folder": tmp_path / "tiny",
        "seed": 1,
        "catalogue": {},
    }
    weather.answers[FILE] = weather.in_turn(weather.status(500), weather.answers[FILE])
    record = prepare(entry, **options)
    data = load_prepared(tmp_path / "tiny")
    assert record["source"] == {"kind": "openml", "location": "openml data set 7"}
    assert data.class_names == ("yes", "no")
    assert data.y_train.tolist() == [0, 1, 0]
    np.testing.assert_array_equal(data.X_train, [[0, 20.5], [1, np.nan], [0, 31]])
    assert data.categories == {0: ("sunny", "rainy")}
    prepare(entry, **options)
    # The server error was retried, and the second preparation downloads nothing.
    assert weather.requests == [DESCRIBED, FILE, FILE]
    assert [path.name for path in (tmp_path / "raw" / "openml").iterdir()] == ["7.arff"]


@pytest.mark.parametrize(
    ("path", "answer", "reason"),
    [
        (FILE, lambda server: server.status(500), "HTTP status 500"),
        (FILE, lambda server: server.truncated(ARFF), "breaks off"),
        (DESCRIBED, lambda server: server.status(412, ERROR), "error 111"),
        (DESCRIBED, lambda server: server.content(b"Log in"), "server fails"),
        (DESCRIBED, lambda server: server.content(ERROR), "not OpenML's description"),
    ],
)
def test_faults_make_the_source_unreachable(
    weather, entry, settings, tmp_path, path, answer, reason
):
    weather.answers[path] = answer(weather)
    attempts = []
    assert next(fetch(entry, settings(), attempts), None) is None
    assert attempts[0].outcome == "unreachable"
    assert reason in attempts[0].reason
    assert list((tmp_path / "raw" / "openml").iterdir()) == []


@pytest.fixture
def add(tmp_path, capsys):
    """Return a function that adds openml:7 and returns exit status and standard error."""
    (tmp_path / "catalogue").mkdir()

    def call(*arguments):
        catalogue = str(tmp_path / "catalogue")
        status = main(["add", "openml:7", "--catalogue", catalogue, *arguments])
        return status, capsys.readouterr().err

    return call


def test_an_entry_is_added_by_its_id(weather, add, settings, tmp_path):
    header, rows = ARFF.split(b"@data\n")
    content = header + b"@data\n" + 10 * rows
    serve(weather, content)
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
    prepare(entry, settings=settings(), output_folder=tmp_path / "tiny", seed=1, catalogue={})
    data = load_prepared(tmp_path / "tiny")
    assert len(data.y_train) == 20
    assert np.isfinite(transform_parts(data).X_train).all()


@pytest.mark.parametrize(
    ("target", "file_status", "message"),
    [
        (["--target", "plai"], 200, "did you mean 'play'"),
        ([], 200, "target: found nothing"),
        (["--target", "play"], 412, "HTTP status 412"),
    ],
)
def test_errors_of_adding_by_id_are_named_and_nothing_is_written(
    weather, add, tmp_path, target, file_status, message
):
    weather.answers[FILE] = weather.content(ARFF, code=file_status)
    status, error = add(*target)
    assert status == 1
    assert message in error
    assert list((tmp_path / "catalogue").iterdir()) == []
