"""`beyond-accuracy compare`: which method to use on a file."""

import os
import sys
import textwrap
import webbrowser
from concurrent.futures import BrokenExecutor
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pandas as pd
import scipy.sparse as sp
from tqdm import tqdm

from beyond_accuracy.command_line.errors import FileError, without_file
from beyond_accuracy.command_line.whole_file import write_whole_file
from beyond_accuracy.measures import get_measure
from beyond_accuracy.readers.svmlight_file import check_features
from beyond_accuracy_pipeline.datasets.errors import DataSetError
from beyond_accuracy_pipeline.datasets.own_data import (
    binary_table,
    column_notes,
    describe_file,
    empty_columns,
    listed,
    without_columns,
)
from beyond_accuracy_pipeline.datasets.table import Table
from beyond_accuracy_pipeline.experiments.file_comparison import (
    LABELS,
    N_FOLDS,
    RULES,
    SHARES,
    FoldResult,
    compare_methods,
    methods_for,
    trivial_decisions,
)
from beyond_accuracy_pipeline.reporting.method_choice import (
    COLUMNS,
    Choice,
    choose,
    chosen_parameters,
    comparison_page,
    interval_chart,
    intervals,
    most_warned,
    no_better,
    shown,
)
from beyond_accuracy_pipeline.results.frames import csv_text

_PROTOCOL = (
    f"{N_FOLDS} stratified outer folds; in each training part four candidates a method, compared "
    "on a third of it, then a fit to all of it; thresholds on out-of-fold scores; scaling and "
    "encoding fitted inside each of these parts"
)

_SHOWN = LABELS | {rule: f"Trivial rule, {label}" for rule, (label, _) in RULES.items()}

# Share of all that must be finished before the time left is told.
_TOLD_FROM = 0.05


def compare(arguments) -> int:
    """Compare methods on `arguments.data`, print the table and write the page.

    Returns the exit status. Raises FileError if the data make no binary task, no method can be
    fitted or `arguments.output` is a file.
    """
    output = Path(arguments.output)
    if output.exists() and not output.is_dir():
        raise FileError(output, None, "found a file; name a folder for the page by --output")
    # A name can be any bytes, and stands on the page.
    name = os.fsencode(Path(arguments.data).name).decode("utf-8", errors="replace")
    try:
        content, table = describe_file(
            arguments.data,
            name="compared",
            target=arguments.target,
            drop_columns=arguments.drop,
            positive=arguments.positive,
            nominal=arguments.nominal,
        )
        check_features(arguments.data, table.X)
        empty = empty_columns(table)
        table = without_columns(table, empty)
        notes = column_notes(arguments.data, content, table)
        table = binary_table(table, arguments.positive, f"{arguments.data}: --positive")
    except DataSetError as error:
        raise FileError(arguments.data, None, without_file(arguments.data, error)) from error
    measure = arguments.measure
    n_jobs = arguments.jobs or os.cpu_count() or 1
    try:
        total, results = compare_methods(table, measure.name, seed=arguments.seed, n_jobs=n_jobs)
    except ValueError as error:
        raise FileError(arguments.data, None, str(error)) from error
    output.mkdir(parents=True, exist_ok=True)
    try:
        finished = _with_progress(results, total, arguments.quiet)
    except BrokenExecutor as error:
        found = "a process that fitted was killed, as the system does where memory is short; take"
        raise FileError(arguments.data, None, f"{found} fewer at a time, --jobs 1") from error
    scores = _scores(table, finished, measure.name, arguments.seed)
    known = scores[scores["value"].notna()]
    choice = None if known.empty else _choice(known, measure.name, arguments.target or "the class")
    expected = methods_for(measure.name, table.X)
    failed = [LABELS[name] for name in LABELS if scores.loc[name, "reason"] and not expected[name]]
    if choice is not None and failed:
        choice = choice._replace(
            why=f"{choice.why} Not compared, as fits of them failed: {'; '.join(failed)}."
        )
    readable = shown(scores, _SHOWN, measure.label, RULES)
    facts = _facts(name, table, measure, arguments.seed)
    if empty:
        facts["Left out"] = f"columns without any value: {listed(empty)}"
        notes.append(f"left out, as without any value: {listed(empty)}")
    chart = interval_chart(scores, _SHOWN, measure.label)
    warned = {LABELS[name]: text for name, text in scores["warned"].items() if text}
    page = comparison_page(readable, choice, LABELS, facts, chart, warned)
    write_whole_file(str(output / "index.html"), [page])
    write_whole_file(
        str(output / "scores.csv"), [csv_text(scores.rename_axis("method").reset_index())]
    )
    print("\n".join([facts["Rows"], *notes]), file=sys.stderr)
    print(_left_aligned(readable))
    for label, text in warned.items():
        print(textwrap.fill(f"{label} {text}", 100, initial_indent="\n", break_on_hyphens=False))
    if choice is None:
        raise FileError(arguments.data, None, "no method could be fitted; the table says why")
    if choice.method:
        print(f"\nUse: {LABELS[choice.method]}. {choice.why}\n{choice.threshold}")
    else:
        print(f"\n{choice.why}")
    url = (output / "index.html").resolve().as_uri()
    print(f"The page: {url}", file=sys.stderr)
    if sys.stdout.isatty() if arguments.open is None else arguments.open:
        webbrowser.open(url)
    return 0


