"""Read tables with named columns, CSV with a header or Parquet, by the library's readers."""

from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

from beyond_accuracy.readers.column_checks import check_values, listed
from beyond_accuracy.readers.errors import FileError
from beyond_accuracy.readers.tables import (
    check_names,
    class_names,
    numeric_order,
    read_csv,
    read_parquet,
)
from beyond_accuracy_pipeline.datasets.entry import Entry
from beyond_accuracy_pipeline.datasets.raw_files import RawFile
from beyond_accuracy_pipeline.datasets.steps import CsvParser
from beyond_accuracy_pipeline.datasets.table import Table, encode

if TYPE_CHECKING:
    import pandas as pd


def parse_columns(entry: Entry, files: dict[str, RawFile]) -> dict[str, Table]:
    """Read a CSV or Parquet data set, and return one table per part.

    `files` maps the part, such as "train", to its file. A column is nominal if `entry` lists it as
    nominal, or if any of its values is not a number. Malformed files raise FileError.
    """
    import pandas as pd
    from pandas.api.types import is_numeric_dtype

    frames = {role: _frame(entry, file) for role, file in files.items()}
    first = next(iter(frames.values()))
    for role, frame in frames.items():
        if list(frame.columns) != list(first.columns):
            expected = f"expected the columns of the other part, {listed(first.columns)}"
            raise FileError(files[role].path, 1, f"found {listed(frame.columns)}; {expected}")
    numeric = [frame.dtypes.map(is_numeric_dtype) for frame in frames.values()]
    if mixed := [name for name in first if len({part[name] for part in numeric}) > 1]:
        # 01 is a number in one part and a text in another.
        frames = {role: _frame(entry, file, mixed) for role, file in files.items()}
    for role, frame in frames.items():
        for name in frame.columns.drop([entry.target, *entry.drop_columns]):
            try:
                check_values(frame[name], is_nominal=name in (*entry.parser.nominal, *mixed))
            except ValueError as error:
                raise FileError(files[role].path, None, str(error)) from error
    columns = pd.concat(frames)
    # The names of classes that are numbers depend on all parts.
    labels = pd.Series(class_names(columns[entry.target]), columns.index)
    names = tuple(numeric_order(set(labels)))
    features = columns.drop(columns=[entry.target, *entry.drop_columns])
    categories = {}
    for number, name in enumerate(features):
        if not is_numeric_dtype(features[name]):
            values = sorted(set(features[name].dropna()))
            # A column without any value counts as numeric.
            if values:
                categories[number] = tuple(values)
            codes = {value: float(code) for code, value in enumerate(values)}
            features[name] = features[name].map(codes).astype(float)
    return {
        role: Table(
            X=features.loc[role].to_numpy(dtype=np.float64),
            y=encode(labels.loc[role].tolist(), names),
            class_names=names,
            feature_names=tuple(features),
            categories=categories,
        )
        for role in frames
    }


def _frame(entry: Entry, file: RawFile, texts: Collection[str] = ()) -> "pd.DataFrame":
    """Read one file. Columns in `texts` and nominal columns are read as text."""
    parser = entry.parser
    texts = [entry.target, *parser.nominal, *texts]
    try:
        if isinstance(parser, CsvParser):
            settings = parser.model_dump(include={"delimiter", "decimal", "missing"})
            frame, _ = read_csv(file.path, texts, settings)
        else:
            frame, _ = read_parquet(file.path, texts)
        marked = getattr(parser, "missing", ())
        check_names(
            list(frame.columns), entry.target, entry.drop_columns, [*parser.nominal, *marked]
        )
        # A class that is missing is an error.
        class_names(frame[entry.target])
    except ValueError as error:
        raise FileError(file.path, None, str(error)) from error
    return frame
