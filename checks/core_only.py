"""First steps of a user who installs the wheel without extras; run by `checks.release`."""

import importlib.util
import sys
from importlib.metadata import version
from platform import python_version

from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import beyond_accuracy
from beyond_accuracy import MultivariateSVC, OperatingPointClassifier, ReweightedClassifier
from beyond_accuracy.command_line.main import main
from beyond_accuracy.inference import meuf

assert beyond_accuracy.__version__ == sys.argv[1]
assert importlib.util.find_spec("snakemake") is None
assert importlib.util.find_spec("pandas") is None

X, y = load_breast_cancer(return_X_y=True)
model = make_pipeline(StandardScaler(), MultivariateSVC(measure="f1", C=5.0)).fit(X, y)
assert model.score(X, y) > 0.95
assert model[-1].dual_gap_ <= model[-1].tol
svc = make_pipeline(StandardScaler(), MultivariateSVC(measure="roc_area", C=5.0)).fit(X, y)
point = OperatingPointClassifier(svc, "recall", constraints="precision >= 0.9").fit(X, y)
assert point.best_score_ > 0.9
costs = ReweightedClassifier(GaussianNB(), cost_matrix=[[0, 1], [5, 0]]).fit(X, y)
assert (costs.predict(X) == y).mean() > 0.9
prediction, _ = meuf([0.9, 0.4, 0.3])
assert prediction.any()

with open("train.svm", "w", encoding="utf-8") as stream:
    for row, label in zip(StandardScaler().fit_transform(X), y, strict=True):
        values = " ".join(f"{index}:{value:.6g}" for index, value in enumerate(row, start=1))
        print(2 * label - 1, values, file=stream)
assert main(["train", "--measure", "f1", "-C", "5", "train.svm", "model.json"]) == 0
assert main(["predict", "train.svm", "model.json", "predictions.txt"]) == 0

packages = [f"{name} {version(name)}" for name in ("numpy", "scipy", "scikit-learn", "numba")]
print(f"{python_version()}, {', '.join(packages)}")
