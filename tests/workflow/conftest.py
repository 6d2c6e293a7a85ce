"""A separate working folder for each run of the workflow, and a small configuration."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import yaml

NO_NETWORK = """
import socket, os

def refuse(self, address):
    with open(os.environ["CONNECTIONS"], "a") as stream:
        print(address, file=stream)
    raise OSError("the network is off")

socket.socket.connect = refuse
"""

APART = {"logs"}
COPIED = ("config", "profiles", "workflow")
PAPERS = "src/beyond_accuracy_pipeline/papers"


@dataclass(frozen=True)
class Project:
    """A folder with copies of the workflow and its configuration."""

    folder: Path
    output: str = ""

    def start(self, *arguments, mirror=None, variables=None):
        """Start snakemake in the folder, without network, in a separate process group."""
        environment = {**os.environ, **(variables or {})}
        environment["CONNECTIONS"] = str(self.folder / "connections.txt")
        environment["PYTHONPATH"] = os.pathsep.join(
            filter(None, [str(self.folder / "no_network"), os.environ.get("PYTHONPATH")])
        )
        environment.pop("BEYOND_ACCURACY_MIRROR", None)
        if mirror:
            environment["BEYOND_ACCURACY_MIRROR"] = str(mirror)
        command = [sys.executable, "-m", "snakemake", "--nocolor"]
        options = []
        if "--cores" not in arguments:
            options += ["--cores", "2"]
        return subprocess.Popen(
            [*command, *options, *arguments],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            # A shell's background job ignores interrupts, and so would all that it starts.
            preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
        )

    def snakemake(self, *arguments, mirror=None, variables=None, succeeds=True):
        """Run snakemake in the folder, without network, and return all that it prints."""
        with self.start(*arguments, mirror=mirror, variables=variables) as process:
            output, _ = process.communicate()
        assert (process.returncode == 0) == succeeds, output
        return output

    @staticmethod
    def jobs(output):
        """Return how many jobs of each rule a run has finished, or a dry run lists."""
        if finished := Counter(re.findall(r"^Finished jobid: .*\(Rule: (\w+)\)$", output, re.M)):
            return {**finished, "total": finished.total()}
        _, found, table = output.partition("Job stats:")
        rows = re.findall(r"^(\w+) +(\d+)$", table, flags=re.MULTILINE) if found else []
        return {rule: int(count) for rule, count in rows}

    def configure(self, **changes):
        """Change keys of the paper's configuration, e.g. ``data_sets=[...]``."""
        content = {"joachims2005": self.paper() | changes}
        self.paper_file.write_text(yaml.safe_dump(content, sort_keys=False))

    @property
    def paper_file(self):
        return self.folder / PAPERS / "joachims2005/paper.yaml"

    def paper(self):
        """Return the paper's configuration."""
        return yaml.safe_load(self.paper_file.read_text())["joachims2005"]

    def add_data_set(self, name, entry):
        """Add an entry to the catalogue."""
        path = self.folder / f"config/datasets/{name}.yaml"
        path.write_text(yaml.safe_dump({"name": name, **entry}, sort_keys=False))

    def files(self, *folders):
        """Return content and time of change of all results and prepared data."""
        return {
            str(path.relative_to(self.folder)): (path.read_bytes(), path.stat().st_mtime_ns)
            for folder in folders
            for path in sorted((self.folder / folder).rglob("*"))
            if path.is_file() and not APART & set(path.parts)
        }

    def copy(self, folder):
        """Return a project with the same workflow and configuration, and without results."""
        for name in (*COPIED, "src", "no_network"):
            shutil.copytree(self.folder / name, folder / name)
        shutil.copyfile(self.folder / "Snakefile", folder / "Snakefile")
        return Project(folder)


