"""Whether a relative duality gap of 1e-6 is reached, without a warning, on every data set.

Each data set of the catalogue that can be prepared is made binary (its smallest class or label
with five examples or more against the rest), missing values become column means, and every loss is
fitted at C = n/100, or C_liblinear = 1, as the features are. Writes one CSV row a fit.

    BEYOND_ACCURACY_MIRROR=DIR python -m benchmarks.every_data_set gaps.csv
"""

import argparse
import os
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import scipy.sparse
from sklearn.exceptions import ConvergenceWarning

from beyond_accuracy.estimators import MultivariateSVC
from beyond_accuracy_pipeline.configuration.catalogue import load_catalogue
from beyond_accuracy_pipeline.datasets.errors import DataSetMissing
from beyond_accuracy_pipeline.datasets.fetch import FetchSettings
from beyond_accuracy_pipeline.datasets.prepare import prepare
from beyond_accuracy_pipeline.datasets.prepared import load_prepared

MEASURES = ("f1", "prbep", "recall_at_2p", "roc_area", "accuracy")
TOLERANCE = 1e-6
_FEWEST_POSITIVES = 5


def binary_problem(data):
    """X without missing values, and a boolean label, from the training part."""
    X = data.X_train
    if not scipy.sparse.issparse(X):
        means = np.nanmean(np.where(np.isfinite(X), X, np.nan), axis=0)
        X = np.where(np.isfinite(X), X, np.nan_to_num(means))
    if data.task == "binary":
        return X, data.y_train > 0
    if data.task == "multiclass":
        counts = np.bincount(data.y_train, minlength=len(data.class_names))
        members = {code: data.y_train == code for code in range(len(counts))}
    else:
        labels = data.y_train
        labels = labels.toarray() if scipy.sparse.issparse(labels) else np.asarray(labels)
        counts = labels.sum(axis=0)
        members = {code: labels[:, code] > 0 for code in range(labels.shape[1])}
    eligible = np.flatnonzero(counts >= _FEWEST_POSITIVES)
    return X, members[eligible[np.argmin(counts[eligible])]]


def fit_all(X, positive):
    """One row a measure: gap, iterations, seconds and warnings."""
    for measure in MEASURES:
        model = MultivariateSVC(measure, tol=TOLERANCE, at_most_k=measure.startswith("recall"))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            started = time.process_time()
            model.fit(X, positive)
            seconds = time.process_time() - started
        unfinished = [str(w.message) for w in caught if issubclass(w.category, ConvergenceWarning)]
        yield {
            "measure": measure,
            "dual_gap": model.dual_gap_,
            "n_iter": model.n_iter_,
            "seconds": round(seconds, 3),
            "degenerate": model.degenerate_,
            "warning": "; ".join(unfinished),
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", type=Path, help="CSV file to write")
    parser.add_argument("data_sets", nargs="*", help="names; all of the catalogue by default")
    arguments = parser.parse_args()
    catalogue = load_catalogue(Path(__file__).parents[1] / "config/datasets")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.data_sets or list(catalogue):
            prepared = Path(folder) / "prepared" / name
            prepare(
                catalogue[name],
                settings=FetchSettings(
                    os.environ.get("BEYOND_ACCURACY_MIRROR"), Path(folder) / "raw"
                ),
                output_folder=prepared,
                seed=20050807,
                catalogue=catalogue,
            )
            try:
                X, positive = binary_problem(load_prepared(prepared))
            except DataSetMissing as error:
                rows.append({"data_set": name, "warning": f"unavailable: {error}"})
                continue
            n, d = X.shape
            size = {"data_set": name, "n": n, "d": d, "n_positives": int(positive.sum())}
            for row in fit_all(X, positive):
                rows.append({**size, **row})
                print(rows[-1], flush=True)
            pd.DataFrame(rows).to_csv(arguments.output, index=False)
    table = pd.DataFrame(rows)
    missed = table["dual_gap"] > TOLERANCE
    print(f"{len(table) - missed.sum()} of {len(table)} fits within {TOLERANCE:g}")


if __name__ == "__main__":
    main()
