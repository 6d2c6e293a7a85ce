"""The data of the benchmarks: generated, and real if there is a mirror.

All tasks can be learned: w = 0 is far from optimal for each measure.
"""

import lzma
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy.sparse
from sklearn.datasets import load_svmlight_file

from beyond_accuracy_pipeline.configuration.catalogue import load_catalogue
from beyond_accuracy_pipeline.datasets.fetch import FetchSettings
from beyond_accuracy_pipeline.datasets.prepare import obtain
from beyond_accuracy_pipeline.datasets.prepared import PreparedDataSet
from beyond_accuracy_pipeline.experiments.tasks import binary_tasks

MIRROR_VARIABLE = "BEYOND_ACCURACY_MIRROR"
_CATALOGUE = Path(__file__).parents[1] / "config" / "datasets"
# Data set of the catalogue, label against the rest, and name of the task.
_LABELS = (
    ("optdigits", "8", 'optdigits "8"'),
    ("reuters21578-modapte", "earn", 'Reuters "earn"'),
)
_SEED = 20050807
_ROWS_AT_ONCE = 1_000_000


@dataclass(frozen=True)
class Task:
    """One binary task: X dense or CSR, `positive` of bool, C in SVM-perf's convention."""

    name: str
    X: np.ndarray | scipy.sparse.csr_matrix
    positive: np.ndarray
    C: float

    @property
    def n_positives(self) -> int:
        """Number of positive examples."""
        return int(np.count_nonzero(self.positive))

    def describe(self) -> str:
        """Return name, shape and number of positives."""
        n, d = self.X.shape
        kind = (
            f"sparse, {self.X.nnz / n:.0f} values a row"
            if scipy.sparse.issparse(self.X)
            else f"dense {self.X.dtype}"
        )
        return f"{self.name}: {n:,} × {d:,}, {kind}, {self.n_positives:,} positives, C = {self.C:g}"

    def sample(self, n_rows: int) -> "Task":
        """Return the task on random rows, with C in proportion."""
        n = self.X.shape[0]
        if n_rows >= n:
            return self
        rows = np.sort(np.random.default_rng(_SEED).permutation(n)[:n_rows])
        name = f"{self.name}, {n_rows:,} rows"
        return Task(name, self.X[rows], self.positive[rows], self.C * n_rows / n)


@dataclass(frozen=True)
class Sizes:
    """How large the generated data is, and how many rows the slow enumeration gets."""

    quick: bool
    dense_rows: int
    sparse_rows: int
    sparse_features: int
    enumerated_rows: int
    large_rows: int
    scaling_rows: tuple[int, ...]
    share_rows: int

    @classmethod
    def of(cls, scale: str) -> "Sizes":
        """Return the sizes of "quick", "default" or "full"."""
        if scale == "quick":
            return cls(True, 400, 300, 1000, 300, 2000, (500, 1000, 2000), 1000)
        rows = (10_000, 30_000, 100_000, 300_000, 1_000_000)
        if scale == "full":
            rows += (3_000_000, 10_000_000)
        return cls(False, 20_000, 10_000, 30_000, 20_000, 1_000_000, rows, 100_000)


def load_tasks(sizes: Sizes) -> dict[str, Task]:
    """Return the tasks by name: generated ones, and real ones if there is a mirror."""
    tasks = [gaussians(sizes.dense_rows, 50), documents(sizes.sparse_rows, sizes.sparse_features)]
    if os.environ.get(MIRROR_VARIABLE):
        X, y = read_libsvm("ijcnn1.xz", 22)
        real = [Task("ijcnn1", X.toarray(), y > 0, X.shape[0] / 100)]
        for data_set, label, name in _LABELS:
            data = read_data_set(data_set)
            positive = {task.name: task.train for task in binary_tasks(data)}[label]
            real.append(Task(name, data.X_train, positive, len(positive) / 100))
        tasks += [task.sample(sizes.enumerated_rows) if sizes.quick else task for task in real]
    return {task.name.partition(",")[0]: task for task in tasks}


def gaussians(
    n_rows, n_features, positive_share=0.05, dtype=np.float64, distance=2.5, make=np.empty
) -> Task:
    """Return two unit Gaussian clouds with centres `distance` apart; C_liblinear = 1.

    The classes overlap at the default distance, but w = 0 is far from optimal. `make` is called
    with the shape and type of X, which is filled some rows at a time.
    """
    rng = np.random.default_rng([_SEED, n_rows, n_features, int(1e6 * positive_share)])
    positive = np.zeros(n_rows, dtype=bool)
    positive[: max(round(positive_share * n_rows), 2)] = True
    rng.shuffle(positive)
    direction = rng.standard_normal(n_features, dtype=dtype)
    direction *= distance / np.linalg.norm(direction)
    X = make((n_rows, n_features), dtype)
    for start in range(0, n_rows, _ROWS_AT_ONCE):
        rows = slice(start, start + _ROWS_AT_ONCE)
        X[rows] = rng.standard_normal(X[rows].shape, dtype=dtype)
        X[rows][positive[rows]] += direction
    return Task("generated dense", X, positive, n_rows / 100)


def documents(n_rows, n_features, positive_share=0.03, length=100, topic_share=0.3) -> Task:
    """Return documents of words by Zipf's law, logarithmic counts of unit length; C_liblinear = 1.

    A positive document draws `topic_share` of its words from a hundredth of the vocabulary.
    """
    rng = np.random.default_rng([_SEED, n_rows, n_features])
    positive = np.zeros(n_rows, dtype=bool)
    positive[: max(round(positive_share * n_rows), 2)] = True
    rng.shuffle(positive)
    frequency = 1.0 / (np.arange(n_features) + 10.0)
    words = rng.choice(n_features, size=(n_rows, length), p=frequency / frequency.sum())
    topic = rng.choice(n_features, size=max(n_features // 100, 1), replace=False)
    on_topic = (rng.random((n_rows, length)) < topic_share) & positive[:, None]
    words[on_topic] = rng.choice(topic, size=int(on_topic.sum()))
    counts = scipy.sparse.csr_matrix(
        (np.ones(words.size), words.ravel(), np.arange(0, words.size + 1, length)),
        shape=(n_rows, n_features),
    )
    counts.sum_duplicates()
    counts.data = 1.0 + np.log(counts.data)
    lengths = np.sqrt(counts.multiply(counts).sum(axis=1))
    X = scipy.sparse.csr_matrix(counts.multiply(1.0 / lengths))
    X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
    return Task("generated text", X, positive, n_rows / 100)


def read_libsvm(file: str, n_features: int):
    """Return X as CSR and y of a file of the mirror."""
    with lzma.open(Path(os.environ[MIRROR_VARIABLE]) / "libsvm" / file) as stream:
        return load_svmlight_file(stream, n_features=n_features, zero_based=False)


def read_data_set(name: str) -> PreparedDataSet:
    """Return a data set of the catalogue, from the mirror."""
    catalogue = load_catalogue(_CATALOGUE)
    with tempfile.TemporaryDirectory() as downloads:
        settings = FetchSettings(os.environ[MIRROR_VARIABLE], downloads)
        return obtain(catalogue[name], catalogue, settings, _SEED)