def make_project(folder, repository):
    for name in COPIED:
        shutil.copytree(repository / name, folder / name)
    shutil.copyfile(repository / "Snakefile", folder / "Snakefile")
    for file in (repository / PAPERS).glob("*/paper.yaml"):
        copy = folder / PAPERS / file.parent.name / file.name
        copy.parent.mkdir(parents=True)
        shutil.copyfile(file, copy)
    general = folder / "config/config.yaml"
    # One paper suffices here; the smoke run selects its papers itself.
    one = re.sub(r"^papers: .*$", "papers: [joachims2005]", general.read_text(), flags=re.MULTILINE)
    general.write_text(one)
    (folder / "no_network").mkdir()
    (folder / "no_network/sitecustomize.py").write_text(NO_NETWORK)
    return Project(folder)


@pytest.fixture
def project(tmp_path, repository):
    """Return a working folder with the repository's configuration."""
    return make_project(tmp_path, repository)


GENERATED = {
    "title": "Two small Gaussian clouds",
    "task": "binary",
    "sources": [
        {
            "kind": "generated",
            "generator": "imbalanced_gaussians",
            "options": {"n_rows": 60, "n_features": 3, "positive_fraction": 0.3, "distance": 2.0},
        }
    ],
    "split": {"kind": "sample", "n_train": 40, "n_test": 20, "stratified": True},
    "shape": {"n_train": 40, "n_test": 20},
    "citation": "generated by this test",
    "licence": "none",
}


def make_small(project):
    """Reduce a project to fits that take a moment: one tiny data set, one value a grid."""
    project.add_data_set("tiny", GENERATED)
    project.configure(
        data_sets=["tiny"],
        measures=["f1", "roc_area"],
        methods_selected=["multivariate_svm", "cost_model_svm"],
        methods={
            "multivariate_svm": {
                "estimator": "beyond_accuracy.estimators.MultivariateSVC",
                "grid": {"C": [1]},
            },
            "cost_model_svm": {
                "estimator": "beyond_accuracy.estimators.CostModelSVC",
                "grid": {"C": [1], "j": [1]},
            },
        },
        readings={},
        readings_selected=None,
        bootstrap={"n_resamples": 20},
    )
    return project


@pytest.fixture
def small_project(project):
    """Return a working folder whose fits take a moment."""
    return make_small(project)


TABLE = "results/joachims2005/tables/table2.csv"


@pytest.fixture(scope="session")
def first_run(tmp_path_factory, repository):
    """Run a small project up to its Table 2 once; return it with the printed output."""
    project = make_small(make_project(tmp_path_factory.mktemp("first_run"), repository))
    return replace(project, output=project.snakemake(TABLE))


@pytest.fixture
def finished_project(first_run, tmp_path):
    """Return a copy of a small project that has been run up to its Table 2."""
    shutil.copytree(first_run.folder, tmp_path, dirs_exist_ok=True)
    return Project(tmp_path)


# A paper or arena per protocol, with studies of data sets and of simulations.
QUICK = ["joachims2005", "dembczynski2011", "arena_multiclass"]


@pytest.fixture(scope="session")
def smoke_run(request, tmp_path_factory, repository):
    """Run `config/smoke.yaml` once; without slow tests, only with the papers `QUICK`."""
    project = make_project(tmp_path_factory.mktemp("smoke"), repository)
    if not any(item.get_closest_marker("slow") for item in request.session.items):
        file = project.folder / "config/smoke.yaml"
        smoke = yaml.safe_load(file.read_text())
        file.write_text(yaml.safe_dump(smoke | {"papers": QUICK}, sort_keys=False))
    return replace(project, output=project.snakemake("--configfile", "config/smoke.yaml"))


@pytest.fixture(scope="session")
def svmlight_parts():
    """Return the text of a training and of a test part of 30 rows and three features."""
    parts = {}
    for number, part in enumerate(["train", "test"]):
        rng = np.random.default_rng(number)
        labels = [1 if row % 3 == 0 else -1 for row in range(30)]
        rows = [(label, rng.normal(label, 1, 3)) for label in labels]
        parts[part] = "".join(
            f"{label} {' '.join(f'{i}:{v:.3f}' for i, v in enumerate(values, 1))}\n"
            for label, values in rows
        )
    return parts
