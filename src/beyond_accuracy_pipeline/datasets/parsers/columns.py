"""Read tables with named columns, CSV with a header or Parquet, by pandas.

pandas is imported inside functions, because most data sets do not need it.
"""

import csv
import io
import warnings
from collections import Counter
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from beyond_accuracy.readers.tables import header_hint, number_name, numeric_order
from beyond_accuracy_pipeline.datasets.entry import Entry
from beyond_accuracy_pipeline.datasets.errors import ParseError
from beyond_accuracy_pipeline.datasets.problems import suggestion
from beyond_accuracy_pipeline.datasets.raw_files import RawFile
from beyond_accuracy_pipeline.datasets.steps import CsvParser
from beyond_accuracy_pipeline.datasets.table import Table, encode

if TYPE_CHECKING:
    import pandas as pd

_NAMES_SHOWN = 30
# Types of columns, as pandas names them; columns of Parquet may hold Python objects.
_TIMES = {"date", "datetime", "datetime64", "time", "timedelta", "timedelta64", "period"}
_EXPECTED = "a header line, and a value for each of its columns in every line"


def parse_columns(entry: Entry, files: dict[str, RawFile]) -> dict[str, Table]:
    """Read a CSV or Parquet data set; return one table per part.

    `files` maps the part, such as "train", to its file. Columns are nominal if `entry` lists them
    as nominal, or if they have a value that is not a number. In other columns, true becomes 1 and
    false 0.
    """
    frames = _frames(entry, files)
    first = next(iter(frames.values()))
    labels = {role: _labels(frame, entry, files[role].location) for role, frame in frames.items()}
    class_names = tuple(numeric_order(set().union(*labels.values())))
    features = [name for name in first if name not in (entry.target, *entry.drop_columns)]
    if not features:
        location = next(iter(files.values())).location
        raise ParseError(location, 1, "no column but the target and dropped ones", "features")
    categories = _categories(frames.values(), features)
    tables = {}
    for role, frame in frames.items():
        columns = [
            _numbers(frame[name], categories.get(number), files[role].location)
            for number, name in enumerate(features)
        ]
        tables[role] = Table(
            X=np.column_stack(columns),
            y=encode(labels[role], class_names),
            class_names=class_names,
            feature_names=tuple(features),
            categories=categories,
        )
    return tables


def _frames(entry: Entry, files: dict[str, RawFile]) -> dict[str, "pd.DataFrame"]:
    """Return one DataFrame per part, all with the same columns."""
    from pandas.api.types import is_numeric_dtype

    frames = {role: _frame(entry, file) for role, file in files.items()}
    first = next(iter(frames.values()))
    for role, frame in frames.items():
        if list(frame.columns) != list(first.columns):
            expected = f"the columns of the other part, {_listed(first.columns)}"
            raise ParseError(files[role].location, 1, _listed(frame.columns), expected)
    numeric = [frame.dtypes.map(is_numeric_dtype) for frame in frames.values()]
    mixed = [name for name in first if len({part[name] for part in numeric}) > 1]
    if mixed and isinstance(entry.parser, CsvParser):
        # pandas reads 01 as a number in one part and as a text in another.
        frames = {role: _frame(entry, file, mixed) for role, file in files.items()}
    return frames


def _frame(entry: Entry, file: RawFile, texts: Sequence[str] = ()) -> "pd.DataFrame":
    """Read one file. Columns in `texts` and nominal columns are read as text."""
    from pandas.api.types import is_numeric_dtype

    with file.open() as stream:
        content = stream.read()
    if isinstance(entry.parser, CsvParser):
        names, frame = _read_csv(content, entry.parser, file.location, texts)
    else:
        names, frame = _read_parquet(content, file.location)
    twice = sorted(name for name, count in Counter(map(str, names)).items() if count > 1)
    if twice or any(name is np.nan for name in names):
        found = f"the columns {_listed(twice)} twice" if twice else "a column without a name"
        raise ParseError(file.location, 1, found, "a name of its own for each column")
    frame.columns = [str(name) for name in frame.columns]
    if frame.empty:
        raise ParseError(file.location, None, "no rows", _EXPECTED)
    nominal = [*entry.parser.nominal, *getattr(entry.parser, "missing", ())]
    for name in (entry.target, *entry.drop_columns, *nominal):
        if name not in frame.columns:
            valid = suggestion(name, frame.columns, _NAMES_SHOWN) + header_hint(frame.columns)
            raise ParseError(file.location, 1, f"no column {name!r}", valid)
    for name in entry.parser.nominal:
        if is_numeric_dtype(frame[name]):
            frame[name] = _texts(frame[name])
    return frame


