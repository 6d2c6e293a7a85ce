"""Largest parameters for which sums over examples stay finite."""

import numpy as np

LARGEST_BETA = 1e100
"""The square of this β, times a number of examples, is finite; F_β equals recall long before."""
LARGEST_COST = 1e100


def check_size_of_costs(costs: np.ndarray, error: type[ValueError] = ValueError) -> None:
    """Raise `error` if an entry of the cost matrix `costs` exceeds 1e100 in absolute value."""
    wrong = np.abs(costs) > LARGEST_COST
    if wrong.any():
        place = np.argwhere(wrong)[0].tolist()
        raise error(
            f"cost_matrix{place} is {costs[tuple(place)]}; costs must be at most {LARGEST_COST:g} "
            "in size: divide all of them by a number, the optimum is the same"
        )
