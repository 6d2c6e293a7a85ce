"""Numbers beyond which sums over examples may not be finite."""

import numpy as np

LARGEST_BETA = 1e100
"""Its square, times a number of examples or labels, is finite; F_β is recall long before."""
LARGEST_COST = 1e100


def check_size_of_costs(costs: np.ndarray, error: type[ValueError] = ValueError) -> None:
    """Raise `error` for costs above 1e100 in size, at the first of them."""
    wrong = np.abs(costs) > LARGEST_COST
    if wrong.any():
        place = np.argwhere(wrong)[0].tolist()
        raise error(
            f"cost_matrix{place} is {costs[tuple(place)]}; costs must be at most {LARGEST_COST:g} "
            "in size: divide all of them by a number, the optimum is the same"
        )