def _read_parquet(content: bytes, location: str) -> tuple[list[str], "pd.DataFrame"]:
    """Return the column names and the DataFrame of a Parquet file."""
    import pyarrow.parquet as pq
    from pyarrow.lib import ArrowException

    try:
        table = pq.ParquetFile(io.BytesIO(content)).read()
        # Finds texts that are not UTF-8, among other things.
        table.validate(full=True)
        return table.column_names, table.to_pandas()
    except (ValueError, OSError, RuntimeError, ArrowException) as error:
        found = f"no Parquet ({str(error).partition(chr(10))[0]})"
        raise ParseError(location, None, found, "an Apache Parquet file") from error


def _read_csv(
    content: bytes, parser: CsvParser, location: str, texts: Sequence[str]
) -> tuple[list[str], "pd.DataFrame"]:
    """Return the names in the header and the DataFrame of a CSV file."""
    import pandas as pd

    options = {"sep": parser.delimiter, "decimal": parser.decimal, "index_col": False}
    options |= {"low_memory": False, "encoding": "utf-8-sig"}
    try:
        _check_lengths(content.decode("utf-8-sig"), parser.delimiter, location)
        with warnings.catch_warnings():
            # If all rows are longer than the header, pandas drops their last values.
            warnings.simplefilter("error", pd.errors.ParserWarning)
            header = pd.read_csv(io.BytesIO(content), header=None, nrows=1, dtype=str, **options)
            names = header.iloc[0].tolist()
            types = dict.fromkeys({*parser.nominal, *texts} & set(names), str)
            missing = {name: texts for name, texts in parser.missing.items() if name in names}
            return names, pd.read_csv(
                io.BytesIO(content), dtype=types, na_values=missing or None, **options
            )
    except UnicodeDecodeError as error:
        found = f"no UTF-8 text (the byte {error.object[error.start]:#04x})"
        expected = "UTF-8: convert it first, as by iconv -f latin1 -t utf-8"
        raise ParseError(location, None, found, expected) from error
    except (pd.errors.EmptyDataError, pd.errors.ParserError, pd.errors.ParserWarning) as error:
        found = "nothing" if not content.strip() else str(error).strip()
        raise ParseError(location, None, found, _EXPECTED) from error


def _check_lengths(text: str, delimiter: str, location: str) -> None:
    """Raise ParseError if a row is too short; pandas would add missing values."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        lengths = [(reader.line_num, len(row)) for row in reader if any(map(str.strip, row))]
    except csv.Error:
        # pandas describes the problem, or can read cells that are too long for Python's reader.
        return
    for line, length in lengths:
        if length < lengths[0][1]:
            raise ParseError(location, line, f"{length} of {lengths[0][1]} values", _EXPECTED)


def _labels(frame: "pd.DataFrame", entry: Entry, location: str) -> list[str]:
    """Return the class name of each row."""
    column = frame[entry.target]
    missing = np.flatnonzero(column.isna())
    if missing.size:
        # Not the line: there may be blank lines, and cells of several lines.
        which = f"the first is row {missing[0] + 1} of the data"
        found = f"no {entry.target!r} in {missing.size} of {len(column)} rows ({which})"
        raise ParseError(location, None, found, "a class in every row")
    return _texts(column).tolist()


def _texts(column: "pd.Series") -> "pd.Series":
    """Return the names of classes or nominal values as text. Missing values stay missing."""
    import pandas as pd

    if pd.api.types.is_bool_dtype(column):
        return column.map({True: "true", False: "false"})
    if pd.api.types.is_numeric_dtype(column):
        # Whole numbers above 2⁵³ must not become floats, which would merge them.
        exact = column if pd.api.types.is_integer_dtype(column) else column.astype(float)
        return exact.map(number_name, na_action="ignore").astype(object)
    return column.map(lambda value: str(value).strip(), na_action="ignore")


def _categories(
    frames: Collection["pd.DataFrame"], features: list[str]
) -> dict[int, tuple[str, ...]]:
    """Return {index in `features`: sorted values} for each nominal column."""
    from pandas.api.types import is_numeric_dtype

    categories = {}
    for number, name in enumerate(features):
        columns = [frame[name] for frame in frames]
        if not all(map(is_numeric_dtype, columns)):
            values = {text for column in columns for text in _texts(column.dropna())}
            # A column without any value counts as numeric.
            if values:
                categories[number] = tuple(sorted(values))
    return categories


def _numbers(column: "pd.Series", names: tuple[str, ...] | None, location: str) -> np.ndarray:
    """Return a column as float64. If it is nominal, its values `names` become codes."""
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


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(str, names[:_NAMES_SHOWN]))
