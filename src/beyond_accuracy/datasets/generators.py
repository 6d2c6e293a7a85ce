"""Generated data sets, for runs without network and for tests of the pipeline."""

import inspect

import numpy as np

from beyond_accuracy.datasets.entry import Entry
from beyond_accuracy.datasets.errors import CatalogueError
from beyond_accuracy.datasets.sources import GeneratedSource
from beyond_accuracy.datasets.table import Table


def generated_table(entry: Entry, source: GeneratedSource, rng: np.random.Generator) -> Table:
    """Call the generator that ``source`` names. Raises CatalogueError for unknown options."""
    generator = _GENERATORS[source.generator]
    valid = list(inspect.signature(generator).parameters)[1:]
    unknown = sorted(set(source.options) - set(valid))
    if unknown:
        problem = (
            f"config/datasets/{entry.name}.yaml: sources.options: found {', '.join(unknown)}; "
            f"valid for {source.generator} are {', '.join(valid)}"
        )
        raise CatalogueError([problem])
    return generator(rng, **source.options)


def imbalanced_gaussians(
    rng: np.random.Generator,
    n_rows: int = 1500,
    n_features: int = 20,
    positive_fraction: float = 0.05,
    distance: float = 2.5,
) -> Table:
    """Two unit Gaussian clouds whose centres lie ``distance`` apart; dense, binary."""
    n_positive = max(2, round(positive_fraction * n_rows))
    y = np.zeros(n_rows, dtype=np.int64)
    y[rng.choice(n_rows, n_positive, replace=False)] = 1
    direction = rng.standard_normal(n_features)
    direction *= distance / np.linalg.norm(direction)
    X = rng.standard_normal((n_rows, n_features)) + y[:, None] * direction
    return Table(X=X, y=y, class_names=("negative", "positive"))


def zipf_documents(
    rng: np.random.Generator,
    n_rows: int = 900,
    n_classes: int = 6,
    vocabulary: int = 3000,
    mean_length: float = 40.0,
    topic_words: int = 60,
    topic_share: float = 0.35,
    multilabel: bool = False,
    mean_labels: float = 1.5,
) -> Table:
    """Documents of words that follow Zipf's law, with classes of unequal size.

    Class c has weight 1 / (c + 1). A document draws ``topic_share`` of its words from the
    ``topic_words`` words of (one of) its classes, the others from the whole vocabulary, word r
    with weight 1 / r. Returns an object array of documents; with ``multilabel`` each has one or
    more labels, ``mean_labels`` on average.
    """
    class_weights = _normalized(1.0 / np.arange(1, n_classes + 1))
    word_weights = _normalized(1.0 / np.arange(1, vocabulary + 1))
    topics = [rng.choice(vocabulary, topic_words, replace=False) for _ in range(n_classes)]
    y = np.zeros((n_rows, n_classes), dtype=np.uint8)
    documents = np.empty(n_rows, dtype=object)
    for row in range(n_rows):
        extra = rng.poisson(mean_labels - 1) if multilabel else 0
        count = min(1 + extra, n_classes)
        labels = rng.choice(n_classes, count, replace=False, p=class_weights)
        y[row, labels] = 1
        length = max(4, rng.poisson(mean_length))
        words = rng.choice(vocabulary, length, p=word_weights)
        on_topic = rng.random(length) < topic_share
        chosen = rng.choice(labels, on_topic.sum())
        words[on_topic] = [rng.choice(topics[label]) for label in chosen]
        documents[row] = " ".join(f"word{word:05d}" for word in words)
    return Table(
        X=documents,
        y=y if multilabel else y.argmax(axis=1).astype(np.int64),
        class_names=tuple(f"topic{number}" for number in range(n_classes)),
    )


def _normalized(weights: np.ndarray) -> np.ndarray:
    return weights / weights.sum()


_GENERATORS = {"imbalanced_gaussians": imbalanced_gaussians, "zipf_documents": zipf_documents}
