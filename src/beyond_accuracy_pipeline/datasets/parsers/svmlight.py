"""Read SVMlight / LIBSVM text by the library's reader."""

import numpy as np

from beyond_accuracy.readers.svmlight_file import read_sparse_examples
from beyond_accuracy.readers.tables import number_name
from beyond_accuracy_pipeline.datasets.entry import Entry
from beyond_accuracy_pipeline.datasets.raw_files import RawFile
from beyond_accuracy_pipeline.datasets.table import Table, as_csr, labelled_tables


def parse_svmlight(entry: Entry, files: dict[str, RawFile]) -> dict[str, Table]:
    """Read a data set in SVMlight format, with the settings in `entry`; return one table per part.

    `files` maps the part, such as "train", to its file. Malformed files raise FileError.
    """
    parts = {}
    for role, file in files.items():
        X, y = read_sparse_examples(file.path, entry.parser.n_features)
        names = {label: number_name(label) for label in np.unique(y)}
        X = X.toarray() if entry.parser.dense else as_csr(X)
        parts[role] = (X, [names[label] for label in y])
    return labelled_tables(parts)
