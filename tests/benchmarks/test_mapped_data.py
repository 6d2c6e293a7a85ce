import re
import subprocess
import sys

import numpy as np

from benchmarks.mapped_data import write
from benchmarks.tasks import gaussians


def test_data_are_the_same_in_a_file(tmp_path):
    write(tmp_path, 3000)
    task = gaussians(3000, 22, dtype=np.float32)
    np.testing.assert_array_equal(np.load(tmp_path / "features.npy"), task.X)
    np.testing.assert_array_equal(np.load(tmp_path / "labels.npy"), task.positive)
    assert {file.name for file in tmp_path.iterdir()} == {"features.npy", "labels.npy"}


def test_each_measure_has_a_row(repository, tmp_path):
    command = [sys.executable, "-m", "benchmarks.mapped_data", "2000", str(tmp_path)]
    run = subprocess.run(command, cwd=repository, check=True, capture_output=True, text=True)
    for measure, row in zip(("f1", "prbep"), run.stdout.splitlines()[2:], strict=True):
        assert row.startswith(f"| 2,000 | {measure} |")
        gigabytes = float(re.search(r"([\d.]+) GB", row)[1])
        gap = float(row.split("|")[-2])
        # At least the memory of an interpreter with NumPy, and at most the promised gap.
        assert 0.05 <= gigabytes < 2
        assert gap <= 1e-3
