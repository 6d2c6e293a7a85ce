"""Tables with named columns, CSV with a header or Parquet, read by pandas."""

import io
import re
import warnings
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from beyond_accuracy_pipeline.datasets.entry import Entry
from beyond_accuracy_pipeline.datasets.errors import ParseError
from beyond_accuracy_pipeline.datasets.faults import suggestion
from beyond_accuracy_pipeline.datasets.parsers.csv_rows import check_rows
from beyond_accuracy_pipeline.datasets.raw_files import RawFile
from beyond_accuracy_pipeline.datasets.steps import CsvParser
from beyond_accuracy_pipeline.datasets.table import Table, encode, number_name, numeric_order

if TYPE_CHECKING:
    import pandas as pd

_NAMES_SHOWN = 30
_NUMBER = r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?"
# Kinds of columns, as pandas names them; those of Parquet may be objects of Python.
_TIMES = {"date", "datetime", "datetime64", "time", "timedelta", "timedelta64", "period"}
_EXPECTED_CSV = "a header line, and a value for each of its columns in every line"


def parse_columns(entry: Entry, files: dict[str, RawFile]) -> dict[str, Table]:
    """Tables of all parts; columns that hold anything but numbers are nominal, their values sorted.

    So are those that the entry says are. Missing are empty cells, ``NA``, ``NaN``, what else pandas
    takes for it, and what the entry says; blanks around names are none of them; true and false are
    1 and 0. A column that holds texts in any part has texts in all of them: values as written, and
    ``1`` for a number 1.0 of a Parquet file. Raises ParseError for what is no such file, a column
    name that is given twice, a target, dropped or nominal column that is not there, a missing
    class, infinite numbers, dates, and parts with different columns.
    """
    frames = _frames(entry, files)
    first = next(iter(frames.values()))
    labels = {role: _labels(frame, entry, files[role].location) for role, frame in frames.items()}
    class_names = numeric_order({label for each in labels.values() for label in each})
    features = [name for name in first if name not in (entry.target, *entry.drop_columns)]
    if not features:
        location = next(iter(files.values())).location
        raise ParseError(location, 1, "no column but the target and dropped ones", "features")
    categories = _categories(frames, features)
    tables = {}
    for role, frame in frames.items():
        X = np.empty((len(frame), len(features)))
        for number, name in enumerate(features):
            X[:, number] = _numbers(frame[name], categories.get(number), files[role].location)
        tables[role] = Table(
            X=X,
            y=encode(labels[role], class_names),
            class_names=class_names,
            feature_names=tuple(features),
            categories=categories,
        )
    return tables


def _frames(entry: Entry, files: dict[str, RawFile]) -> dict[str, "pd.DataFrame"]:
    import pandas as pd

    frames = {role: _frame(entry, file) for role, file in files.items()}
    first = next(iter(frames.values()))
    for role, frame in frames.items():
        if list(frame.columns) != list(first.columns):
            expected = f"the columns of the other part, {_listed(first.columns)}"
            raise ParseError(files[role].location, 1, _listed(frame.columns), expected)
    kinds = [frame.dtypes.map(pd.api.types.is_numeric_dtype) for frame in frames.values()]
    mixed = [name for name in first if len({kind[name] for kind in kinds}) > 1]
    if mixed and isinstance(entry.parser, CsvParser):
        # What pandas took for numbers in one part, such as 01, are texts in another.
        frames = {role: _frame(entry, file, mixed) for role, file in files.items()}
    return frames


def _frame(entry: Entry, file: RawFile, texts: Sequence[str] = ()) -> "pd.DataFrame":
    import pandas as pd

    with file.open() as stream:
        if isinstance(entry.parser, CsvParser):
            frame = _read_csv(stream, entry.parser, file.location, texts)
        else:
            from pyarrow.lib import ArrowException

            try:
                frame = _read_parquet(io.BytesIO(stream.read()), file.location)
            except (ValueError, OSError, RuntimeError, ArrowException) as error:
                said, _, _ = str(error).partition("\n")
                found = f"no Parquet ({said})"
                raise ParseError(file.location, None, found, "an Apache Parquet file") from error
    frame.columns = [str(name) for name in frame.columns]
    if frame.empty:
        raise ParseError(file.location, None, "no rows", _EXPECTED_CSV)
    nominal = [*entry.parser.nominal, *getattr(entry.parser, "missing", ())]
    for name in (entry.target, *entry.drop_columns, *nominal):
        if name not in frame.columns:
            valid = suggestion(name, frame.columns, _NAMES_SHOWN) + _hint(frame.columns)
            raise ParseError(file.location, 1, f"no column {name!r}", valid)
    for name in entry.parser.nominal:
        if pd.api.types.is_numeric_dtype(frame[name]):
            frame[name] = _texts(frame[name])
    return frame


def _hint(names: Sequence[str]) -> str:
    """What a header that lacks a column may be."""
    if len(names) == 1:
        return ". It is the only column: separators are , ; | tabs and blanks"
    if sum(re.fullmatch(_NUMBER, name.strip()) is not None for name in names) > len(names) / 2:
        return ". The first line holds numbers: has the file no header?"
    return ""


