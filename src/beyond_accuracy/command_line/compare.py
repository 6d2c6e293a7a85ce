"""The command `beyond-accuracy compare`: find out which classifier suits a data file."""

import importlib
import os
import sys
import warnings
import webbrowser
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from beyond_accuracy import comparison
from beyond_accuracy.command_line.progress import Progress
from beyond_accuracy.command_line.whole_file import write_whole_file
from beyond_accuracy.comparison.defaults import with_preprocessing
from beyond_accuracy.comparison.page import shown_table
from beyond_accuracy.readers.column_checks import listed
from beyond_accuracy.readers.errors import FileError
from beyond_accuracy.readers.tables import UserTable, read_table


def compare(arguments) -> int:
    """Run `beyond-accuracy compare`: compare classifiers on the data in a file.

    Prints the result, writes the HTML page and the table of scores, and returns the exit status.
    """
    output = Path(arguments.output)
    if output.exists() and not output.is_dir():
        raise FileError(output, None, "found a file; name a folder for the page by --output")
    cost_columns = [each for each in arguments.costs or () if isinstance(each, str)]
    only_costs = [name for name in cost_columns if name in arguments.drop]
    drop = [name for name in arguments.drop if name not in only_costs]
    keep = [*arguments.keep, *cost_columns]
    options = {"drop": drop, "nominal": arguments.nominal, "keep": keep}
    table = read_table(arguments.data, arguments.target, **options)
    costs = arguments.costs and _costs(arguments, table)
    X = table.X.drop(columns=only_costs) if only_costs else table.X
    names = [path.rpartition(".")[2] for path in arguments.estimator]
    estimators = {
        path if names.count(name) > 1 else name: load_estimator(path, X)
        for name, path in zip(names, arguments.estimator, strict=True)
    }
    y, positive = _binary(arguments, table)
    progress = Progress(sys.stderr, arguments.quiet)
    try:
        with _without_output(), warnings.catch_warnings(record=True) as caught:
            found = comparison.compare(
                estimators or None,
                X,
                y,
                measures=arguments.measure,
                costs=costs,
                keep=keep,
                pos_label=positive,
                random_state=arguments.seed,
                n_jobs=arguments.jobs or os.cpu_count() or 1,
                progress=lambda done, total: progress.show(f"comparing: {done} of {total} fits"),
            )
    except ValueError as error:
        raise FileError(arguments.data, None, str(error)) from error
    except BrokenExecutor as error:
        killed = "a process that fitted was killed, as the system does where memory is short; take"
        raise FileError(arguments.data, None, f"{killed} fewer at a time, --jobs 1") from error
    finally:
        progress.close()
    notes = [*table.notes, *(f"left out {name!r}: {why}" for name, why in table.left_out.items())]
    notes += [f"left out {name!r}: dropped, but for costs" for name in only_costs]
    notes += [str(warning.message) for warning in caught]
    if not arguments.positive:
        last = f"the last of {listed(table.classes)}"
        notes.insert(0, f"the positive class is {positive!r}, {last}; choose another by --positive")
    output.mkdir(parents=True, exist_ok=True)
    title = f"Which classifier for {Path(arguments.data).name}?"
    found.to_html(output / "index.html", title=title, notes=notes)
    write_whole_file(str(output / "scores.csv"), [found.table.to_csv(index=False)])
    print("\n".join([found.facts["Rows"], *notes]), file=sys.stderr)
    print(shown_table(found.table).drop(columns="Chosen").to_string(index=False))
    print("\n" + "\n".join(found.recommendation.values()))
    if found.table["value"].isna().all():
        reasons = "; ".join(found.table["reason"].unique())
        raise FileError(arguments.data, None, f"no method could be fitted: {reasons}")
    url = (output / "index.html").resolve().as_uri()
    print(f"The page: {url}", file=sys.stderr)
    if sys.stdout.isatty() if arguments.open is None else arguments.open:
        webbrowser.open(url)
    return 0


@contextmanager
def _without_output() -> Iterator[None]:
    """Discard what classifiers such as LightGBM print about their fits, also in other processes."""
    sys.stdout.flush()
    output, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        yield
    finally:
        sys.stdout.flush()
        os.dup2(output, 1)
        os.close(output)
        os.close(nowhere)


def load_estimator(path: str, X):
    """Import a classifier by its path, such as "sklearn.linear_model.LogisticRegression".

    Return a pipeline of preprocessing that suits X and the classifier with default parameters.
    Raises FileError if the path is wrong.
    """
    module, _, name = path.rpartition(".")
    try:
        if not module:
            raise ValueError("found no module")
        found = getattr(importlib.import_module(module), name)
        if not isinstance(found, type):
            raise TypeError(f"found {found!r}, which is no class")
        estimator = found()
        # Fits run in parallel, and threads of their own would wait for each other. scikit-learn's
        # default is one thread.
        if "n_jobs" in estimator.get_params() and not module.startswith("sklearn."):
            estimator.set_params(n_jobs=1)
        return with_preprocessing(X, estimator)
    except (ImportError, AttributeError, ValueError, TypeError) as error:
        valid = "the import path of a classifier, such as sklearn.linear_model.LogisticRegression"
        raise FileError(f"--estimator {path}", None, f"{error}; valid is {valid}") from error


def _costs(arguments, table: UserTable) -> np.ndarray:
    """Return the costs of the two kinds of errors as an array [true, predicted].

    If a cost is given by a column, the array is [row, true, predicted].
    """
    false_positive, false_negative = (
        _cost_column(arguments.data, table, each) if isinstance(each, str) else each
        for each in arguments.costs
    )
    costs = np.zeros((*np.shape(false_positive + false_negative), 2, 2))
    costs[..., 0, 1], costs[..., 1, 0] = false_positive, false_negative
    return costs


def _cost_column(path, table, name) -> np.ndarray:
    numbers = list(table.X.select_dtypes("number"))
    if name not in numbers:
        valid = f"valid are numbers above 0 and numeric columns: {listed(numbers)}"
        raise FileError(path, None, f"--costs: found {name!r}; {valid}")
    if n_missing := table.X[name].isna().sum():
        message = f"--costs {name}: found {n_missing} rows without a cost; fill or remove them"
        raise FileError(path, None, message)
    if n_negative := (table.X[name] < 0).sum():
        least = f"as low as {table.X[name].min():g}; valid are numbers from 0"
        message = f"--costs {name}: found {n_negative} rows with a cost below 0, {least}"
        raise FileError(path, None, message)
    return table.X[name].to_numpy()


def _binary(arguments, table: UserTable) -> tuple[np.ndarray, str]:
    """Return (y, positive class); several positive classes are merged into one."""
    classes, positive = table.classes, arguments.positive
    message = None
    if absent := sorted(set(positive) - set(classes)):
        message = f"positive: found no class {absent[0]!r}; valid: {listed(classes)}"
    elif set(positive) == set(classes):
        message = "positive: found all classes; valid is to leave some out"
    elif not positive and len(classes) > 2:
        message = (
            f"found the {len(classes)} classes {listed(classes)}; two are compared: say by "
            "--positive which are positive, against all others"
        )
    if message:
        raise FileError(arguments.data, None, message)
    if len(classes) == 2:
        return table.y, (positive or classes[-1:])[0]
    label = " or ".join(positive)
    return np.where(np.isin(table.y, positive), label, "other"), label
