"""Training and test part, and the rule that makes a multi-class set binary."""

import hashlib
from dataclasses import replace

import numpy as np

from beyond_accuracy_pipeline.datasets.entry import Entry
from beyond_accuracy_pipeline.datasets.errors import DataSetError
from beyond_accuracy_pipeline.datasets.steps import GivenSplit, NoSplit, PositiveRule, SampleSplit
from beyond_accuracy_pipeline.datasets.table import Table


def random_stream(seed: int, *names: str) -> np.random.Generator:
    """A generator that depends on the seed and the names alone."""
    words = np.frombuffer(hashlib.sha256("\0".join(names).encode()).digest(), dtype="<u4")
    return np.random.default_rng(np.random.SeedSequence([seed, *words.tolist()]))


def split_parts(
    entry: Entry, parts: dict[str, Table], rng: np.random.Generator
) -> dict[str, Table]:
    """Parts ``train`` and, if ``entry.split`` makes one, ``test``. Rows keep their order."""
    match entry.split:
        case GivenSplit():
            return parts
        case NoSplit():
            return {"train": parts["data"]}
        case SampleSplit():
            train, test = sampled_rows(entry.split, parts["data"].y, rng, entry.name)
            return {"train": parts["data"].rows(train), "test": parts["data"].rows(test)}


def sampled_rows(
    split: SampleSplit, y: np.ndarray, rng: np.random.Generator, name: str
) -> tuple[np.ndarray, np.ndarray]:
    """Indices of the training and of the test rows, drawn without replacement, each sorted.

    Raises DataSetError where there are too few rows, or too few of a class to stratify.
    """
    n_rows = min(len(y), split.last_row or len(y))
    n_train = split.n_train or round(split.train_fraction * n_rows)
    n_test = split.n_test or n_rows - n_train
    from sklearn.model_selection import train_test_split

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
    """All parts with int8 labels -1 and +1; ``class_names`` becomes (negative, positive).

    Without a rule the set must have two classes, of which the second is positive. Raises
    DataSetError where a positive class does not exist.
    """
    train = parts["train"]
    names = train.class_names
    if rule is None and len(names) != 2:
        raise DataSetError(
            f"data set {name}: found {len(names)} classes and no `positive` rule; valid for a "
            "binary task are two classes, or a rule that says which are positive"
        )
    if rule is None:
        positive = [1]
    elif rule.smallest_class:
        positive = [int(np.argmin(np.bincount(train.y, minlength=len(names))))]
    else:
        absent = sorted(set(rule.classes) - set(names))
        if absent:
            raise DataSetError(
                f"data set {name}: positive.classes: found {', '.join(absent)}; valid classes are "
                f"{', '.join(names)}"
            )
        positive = [names.index(label) for label in rule.classes]
        if len(set(positive)) == len(names):
            raise DataSetError(
                f"data set {name}: positive.classes: found all {len(names)} classes; valid is a "
                "part of them"
            )
    negative = [code for code in range(len(names)) if code not in positive]
    spelled = tuple("+".join(names[code] for code in codes) for codes in (negative, positive))

    def relabelled(part: Table) -> Table:
        y = np.where(np.isin(part.y, positive), 1, -1).astype(np.int8)
        return replace(part, y=y, class_names=spelled)

    return {role: relabelled(part) for role, part in parts.items()}