def _read_parquet(content: io.BytesIO, location: str) -> "pd.DataFrame":
    import pyarrow.parquet as pq

    file = pq.ParquetFile(content)
    _check_names(file.schema_arrow.names, location)
    table = file.read()
    # Texts that are no UTF-8, among others.
    table.validate(full=True)
    return table.to_pandas()


def _read_csv(
    stream: BinaryIO, parser: CsvParser, location: str, texts: Sequence[str]
) -> "pd.DataFrame":
    import pandas as pd

    # What decompresses cannot go back to the header.
    content = stream.read()
    check_rows(content, parser.delimiter, location, _EXPECTED_CSV)
    stream = io.BytesIO(content)
    options = {"sep": parser.delimiter, "decimal": parser.decimal, "index_col": False}
    options |= {"low_memory": False, "encoding": "utf-8-sig"}
    try:
        with warnings.catch_warnings():
            # Rows that are all longer than the header would lose their last values.
            warnings.simplefilter("error", pd.errors.ParserWarning)
            header = pd.read_csv(stream, header=None, nrows=1, dtype=str, **options)
            names = header.iloc[0].tolist()
            stream.seek(0)
            kinds = dict.fromkeys({*parser.nominal, *texts} & set(names), str)
            missing = {name: texts for name, texts in parser.missing.items() if name in names}
            frame = pd.read_csv(stream, dtype=kinds, na_values=missing or None, **options)
    except pd.errors.EmptyDataError as error:
        raise ParseError(location, None, "nothing", _EXPECTED_CSV) from error
    except (pd.errors.ParserError, pd.errors.ParserWarning) as error:
        raise ParseError(location, None, str(error).strip(), _EXPECTED_CSV) from error
    except UnicodeDecodeError as error:
        found = f"no UTF-8 text (the byte {error.object[error.start]:#04x})"
        expected = "UTF-8: convert it first, as by iconv -f latin1 -t utf-8"
        raise ParseError(location, None, found, expected) from error
    _check_names(names, location)
    return frame


def _check_names(names: Sequence[Any], location: str) -> None:
    counts = Counter(map(str, names))
    twice = sorted(name for name, count in counts.items() if count > 1)[:_NAMES_SHOWN]
    if twice or any(name is np.nan for name in names):
        found = f"the columns {', '.join(twice)} twice" if twice else "a column without a name"
        raise ParseError(location, 1, found, "a name of its own for each column")


def _labels(frame: "pd.DataFrame", entry: Entry, location: str) -> list[str]:
    column = frame[entry.target]
    missing = np.flatnonzero(column.isna())
    if missing.size:
        # Not the line: blank ones are passed over, and a cell may have several.
        which = f"the first is row {missing[0] + 1} of the data"
        found = f"no {entry.target!r} in {missing.size} of {len(column)} rows ({which})"
        raise ParseError(location, None, found, "a class in every row")
    return _texts(column).tolist()


def _texts(column: "pd.Series") -> "pd.Series":
    """Values as classes and nominal features are named; missing ones stay."""
    import pandas as pd

    if pd.api.types.is_bool_dtype(column):
        return column.map({True: "true", False: "false"})
    if pd.api.types.is_numeric_dtype(column):
        return _exact(column).map(number_name, na_action="ignore").astype(object)
    return column.map(lambda value: str(value).strip(), na_action="ignore")


def _exact(column: "pd.Series") -> "pd.Series":
    """Numbers of which whole ones stay whole: above 2⁵³ floats would merge them."""
    import pandas as pd

    return column if pd.api.types.is_integer_dtype(column) else column.astype(float)


def _categories(frames: dict[str, "pd.DataFrame"], features: list[str]):
    import pandas as pd

    categories = {}
    for number, name in enumerate(features):
        columns = [frame[name] for frame in frames.values()]
        if not all(map(pd.api.types.is_numeric_dtype, columns)):
            values = {text for column in columns for text in _texts(column.dropna())}
            # Without any value there is nothing to tell numbers by.
            if values:
                categories[number] = tuple(sorted(values))
    return categories


def _numbers(column: "pd.Series", names: tuple[str, ...] | None, location: str) -> np.ndarray:
    import pandas as pd

    if pd.api.types.infer_dtype(column) in _TIMES:
        found = f"dates in column {column.name!r}"
        valid = "numbers or text: turn dates into numbers first, or leave the column out "
        raise ParseError(location, None, found, f"{valid}(--drop {column.name})")
    if names is not None:
        codes = {name: float(code) for code, name in enumerate(names)}
        return _texts(column).map(codes).to_numpy(dtype=np.float64)
    values = column.to_numpy(dtype=np.float64, na_value=np.nan)
    infinite = np.flatnonzero(np.isinf(values))
    if infinite.size:
        found = f"an infinite number in row {infinite[0] + 1} of column {column.name!r}"
        raise ParseError(location, None, found, "finite numbers")
    return values


def _listed(names) -> str:
    return ", ".join(map(str, names[:_NAMES_SHOWN]))
