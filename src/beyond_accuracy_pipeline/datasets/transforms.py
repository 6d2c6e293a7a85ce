"""Transforms of features after the split, fitted on the training part.

scikit-learn is imported inside functions, because its import takes longer than most preparations.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import scipy.sparse as sp

from beyond_accuracy_pipeline.datasets.steps import Transform
from beyond_accuracy_pipeline.datasets.table import Table, as_csr


def apply_transform(parts: dict[str, Table], transform: Transform) -> dict[str, Table]:
    """Fit a transform of features to the part `train`; return all parts transformed.

    `parts` maps the name of a part, such as "train", to its table.
    """
    train = parts["train"]
    names = train.feature_names
    match transform.kind:
        case "tfidf":
            from sklearn.feature_extraction.text import TfidfVectorizer

            vectorizer = TfidfVectorizer(
                min_df=transform.min_documents, sublinear_tf=transform.sublinear
            )
            if transform.stemmer is not None:
                vectorizer.set_params(
                    analyzer=_stems(vectorizer.build_analyzer(), transform.stemmer)
                )
            vectorizer.fit(train.X)
            apply = vectorizer.transform
            names = tuple(vectorizer.get_feature_names_out().tolist())
        case "min_max":
            from sklearn.preprocessing import MinMaxScaler

            apply = MinMaxScaler().fit(train.X).transform
        case "unit_length":
            from sklearn.preprocessing import normalize

            apply = normalize
        case "equalize_images":
            apply = equalize_histograms

    def changed(table: Table) -> Table:
        X = apply(table.X)
        return replace(table, X=as_csr(X) if sp.issparse(X) else X, feature_names=names)

    return {role: changed(table) for role, table in parts.items()}


def _stems(split_words: Callable[[str], list[str]], stemmer: str) -> Callable[[str], list[str]]:
    """Return a function that splits a document into words and stems them with Snowball."""
    import snowballstemmer

    stem = cache(snowballstemmer.stemmer(stemmer).stemWord)
    return lambda document: [stem(word) for word in split_words(document)]


def equalize_histograms(X: np.ndarray) -> np.ndarray:
    """Equalize the histogram of grey levels of each image, to values in [0, 1].

    Each row of X is an image of n pixels with integer grey levels. A level v becomes (c(v) − m) /
    (n − m). Here c(v) is the number of pixels not brighter than v, and m the number of darkest
    pixels. An image with a single level becomes 0. See Gonzalez and Woods, *Digital Image
    Processing*, section 3.3.
    """
    result = np.zeros(X.shape)
    for row, image in enumerate(X.astype(np.int64)):
        cumulated = np.bincount(image).cumsum()
        darkest = cumulated[image.min()]
        if darkest < image.size:
            result[row] = (cumulated[image] - darkest) / (image.size - darkest)
    return result
