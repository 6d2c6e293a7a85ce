"""Without an active client, `fit` starts a client and closes it afterwards."""

import numpy as np
import pytest

from beyond_accuracy.distributed import MultivariateSVC

distributed = pytest.importorskip("distributed")
da = pytest.importorskip("dask.array")


@pytest.mark.slow
def test_threads_of_this_process_while_fit_lasts():
    generator = np.random.default_rng(2)
    X = generator.normal(size=(400, 3))
    y = X[:, 0] + generator.normal(size=400) > 1
    fitted = MultivariateSVC("precision_at_20").fit(da.from_array(X, chunks=(100, 3)), y)
    assert fitted.dual_gap_ <= 1e-3
    with pytest.raises(ValueError, match="client"):
        distributed.get_client()
