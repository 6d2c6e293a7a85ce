"""Jobs of the workflow, and jobs that run again after a change."""

import hashlib
import re
import sys

import pandas as pd
import pytest
from snakemake.profiles import ProfileConfigFileParser

MEASUREMENTS = "results/joachims2005/measurements.parquet"
TABLE = "results/joachims2005/tables/table2.csv"


def planned(output):
    """Return the messages of the jobs that a dry run lists."""
    return set(re.findall(r"^Job \d+: (.+)$", output, flags=re.MULTILINE))


def test_plain_run_is_the_whole_paper(project):
    output = project.snakemake("--dry-run")
    counts = project.jobs(output)
    paper = project.paper()
    assert counts["prepare"] == len(paper["data_sets"])
    jobs = {paper["methods"][name].get("job", name) for name in paper["methods_selected"]}
    # Fits of a reading have a job of their own, unless it names one.
    jobs |= {paper["readings"][name].get("job", name) for name in paper["readings_selected"]}
    assert counts["fit"] == len(paper["data_sets"]) * len(jobs)
    assert counts["report_joachims2005"] == 1
    assert "Fit multivariate_svm to reuters21578-modapte (joachims2005)" in planned(output)
    # A dry run never touches the network.
    assert not (project.folder / "connections.txt").exists()


@pytest.mark.slow
def test_unlocking_never_touches_the_network(project):
    project.snakemake("--unlock")
    assert not (project.folder / "connections.txt").exists()


def test_errors_are_listed_before_anything_runs(project):
    project.configure(data_sets=["digit"], figures=["figur1"])
    output = project.snakemake(succeeds=False)
    assert "The configuration has 2 errors; nothing was run." in output
    assert re.search(r"paper\.yaml, line \d+: joachims2005\.data_sets\[0\]", output)
    assert "did you mean 'digits'?" in output
    assert "Traceback" not in output
    assert not (project.folder / "results").exists()


def test_broken_yaml_names_its_line(project):
    (project.folder / "config/config.yaml").write_text("seed: 1\npapers: [joachims2005\n")
    output = project.snakemake(succeeds=False)
    assert re.search(r"config\.yaml, line \d: .whole file.\s+found: no valid YAML", output)


@pytest.mark.parametrize("terminal", [True, False])
def test_progress_bars_are_for_terminals(repository, monkeypatch, terminal):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    with open(repository / "profiles/default/config.yaml", encoding="utf-8") as profile:
        options = ProfileConfigFileParser().parse(profile)
    assert options.get("logger") == (["rich"] if terminal else None)
    assert options["scheduler"] == "greedy"


@pytest.mark.parametrize("name", ["default", "slurm"])
def test_profiles_name_configuration_files_that_cannot_be_read(
    repository, monkeypatch, tmp_path, name
):
    """Both: the one of a cluster replaces the default one."""
    monkeypatch.setattr(sys, "argv", ["snakemake", "--configfile", str(tmp_path / "no.yaml")])
    with (
        open(repository / f"profiles/{name}/config.yaml", encoding="utf-8") as profile,
        pytest.raises(SystemExit, match="no.yaml: .*\n    found: a file that cannot be read"),
    ):
        ProfileConfigFileParser().parse(profile)


@pytest.mark.slow
def test_a_change_reruns_what_depends_on_it(small_project):
    project = small_project
    report = {"report_joachims2005": 1}
    first = {"prepare": 1, "data_sets": 1, "fit": 2, "measure": 1, **report}
    assert project.jobs(project.snakemake(TABLE)) == {**first, "total": 6}
    assert "Nothing to be done" in project.snakemake(MEASUREMENTS)

    methods = project.paper()["methods"]
    methods["cost_model_svm"]["grid"]["j"] = [1, 2]
    project.configure(methods=methods)
    output = project.snakemake(MEASUREMENTS, "--dry-run")
    assert project.jobs(output) == {"fit": 1, "measure": 1, "total": 2}
    assert "Fit cost_model_svm to tiny (joachims2005)" in planned(output)

    methods["cost_model_svm"]["grid"]["j"] = [1]
    project.configure(methods=methods, bootstrap={"n_resamples": 30})
    counts = project.jobs(project.snakemake(TABLE, "--dry-run"))
    assert counts == {"measure": 1, **report, "total": 2}

    project.configure(bootstrap={"n_resamples": 20}, significance={"zero_method": "pratt"})
    assert project.jobs(project.snakemake(TABLE, "--dry-run")) == {**report, "total": 1}

    project.configure(measures=["f1"])
    counts = project.jobs(project.snakemake(MEASUREMENTS, "--dry-run"))
    assert counts == {"fit": 2, "measure": 1, "total": 3}

    project.configure(measures=["f1", "roc_area"])
    entry = project.folder / "config/datasets/tiny.yaml"
    entry.write_text(entry.read_text().replace("Two small", "Two tiny"))
    counts = project.jobs(project.snakemake(MEASUREMENTS, "--dry-run"))
    assert counts == {"prepare": 1, "data_sets": 1, "fit": 2, "measure": 1, "total": 5}


