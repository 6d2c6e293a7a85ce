"""Split data sets into training and test part, and make multi-class data binary."""

import hashlib
from dataclasses import replace

import numpy as np

from beyond_accuracy_pipeline.datasets.entry import Entry
from beyond_accuracy_pipeline.datasets.errors import DataSetError
from beyond_accuracy_pipeline.datasets.problems import suggestion
from beyond_accuracy_pipeline.datasets.steps import PositiveRule, SampleSplit
from beyond_accuracy_pipeline.datasets.table import Table

_NAMES_SHOWN = 30


def random_stream(seed: int, *names: str) -> np.random.Generator:
    """Return a NumPy random generator that depends only on `seed` and the texts `names`."""
    words = np.frombuffer(hashlib.sha256("\0".join(names).encode()).digest(), dtype="<u4")
    return np.random.default_rng(np.random.SeedSequence([seed, *words.tolist()]))


def split_parts(
    entry: Entry, parts: dict[str, Table], rng: np.random.Generator
) -> dict[str, Table]:
    """Split the rows of a data set into a training and a test part, as its entry defines.

    If the files are split already, `parts` is {"train": table, "test": table}, which is returned.
    Otherwise it is {"data": table}, and rows are drawn with `rng`. If the entry defines no test
    part, return {"train": table} with all rows.
    """
    if entry.split.kind == "given":
        return parts
    data = parts["data"]
    if entry.split.kind == "none":
        return {"train": data}
    train, test = sample_rows(entry.split, data.y, rng, entry.name)
    return {"train": data.rows(train), "test": data.rows(test)}


def sample_rows(
    split: SampleSplit, y: np.ndarray, rng: np.random.Generator, name: str
) -> tuple[np.ndarray, np.ndarray]:
    """Draw training and test rows at random without replacement; return their sorted indices.

    `split` has the sizes. `y` has the class of each row, for a stratified split. `name` names the
    data set in messages.
    """
    # Its import takes long.
    from sklearn.model_selection import train_test_split

    n_rows = min(len(y), split.last_row or len(y))
    n_train = split.n_train or round(split.train_fraction * n_rows)
    n_test = split.n_test or n_rows - n_train
    state = int(rng.integers(2**32))
    options = {"train_size": n_train, "test_size": n_test, "random_state": state}
    stratify = y[:n_rows] if split.stratified else None
    try:
        train, test = train_test_split(np.arange(n_rows), stratify=stratify, **options)
    except ValueError as error:
        sizes = f"{n_train} training and {n_test} test rows cannot be drawn from {n_rows}"
        raise DataSetError(f"data set {name}: {sizes}: {error}") from error
    return np.sort(train), np.sort(test)


def binary_parts(rule: PositiveRule | None, parts: dict[str, Table], name: str) -> dict[str, Table]:
    """Make a multi-class data set binary: replace the classes by labels −1 and +1, int8.

    `parts` maps the part, such as "train", to its table. `rule` says which classes are positive.
    Without a rule, the second of two classes is. In the result, ``class_names`` is (negative,
    positive). `name` names the data set in messages.
    """
    train = parts["train"]
    names = train.class_names
    if rule is None:
        positive = names[1:]
    elif rule.smallest_class:
        positive = (names[np.argmin(np.bincount(train.y, minlength=len(names)))],)
    else:
        positive = tuple(name for name in rule.classes if name in names)
    absent = sorted(set(rule.classes or ()) - set(names)) if rule else []
    if absent:
        valid = f"found {absent[0]!r}; {suggestion(absent[0], names, _NAMES_SHOWN)}"
        raise DataSetError(f"data set {name}: positive: {valid}")
    if len(positive) == len(names) or (rule is None and len(names) != 2):
        raise DataSetError(
            f"data set {name}: positive: valid are one or more, but not all, of the {len(names)} "
            f"classes {', '.join(names[:_NAMES_SHOWN])}"
        )
    class_names = "+".join(name for name in names if name not in positive), "+".join(positive)
    codes = [names.index(name) for name in positive]

    def binary(part: Table) -> Table:
        y = np.where(np.isin(part.y, codes), 1, -1).astype(np.int8)
        return replace(part, y=y, class_names=class_names)

    return {role: binary(part) for role, part in parts.items()}
