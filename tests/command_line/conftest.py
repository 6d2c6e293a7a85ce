import numpy as np
import pytest
from sklearn.datasets import dump_svmlight_file, make_classification

from beyond_accuracy.command_line.main import main


@pytest.fixture
def run(capsys):
    """Return a function that runs the program and returns its status, output and error text."""

    def call(*arguments):
        capsys.readouterr()
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as end:
            status = end.code
        return status, *capsys.readouterr()

    return call


@pytest.fixture(scope="session")
def arrays():
    X, y = make_classification(
        300, 8, n_informative=4, weights=[0.8], class_sep=1.2, random_state=0
    )
    return X, np.where(y == 1, 1, -1)


@pytest.fixture
def train_file(tmp_path, arrays):
    path = tmp_path / "train.svm"
    dump_svmlight_file(*arrays, str(path), zero_based=False)
    return path


@pytest.fixture
def write(tmp_path):
    def write(text, name="data.svm"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write