@pytest.fixture
def mirrored(small_project, svmlight_parts, tmp_path_factory):
    """Return a project with a data set that only a mirror has, and a mirror without it."""
    folder = tmp_path_factory.mktemp("mirror")
    parts = svmlight_parts
    small_project.add_data_set(
        "mirrored",
        {
            "title": "A file of a mirror",
            "task": "binary",
            "sources": [{"kind": "mirror", "files": {part: f"a/{part}.txt" for part in parts}}],
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
    small_project.configure(data_sets=["tiny", "mirrored"], methods_selected=["cost_model_svm"])
    return small_project, folder, parts


def fill(folder, parts):
    (folder / "a").mkdir()
    for part, text in parts.items():
        (folder / f"a/{part}.txt").write_text(text)


@pytest.mark.slow
def test_missing_data_is_reported_and_tried_again(mirrored):
    project, mirror, parts = mirrored
    first = project.snakemake(MEASUREMENTS)
    assert "1 of 2 data sets are missing: mirrored." in first
    jobs = {"prepare": 2, "data_sets": 1, "fit": 1, "measure": 1, "total": 5}
    assert project.jobs(first) == jobs
    before = project.files("results", "resources")

    second = project.snakemake(MEASUREMENTS, mirror=mirror)
    assert "Nothing to be done" in second
    assert "1 of 2 data sets are missing: mirrored." in second
    assert "make smoke" in second
    assert project.files("results", "resources") == before

    fill(mirror, parts)

    third = project.snakemake(MEASUREMENTS, mirror=mirror)
    jobs = {"prepare": 1, "data_sets": 1, "fit": 1, "measure": 1, "total": 4}
    assert project.jobs(third) == jobs
    assert "mirrored is available now and is prepared again" in third
    assert "are missing" not in third
    after = project.files("results", "resources")
    rebuilt = {file for file in before if after[file] != before[file]}
    assert rebuilt
    of_all = {
        MEASUREMENTS,
        MEASUREMENTS.replace("measurements", "intervals"),
        "results/data_sets.csv",
    }
    of_all |= {file.replace("results/", "results/checksums/") + ".sha256" for file in of_all}
    assert all("mirrored" in file or file in of_all for file in rebuilt)

    # The mirror is not a parameter: without it, prepared data stay unchanged.
    assert "Nothing to be done" in project.snakemake(MEASUREMENTS)
    assert project.files("results", "resources") == after


@pytest.mark.slow
def test_missing_data_can_be_an_error(mirrored):
    project, mirror, parts = mirrored
    target = "resources/prepared/mirrored"
    fail = ["--config", "missing_data=fail"]
    output = project.snakemake(target, *fail, succeeds=False)
    assert "DataSetMissing" in output
    assert "Traceback" not in output
    fill(mirror, parts)
    project.snakemake(target, *fail, mirror=mirror)
    assert (project.folder / target / "arrays.npz").exists()


@pytest.mark.slow
def test_a_wrong_file_makes_its_data_set_faulty_until_it_is_right(mirrored):
    project, mirror, parts = mirrored
    fill(mirror, {**parts, "train": parts["train"].replace("1 ", "2 ", 1)})
    output = project.snakemake(MEASUREMENTS, mirror=mirror)
    assert "mirrored: a wrong file was not used: mirror a/train.txt: a/train.txt: wrong" in output
    measured = pd.read_parquet(project.folder / MEASUREMENTS).groupby("data_set")["status"]
    assert measured.unique().map(list).to_dict() == {"tiny": ["ok"], "mirrored": ["faulty"]}
    (mirror / "a/train.txt").write_text(parts["train"])
    output = project.snakemake(MEASUREMENTS, mirror=mirror)
    assert "mirrored is available now" in output
    assert set(pd.read_parquet(project.folder / MEASUREMENTS)["status"]) == {"ok"}
