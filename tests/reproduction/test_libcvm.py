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
from beyond_accuracy_pipeline.reproduction.libcvm import (
    Kernel,
    inner_products,
    libcvm_gamma,
    train_machine,
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
    options = {"C": run.C, "epsilon": run.epsilon, "generator": run.generator}
    found = train_machine(X, positive, kernel, machine=run.machine, **options)
    assert len(found.core) == run.core
    assert found.level_draws[-1] == run.draws
    assert found.squared_norm == pytest.approx(run.square, rel=1e-9)
    # The program's class +1 is the class of the first training row, which is positive here.
    assert -found.intercept == pytest.approx(run.rho, rel=1e-5)
    if not np.isnan(run.steps):
        assert found.n_steps == run.steps
    if not np.isnan(run.accuracy):
        core = X[found.core]
        values = kernel.of_products(
            inner_products(X_test, core), squared_norms(X_test), squared_norms(core)
        )
        scores = values @ found.coefficients + found.intercept
        for measure in ("accuracy", "f1"):
            score = get_measure(measure).score(truth, scores)
            assert score == pytest.approx(getattr(run, measure), abs=5.1e-5)


@pytest.mark.parametrize("data", WIDTHS)
def test_width_is_that_of_the_program(read, data):
    assert libcvm_gamma(read(data)[0]) == pytest.approx(WIDTHS[data], rel=1e-12)


def test_classifier_without_options_is_the_program_s(read):
    X, positive, X_test, truth = read("splice")
    for state in (0, None):
        machine = CoreVectorMachine(random_state=state).fit(X, positive)
        assert machine.n_iter_ == 468
        assert machine.score(X_test, truth) == pytest.approx(0.8993, abs=5e-5)


STEPS = {
    ("cvm", "bundled"): {
        "first": "882 394 714 458 640 53 689 190 747 330 900 485 763 505 599 229 832 201 819 50 "
        "597 498 927 430 562 509 221 729",
        "level_sizes": [20, 20, 28, 49, 90, 177, 338, 468],
        "level_draws": [449, 874, 1799, 3921, 7023, 14054, 28708, 43275],
    },
    ("cvm", "gnu"): {
        "first": "896 98 799 211 546 26 968 50 574 122 603 205 684 498 894 114 877 21 617 506 "
        "700 763 268 178 64 938",
        "level_sizes": [20, 20, 29, 49, 93, 177, 336, 469],
    },
    ("bvm", "bundled"): {
        "first": "0 874 605 384 993 130",
        "level_sizes": [7, 14, 27, 49, 96, 189, 348, 454],
    },
}


@pytest.mark.parametrize(("machine", "generator"), STEPS)
def test_steps_are_the_program_s(read, machine, generator):
    X, positive, *_ = read("splice")
    kernel = Kernel("rbf", WIDTHS["splice"])
    found = train_machine(X, positive, kernel, machine=machine, generator=generator)
    expected = STEPS[machine, generator]
    # The program numbers the rows of the first row's class first.
    order = np.argsort(~positive, kind="stable")
    first = [int(row) for row in expected["first"].split()]
    np.testing.assert_array_equal(found.core[: len(first)], order[first])
    assert found.level_sizes == expected["level_sizes"]
    assert found.level_draws == expected.get("level_draws", found.level_draws)
