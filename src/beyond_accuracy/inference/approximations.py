"""Approximate maximizer of the expected F-measure of independent labels."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from beyond_accuracy.inference.checks import check_beta
from beyond_accuracy.inference.meuf import OrderedMarginals
from beyond_accuracy.inference.meuf_trellis import maximize_chai


def meuf_approx(
    marginals: ArrayLike, beta: float = 1.0, *, tail_mass: float = 1e-3
) -> tuple[NDArray[np.uint8], float | NDArray[np.float64]]:
    """Maximize the expected F_β of independent labels approximately, faster than `meuf`.

    The exact algorithm of Chai (2005) needs the distributions of two counts: the positives among
    the k predicted labels, and the positives among the other labels. This function drops the tails
    of both distributions. It takes O(m·w²) if w counts remain, instead of O(m³). Dembczyński et al.
    (2011) use another approximation, by Jansche (2007).

    Parameters
    ----------
    marginals : array of float, shape (m,) or (n, m)
        P(Y_i = 1) of each label.
    beta : float, default 1.0
    tail_mass : float in [0, 1), default 1e-3
        Largest probability dropped from each distribution. The returned expected F_β is too small
        by at most 2·tail_mass, and the prediction loses at most 2·tail_mass.

    Returns
    -------
    prediction : array of uint8, shape (m,) or (n, m)
    expected_f : float or array of float64, shape (n,)
        A lower bound on the expected F_β of the prediction.

    Raises
    ------
    ValueError
        If a marginal is NaN or outside [0, 1], there are no labels or no examples, β is not in (0,
        1e100], or the tail mass is outside [0, 1).

    References
    ----------
    K. M. A. Chai, Expectation of F-Measures, SIGIR 2005.
    https://doi.org/10.1145/1076034.1076144

    Examples
    --------
    >>> import numpy as np
    >>> from beyond_accuracy.inference import meuf_approx
    >>> prediction, expected_f = meuf_approx(np.array([0.9, 0.4, 0.1]))
    >>> prediction, round(expected_f, 2)
    (array([1, 0, 0], dtype=uint8), 0.76)
    """
    beta = check_beta(beta)
    if not 0 <= tail_mass < 1:
        raise ValueError(f"tail_mass must be in [0, 1), found {tail_mass!r}")
    ordered = OrderedMarginals(marginals)
    sizes, expected = np.zeros(ordered.n, dtype=np.int64), np.empty(ordered.n)
    maximize_chai(ordered.values, beta * beta, tail_mass, sizes, expected)
    return ordered.predict(sizes, expected)
