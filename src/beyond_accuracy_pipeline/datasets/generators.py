"""Generated data sets, for runs without network and for tests of the pipeline."""

import numpy as np

from beyond_accuracy_pipeline.datasets.sources import (
    ImbalancedGaussiansOptions,
    ZipfDocumentsOptions,
)
from beyond_accuracy_pipeline.datasets.table import Table

_TOPIC_WORDS = 60
_TOPIC_SHARE = 0.35


def imbalanced_gaussians(rng: np.random.Generator, options: ImbalancedGaussiansOptions) -> Table:
    """Generate a dense binary data set: one Gaussian cloud with unit variance per class."""
    n_rows, n_features = options.n_rows, options.n_features
    n_positive = min(max(2, round(options.positive_fraction * n_rows)), n_rows - 2)
    y = np.zeros(n_rows, dtype=np.int64)
    y[rng.choice(n_rows, n_positive, replace=False)] = 1
    direction = rng.standard_normal(n_features)
    direction *= options.distance / np.linalg.norm(direction)
    X = rng.standard_normal((n_rows, n_features)) + y[:, None] * direction
    return Table(X=X, y=y, class_names=("negative", "positive"))


def zipf_documents(rng: np.random.Generator, options: ZipfDocumentsOptions) -> Table:
    """Generate random documents whose word frequencies follow Zipf's law.

    Classes have unequal sizes and 60 words each. A document has one class, or several with
    `options.multilabel`. It draws 35 % of its words from its classes' words, and the others from
    the whole vocabulary.
    """
    n_rows, n_classes, vocabulary = options.n_rows, options.n_classes, options.vocabulary
    class_weights = 1.0 / np.arange(1, n_classes + 1)
    class_weights /= class_weights.sum()
    word_weights = 1.0 / np.arange(1, vocabulary + 1)
    word_weights /= word_weights.sum()
    topics = [rng.choice(vocabulary, _TOPIC_WORDS, replace=False) for _ in range(n_classes)]
    y = np.zeros((n_rows, n_classes), dtype=np.uint8)
    documents = np.empty(n_rows, dtype=object)
    for row in range(n_rows):
        extra = rng.poisson(options.mean_labels - 1) if options.multilabel else 0
        count = min(1 + extra, n_classes)
        labels = rng.choice(n_classes, count, replace=False, p=class_weights)
        y[row, labels] = 1
        length = max(4, rng.poisson(options.mean_length))
        words = rng.choice(vocabulary, length, p=word_weights)
        on_topic = rng.random(length) < _TOPIC_SHARE
        chosen = rng.choice(labels, on_topic.sum())
        words[on_topic] = [rng.choice(topics[label]) for label in chosen]
        documents[row] = " ".join(f"word{word:05d}" for word in words)
    return Table(
        X=documents,
        y=y if options.multilabel else y.argmax(axis=1).astype(np.int64),
        class_names=tuple(f"topic{number}" for number in range(n_classes)),
    )
