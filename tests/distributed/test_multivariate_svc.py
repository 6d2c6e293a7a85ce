"""Fits on a real Dask cluster of processes."""

from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse
from numpy.testing import assert_allclose, assert_array_equal

import beyond_accuracy
from beyond_accuracy.distributed import MultivariateSVC
from beyond_accuracy.distributed.block_data import BlockOracle

pytest.importorskip("distributed")
da = pytest.importorskip("dask.array")

from distributed import Client, LocalCluster, get_client  # noqa: E402


def two_processes():
    return LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address="127.0.0.1:0",
        memory_limit=None,
    )


@pytest.mark.slow
def test_without_a_client_fit_starts_one_and_closes_it():
    generator = np.random.default_rng(2)
    X = generator.normal(size=(400, 3))
    y = X[:, 0] + generator.normal(size=400) > 1
    fitted = MultivariateSVC("precision_at_20").fit(da.from_array(X, chunks=(100, 3)), y)
    assert fitted.dual_gap_ <= 1e-3
    with pytest.raises(ValueError, match="client"):
        get_client()


@pytest.fixture(scope="module")
def client():
    with two_processes() as cluster, Client(cluster) as client:
        yield client


@pytest.fixture(scope="module")
def examples():
    generator = np.random.default_rng(7)
    X = generator.normal(size=(4000, 5)).astype(np.float32)
    y = np.where(X @ [1.0, -1.0, 0.5, 0.0, 0.2] + generator.normal(size=4000) > 2.0, "yes", "no")
    return X, y


@pytest.mark.slow
@pytest.mark.parametrize(
    "measure", ["f1", "prbep", "roc_area", "accuracy", "precision_at_50", "recall_at_2p"]
)
def test_optimum_is_that_of_the_fit_in_memory(client, examples, measure):
    X, y = examples
    there = MultivariateSVC(measure, client=client, tol=1e-4)
    there.fit(da.from_array(X, chunks=(1500, 3)), da.from_array(y, chunks=900))
    here = beyond_accuracy.MultivariateSVC(measure, tol=1e-4).fit(X, y)
    assert there.dual_gap_ <= 1e-4
    assert_allclose(there.objective_, here.objective_, rtol=2e-4)
    assert_array_equal(there.classes_, here.classes_)
    blocks = da.from_array(X, chunks=(1000, 5))
    decisions = there.decision_function(blocks)
    assert decisions.chunks == ((1000,) * 4,)
    assert_allclose(decisions.compute(), there.decision_function(X), rtol=1e-6)
    assert_array_equal(there.predict(blocks).compute(), there.predict(X))


@pytest.mark.slow
def test_same_bytes_on_one_worker_and_on_two(client, examples):
    X, y = examples
    blocks = da.from_array(X, chunks=(1000, 5))
    first = MultivariateSVC(client=client).fit(blocks, y)
    with Client(processes=False, n_workers=1, dashboard_address="127.0.0.1:0") as alone:
        second = MultivariateSVC(client=alone).fit(blocks, y)
    assert first.coef_.tobytes() == second.coef_.tobytes()


@pytest.mark.slow
def test_sparse_blocks(client, examples):
    X, y = examples
    X = scipy.sparse.csr_matrix(np.where(abs(X) > 1, X, 0))
    blocks = da.from_array(X.toarray(), chunks=(1000, 5)).map_blocks(scipy.sparse.csr_matrix)
    there = MultivariateSVC("precision_at_50", client=client, tol=1e-4).fit(
        blocks, da.from_array(y, chunks=1000)
    )
    here = beyond_accuracy.MultivariateSVC("precision_at_50", tol=1e-4).fit(X, y)
    assert_allclose(there.objective_, here.objective_, rtol=2e-4)


