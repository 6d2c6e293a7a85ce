import numpy as np

from benchmarks.mapped_data import measured, write
from benchmarks.tasks import gaussians


def test_data_are_the_same_in_a_file(tmp_path):
    write(tmp_path, 3000)
    task = gaussians(3000, 22, dtype=np.float32)
    np.testing.assert_array_equal(np.load(tmp_path / "features.npy"), task.X)
    np.testing.assert_array_equal(np.load(tmp_path / "labels.npy"), task.positive)
    assert {file.name for file in tmp_path.iterdir()} == {"features.npy", "labels.npy"}


def test_a_fit_reaches_its_share_of_the_decrease(repository, tmp_path, monkeypatch):
    monkeypatch.chdir(repository)
    write(tmp_path, 2000)
    found = measured(tmp_path, "f1")
    assert float(found["share"].removesuffix(" %")) >= 99.9
    # At least the memory of an interpreter with NumPy.
    assert 0.05 <= found["gigabytes"] < 2
