"""The smoke run with one more data set, whose file a server on the loopback has wrong."""

import functools
import hashlib
import shutil
import threading
from dataclasses import replace
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pandas as pd
import pytest
import yaml

SMOKE = ("--configfile", "config/smoke.yaml")


@pytest.fixture
def served(smoke_run, svmlight_parts, tmp_path):
    """A copy of the finished smoke run that also selects `served`, and the server's folder."""
    folder = tmp_path / "run"
    shutil.copytree(smoke_run.folder, folder)
    shutil.rmtree(folder / "no_network")
    web = tmp_path / "web"
    web.mkdir()
    handler = functools.partial(SimpleHTTPRequestHandler, directory=web)
    handler.log_message = lambda *arguments: None
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    project, parts = replace(smoke_run, folder=folder), svmlight_parts
    project.add_data_set(
        "served",
        {
            "title": "A file of a server",
            "task": "binary",
            "sources": [
                {
                    "kind": "url",
                    "files": {
                        part: [f"{address}/{place}-{part}.txt" for place in ("first", "second")]
                        for part in parts
                    },
                }
            ],
            "files": {
                part: {"sha256": [hashlib.sha256(text.encode()).hexdigest()]}
                for part, text in parts.items()
            },
            "parser": {"kind": "svmlight", "n_features": 3},
            "split": {"kind": "given"},
            "shape": {"n_train": 30, "n_test": 30},
            "citation": "none",
            "licence": "none",
        },
    )
    file = folder / "config/smoke.yaml"
    smoke = yaml.safe_load(file.read_text())
    smoke["joachims2005"]["data_sets"].append("served")
    file.write_text(yaml.safe_dump(smoke))
    for part, text in parts.items():
        (web / f"first-{part}.txt").write_text(text + "1 1:1\n")
    yield project, web, parts
    server.shutdown()
    server.server_close()


def statuses(project):
    folder = project.folder / "results/smoke"
    listed = pd.read_csv(folder / "data_sets.csv").set_index("data_set")
    measured = pd.read_parquet(folder / "joachims2005/measurements.parquet")
    return listed, measured.groupby("data_set")["status"].unique().map(list)


@pytest.mark.slow
def test_a_wrong_file_at_the_first_address_costs_one_attempt(served):
    project, web, parts = served
    for part, text in parts.items():
        (web / f"second-{part}.txt").write_text(text)
    output = project.snakemake(*SMOKE)
    assert "served: a wrong file was passed over." in output
    listed, measured = statuses(project)
    assert listed.loc["served", "status"] == "ok"
    assert "first-train.txt: wrong checksum" in listed.loc["served", "attempts"]
    assert "second-train.txt" in listed.loc["served", "location"]
    assert measured["served"] == ["ok"]


@pytest.mark.slow
def test_a_file_that_is_wrong_everywhere_stops_no_other(served):
    project, web, parts = served
    for part, text in parts.items():
        (web / f"second-{part}.txt").write_text(f"{text}2 1:1\n")
    output = project.snakemake(*SMOKE)
    assert "served is faulty: no source has the right file." in output
    assert output.count("wrong checksum") >= 2
    listed, measured = statuses(project)
    assert listed["status"].value_counts().to_dict() == {"ok": len(listed) - 1, "faulty": 1}
    assert measured["served"] == ["faulty"]
    assert {status for each in measured.drop("served") for status in each} == {"ok"}
    page = (project.folder / "results/smoke/pages/data_sets/served.html").read_text()
    assert "second-train.txt" in page
    assert "Nothing to be done" in project.snakemake(*SMOKE)
    output = project.snakemake(*SMOKE, "--config", "missing_data=fail", succeeds=False)
    assert "data set served is faulty" in output