@pytest.mark.slow
def test_a_worker_that_is_killed_changes_nothing(examples, monkeypatch):
    X, y = examples
    blocks = da.from_array(X, chunks=(1000, 5))
    with two_processes() as cluster, Client(cluster) as client:
        undisturbed = MultivariateSVC(client=client).fit(blocks, y)
        searches, search = [], BlockOracle.search

        def disturbed_search(oracle, scores):
            searches.append(scores)
            if len(searches) == 5:
                next(iter(cluster.workers.values())).process.process.kill()
            return search(oracle, scores)

        monkeypatch.setattr(BlockOracle, "search", disturbed_search)
        disturbed = MultivariateSVC(client=client).fit(blocks, y)
    assert len(searches) > 5
    assert disturbed.coef_.tobytes() == undisturbed.coef_.tobytes()


def _narrower(block, block_info=None):
    return block[:, :4] if block_info and block_info[0]["chunk-location"][0] == 3 else block


@pytest.mark.slow
@pytest.mark.parametrize("given", [{}, {"C_convention": "scaled", "C": 0.5}])
def test_units_of_C_are_those_in_memory(client, examples, given):
    """For features of small scale, the unit of C is far above n/100."""
    X, y = examples
    there = MultivariateSVC("f1", client=client, **given)
    there.fit(da.from_array(X / 100, chunks=(1500, 5)), y)
    here = beyond_accuracy.MultivariateSVC("f1", **given).fit(X / 100, y)
    assert_allclose(there.objective_, here.objective_, rtol=2e-3)


def test_an_asynchronous_client_is_named(examples):
    X, y = examples
    model = MultivariateSVC(client=SimpleNamespace(asynchronous=True))
    with pytest.raises(TypeError, match="the client is asynchronous"):
        model.fit(da.from_array(X), y)


def test_bad_input(client, examples):
    X, y = examples
    blocks = da.from_array(X, chunks=(1000, 5))
    with pytest.raises(TypeError, match=r"beyond_accuracy\.MultivariateSVC"):
        MultivariateSVC(client=client).fit(X, y)
    with pytest.raises(ValueError, match="NaN or infinity"):
        MultivariateSVC(client=client).fit(da.where(blocks > 2, np.nan, blocks), y)
    with pytest.raises(ValueError, match="two classes"):
        MultivariateSVC(client=client).fit(blocks, np.zeros(4000))
    with pytest.raises(ValueError, match="shape"):
        MultivariateSVC(client=client).fit(blocks, y[:-1])
    with pytest.raises(ValueError, match="distributed data"):
        MultivariateSVC("average_precision", client=client).fit(blocks, y)
    with pytest.raises(ValueError, match="two dimensions"):
        MultivariateSVC(client=client).fit(blocks[:, 0], y)
    with pytest.raises(ValueError, match="found 0 samples"):
        MultivariateSVC(client=client).fit(blocks[:0], y[:0])
    with pytest.raises(ValueError, match="two dimensions"):
        MultivariateSVC(client=client, C=1.0).fit(blocks, y).decision_function(blocks[:, 0])
    uneven = da.concatenate([blocks, blocks]).map_blocks(_narrower, dtype=X.dtype)
    with pytest.raises(ValueError, match="as many columns each, found 4, 5"):
        MultivariateSVC(client=client).fit(uneven, np.tile(y, 2))


@pytest.mark.slow
def test_columns_of_a_frame_are_those_of_fit_in_their_order(client, examples):
    dd, pd = pytest.importorskip("dask.dataframe"), pytest.importorskip("pandas")
    X, y = examples
    frame = dd.from_pandas(pd.DataFrame(X, columns=list("abcde")), npartitions=2)
    labels = dd.from_pandas(pd.Series(y), npartitions=2)
    model = MultivariateSVC("precision_at_50", client=client, tol=1e-4).fit(frame, labels)
    here = beyond_accuracy.MultivariateSVC("precision_at_50", tol=1e-4).fit(X, y)
    assert_allclose(model.objective_, here.objective_, rtol=2e-4)
    assert list(model.feature_names_in_) == list("abcde")
    assert np.mean(model.predict(frame).compute() == here.predict(X)) > 0.99
    for columns in (list("bacde"), list("abcdf")):
        other = frame[list("bacde")] if "f" not in columns else frame.rename(columns={"e": "f"})
        with pytest.raises(ValueError, match="must have the columns of fit in their order"):
            model.predict(other)
