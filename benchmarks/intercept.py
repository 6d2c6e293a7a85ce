"""What regularizing the intercept does to the SVM with a cost model, on every Reuters topic.

SVM-light leaves the intercept free, LIBLINEAR penalizes it. Test scores at C = 1 and j = 1 of
`CostModelSVC`, whose intercept is free, are compared with those of LIBSVM, which agrees, and of
LIBLINEAR.

    python -m benchmarks.intercept resources/prepared/reuters21578-modapte
"""

import argparse
import time

import numpy as np
import pandas as pd
from sklearn.svm import SVC, LinearSVC

from beyond_accuracy.estimators import CostModelSVC
from beyond_accuracy.measures import get_measure
from beyond_accuracy_pipeline.datasets.prepared import load_prepared
from beyond_accuracy_pipeline.experiments.tasks import binary_tasks

MEASURES = ("f1", "prbep", "recall_at_2p", "roc_area")


def compare_intercepts(folder) -> pd.DataFrame:
    """One row a topic and model: its intercept, measures and seconds."""
    data = load_prepared(folder)
    models = {
        "free (LIBSVM)": SVC(kernel="linear", C=1.0, cache_size=2000),
        "free (this package)": CostModelSVC(1.0, 1.0),
        "regularized (LIBLINEAR)": LinearSVC(loss="hinge", C=1.0, max_iter=20_000, random_state=0),
    }
    rows = []
    for task in binary_tasks(data):
        for name, model in models.items():
            started = time.process_time()
            model.fit(data.X_train, task.train.astype(int))
            seconds = time.process_time() - started
            scores = model.decision_function(data.X_test)
            rows.append(
                {
                    "task": task.name,
                    "model": name,
                    "intercept": float(model.intercept_[0]),
                    "seconds": seconds,
                    **{m: get_measure(m).score(task.test, scores) for m in MEASURES},
                }
            )
    return pd.DataFrame(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", help="prepared folder of reuters21578-modapte")
    rows = compare_intercepts(parser.parse_args().folder)
    print("Macro-averages over topics, C = 1, j = 1:")
    print(rows.groupby("model", sort=False)[[*MEASURES, "seconds"]].mean().to_string())
    wide = rows.set_index(["task", "model"])[[*MEASURES, "intercept"]].unstack("model")
    print("\nLargest difference of a topic from the free intercept:")
    for name in rows["model"].unique()[1:]:
        differences = {
            column: float(np.abs(wide[column][name] - wide[column]["free (LIBSVM)"]).max())
            for column in (*MEASURES, "intercept")
        }
        print(f"  {name}: " + ", ".join(f"{k} {v:.4f}" for k, v in differences.items()))


if __name__ == "__main__":
    main()
