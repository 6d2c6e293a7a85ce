"""
A certificate that nothing can be learned
=========================================

Detect that the best linear model for a measure is w = 0, before searching for a better C.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_blobs

from beyond_accuracy import MultivariateSVC

figure, axes = plt.subplots(layout="constrained")
for distance in (0.5, 1, 3):
    centers = [[0, 0], [distance, 0]]
    X, y = make_blobs([1900, 100], centers=centers, random_state=0)
    norms, grid = [], np.geomspace(0.01, 1000, 11)
    for C in grid:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the warning says what `degenerate_` says
            model = MultivariateSVC("f1", C=C, fallback=None).fit(X, y)
        norms.append(np.linalg.norm(model.coef_))
    print(f"distance {distance:g}: w = 0 is optimal for every C: {model.degenerate_}")
    axes.plot(grid, norms, "o-", label=f"distance {distance:g}")

# %%
# With w = 0, all rows have the same score, and the predictions are arbitrary. If the classes
# overlap too much, w = 0 is optimal for every C, and ``degenerate_`` is True. The lower bound on
# the objective proves it after a single fit. The picture confirms this: the length of w stays 0
# for the overlapping classes, and grows with C for the others. By default, ``fallback`` replaces
# w = 0 by the SVM for ROC area with the best threshold for the measure.

axes.set(xscale="log", yscale="symlog", xlabel="C", ylabel="Length of w")
axes.legend()
plt.show()
