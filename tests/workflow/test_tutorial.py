"""The commands of docs/tutorial.md work."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from checks.run import Run


@pytest.mark.slow
def test_the_tutorial_runs_as_written(repository, tmp_path):
    text = (repository / "docs/tutorial.md").read_text(encoding="utf-8")
    Run.new(tmp_path)
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = os.environ | {"PATH": programs}
    environment.pop("BEYOND_ACCURACY_MIRROR", None)

    def run(command):
        options = {"cwd": tmp_path, "env": environment, "capture_output": True, "text": True}
        ended = subprocess.run(command, check=False, **options)
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return ended.stdout

    # The first block makes an environment like the one in which tests run.
    _, *blocks = re.findall(r"```(python|console)\n(.*?)```", text, re.DOTALL)
    printed = {}
    for kind, block in blocks:
        if kind == "python":
            run([sys.executable, "-c", block])
            continue
        for line in block.splitlines():
            command = shlex.split(line.removeprefix("$ "))
            printed[" ".join(command[:2])] = run(command)
    assert "\nUse " in printed["beyond-accuracy compare"]
    files = re.findall(r"`((?:tumours|config|results)/[^`\s]+\.(?:html|csv|yaml))`", text)
    assert len(files) >= 5
    for file in files:
        assert (tmp_path / file).is_file(), file
    table = pd.read_csv(tmp_path / "results/tumours/joachims2005/tables/table2.csv")
    assert table.apply(lambda row: "tumours" in row.astype(str).str.cat().lower(), axis=1).any()