def _with_progress(results, total, quiet) -> list[FoldResult]:
    """All results, with a bar that tells the time left from the shares of what has been fitted."""
    so_far = "comparing: {percentage:3.0f}%|{bar}| {elapsed} so far"
    finished = []
    with tqdm(total=total, bar_format=so_far, disable=quiet) as bar:
        for result in results:
            finished.append(result)
            # The first ones' time is mostly that of processes to start.
            if not quiet and bar.n > _TOLD_FROM * total:
                bar.bar_format = so_far + ", about {remaining} left"
            bar.update(SHARES[result.method])
    return finished


def _scores(table: Table, results: list[FoldResult], measure: str, seed: int) -> pd.DataFrame:
    """A row a method: what `intervals` says, seconds of all folds, and the reason of no value.

    After them one of the best trivial rule, if any method has a value.
    """
    by_method: dict[str, list[FoldResult]] = {name: [] for name in LABELS}
    for result in results:
        by_method[result.method].append(result)
    reasons = methods_for(measure, table.X)
    for name, each in by_method.items():
        reasons[name] = next((result.reason for result in each if result.reason), reasons[name])
    fitted = {
        name: [(table.y[result.test] > 0, result.decisions) for result in each]
        for name, each in by_method.items()
        if not reasons[name]
    }
    frame = pd.DataFrame(index=list(LABELS), columns=list(COLUMNS))
    if fitted:
        tests = [result.test for result in by_method[next(iter(fitted))]]
        rule = _best_rule(table, tests, measure, seed)
        frame = intervals(fitted, measure, seed, rule).reindex([*LABELS, *rule])
    results = {name: by_method[name] if name in fitted else [] for name in frame.index}
    # Rules take none.
    frame["seconds"] = [
        np.nan if reasons.get(name) else sum(result.seconds for result in each)
        for name, each in results.items()
    ]
    frame["reason"] = [reasons.get(name, "") for name in results]
    frame["parameters"] = [
        chosen_parameters([result.parameters for result in each]) for each in results.values()
    ]
    frame["warned"] = [most_warned([fit.warnings for fit in each]) for each in results.values()]
    return frame


def _best_rule(
    table: Table, tests: list[np.ndarray], measure: str, seed: int
) -> dict[str, list[tuple[np.ndarray, np.ndarray]]]:
    """The trivial rule of the highest measure, with what it says of each fold."""
    folds = {
        name: [(table.y[test] > 0, decisions[test]) for test in tests]
        for name, decisions in trivial_decisions(measure, len(table), seed).items()
    }
    score = get_measure(measure).score
    best = max(folds, key=lambda name: sum(score(*fold) for fold in folds[name]))
    return {best: folds[best]}


def _choice(known: pd.DataFrame, measure: str, target: str) -> Choice:
    """What to use, or that nothing is better than the trivial rule, the row after the methods."""
    rule = known.index[-1]
    trivial = no_better(known.loc[rule], RULES[rule][1], measure, target)
    return trivial or choose(known.drop(index=rule), LABELS, measure)


def _left_aligned(table: pd.DataFrame) -> str:
    """The table as text, the first and the last column on the left."""
    for heading in (table.columns[0], table.columns[-1]):
        width = max(map(len, [heading, *table[heading]]))
        table = table.assign(**{heading: table[heading].str.ljust(width)})
        table = table.rename(columns={heading: heading.ljust(width)})
    lines = table.to_string(index=False).splitlines()
    return "\n".join(line.rstrip() for line in lines)


def _facts(name, table, measure, seed) -> dict[str, str]:
    n_positive = int((table.y > 0).sum())
    negative, positive = table.class_names
    return {
        "Data": name,
        "Rows": f"{len(table):,}, of which {n_positive:,} positive ({positive}, not {negative})",
        "Columns": f"{table.X.shape[1]:,}, of which {len(table.categories)} nominal",
        "Missing values": _missing(table),
        "Measure": measure.label,
        "Protocol": _PROTOCOL,
        "Seed": str(seed),
        "Made": datetime.now(UTC).strftime("%Y-%m-%d"),
    }


def _missing(table) -> str:
    if sp.issparse(table.X):
        return "none: what is not stored is 0"
    absent = np.isnan(table.X)
    if not absent.any():
        return "none"
    n_columns = absent.any(axis=0).sum()
    columns = "1 column" if n_columns == 1 else f"{n_columns:,} columns"
    return (
        f"{absent.sum():,} in {columns}: gradient boosting takes them as they are, the others the "
        "median or most frequent value of the training part"
    )
