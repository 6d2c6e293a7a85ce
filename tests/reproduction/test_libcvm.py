"""Core and ball vector machines against runs of LibCVM 2.2 on real files.

The runs used LibCVM's sources on 64-bit Linux. `libcvm.csv` has their results.
"""

import io
import lzma
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_svmlight_file

from beyond_accuracy.measures import get_measure
from beyond_accuracy.solvers.data_matrix import squared_norms
from beyond_accuracy_pipeline.reproduction import CoreVectorMachine
from beyond_accuracy_pipeline.reproduction.libcvm import train_machine
from beyond_accuracy_pipeline.reproduction.libcvm.kernels import (
    Kernel,
    inner_products,
    libcvm_gamma,
)

pytestmark = pytest.mark.mirror
RUNS = pd.read_csv(Path(__file__).with_name("libcvm.csv"))
FILES = {"splice": ("splice.xz", "splice.t.xz"), "usps": ("usps.reconstructed.xz", "usps.t.xz")}
# LibCVM prints these values of 2 / (mean squared distance).
WIDTHS = {"splice": 0.01391412904314262, "usps": 0.01501123336901348}


@pytest.fixture(scope="module")
def read(mirror):
    """Return a function that reads training and test rows and labels of a data set."""
    done = {}

    def get(name):
        if name not in done:
            done[name] = []
            for file in FILES[name]:
                text = lzma.decompress((mirror / "libsvm" / file).read_bytes())
                X, y = load_svmlight_file(io.BytesIO(text))
                # LIBSVM's labels of usps are the digits plus 1.
                done[name] += [X.toarray(), y > (5 if name == "usps" else 0)]
        return done[name]

    return get


@pytest.mark.parametrize("run", list(RUNS.itertuples()), ids=lambda run: f"{run.Index}-{run.data}")
def test_ends_as_the_program(read, run):
    X, positive, X_test, truth = read(run.data)
    factor = {"2/mean": 1.0, "1/mean": 0.5}
    gamma = WIDTHS[run.data] * factor[run.gamma] if run.gamma in factor else float(run.gamma)
    kernel = Kernel(run.kernel, gamma)
    options = {"C": run.C, "epsilon": run.epsilon, "machine": run.machine}
    found = train_machine(X, positive, kernel, **options)
    assert len(found.core) == run.core
    assert found.n_drawn == run.draws
    assert found.squared_norm == pytest.approx(run.square, rel=1e-9)
    # The program's class +1 is the class of the first training row, which is positive here.
    intercept = found.coefficients.sum()
    assert -intercept == pytest.approx(run.rho, rel=1e-5)
    if not np.isnan(run.accuracy):
        core = X[found.core]
        values = kernel.of_products(
            inner_products(X_test, core), squared_norms(X_test), squared_norms(core)
        )
        scores = values @ found.coefficients + intercept
        for measure in ("accuracy", "f1"):
            score = get_measure(measure).score(truth, scores)
            assert score == pytest.approx(getattr(run, measure), abs=5.1e-5)


@pytest.mark.parametrize("data", WIDTHS)
def test_width_is_that_of_the_program(read, data):
    assert libcvm_gamma(read(data)[0]) == pytest.approx(WIDTHS[data], rel=1e-12)


def test_classifier_without_options_is_the_program_s(read):
    X, positive, X_test, truth = read("splice")
    machine = CoreVectorMachine().fit(X, positive)
    assert machine.n_iter_ == 468
    assert machine.score(X_test, truth) == pytest.approx(0.8993, abs=5e-5)
