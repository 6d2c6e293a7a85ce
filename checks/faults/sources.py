"""Data sets whose source fails in every way, and then can be reached again."""

import csv
import hashlib
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path

import yaml

from checks.faults.outcome import IDENTICAL, LOST, NAMED, Outcome, Stage
from checks.faults.server import ANSWERS, Answer, served
from checks.run import Run, differences

_NAME = "served"
_LIST = "data_sets.csv"


def body() -> bytes:
    """Return a small file of data: two classes, 200 rows, the same each time."""
    rng = random.Random(0)
    rows = [[rng.gauss(label, 1) for _ in range(3)] + [label] for label in [0, 1] * 100]
    return "".join(",".join(f"{value:.6g}" for value in row) + "\n" for row in rows).encode()


def _entry(source: dict) -> dict:
    return {
        "name": _NAME,
        "title": "A file that a check serves",
        "task": "binary",
        "sources": [source],
        "files": {"data": {"sha256": [hashlib.sha256(body()).hexdigest()]}},
        "parser": {"kind": "delimited", "delimiter": ",", "class_column": -1},
        "positive": {"classes": ["1"]},
        "split": {"kind": "sample", "n_train": 100, "n_test": 100, "stratified": True},
        "shape": {"n_train": 100, "n_test": 100, "n_features": 3},
        "citation": "none",
        "licence": "none",
    }


def _prepare(run: Run, **options) -> tuple[bool, str, dict[str, bytes]]:
    """Run up to the list of data sets; return success, output, and the bytes of the data set."""
    target = f"{run.settings()['results']}/{_LIST}"
    succeeded, output = run(target, **options)
    contents = run.contents()
    own = {name: content for name, content in contents.items() if f"/{_NAME}/" in name}
    return succeeded, output, own


def _configured(stage: Stage, folder: Path, source: dict) -> Run:
    run = stage.run.copy(folder)
    text = yaml.safe_dump(_entry(source), sort_keys=False)
    (run.folder / f"config/datasets/{_NAME}.yaml").write_text(text, encoding="utf-8")
    overlay = run.folder / run.configfiles[-1]
    settings = yaml.safe_load(overlay.read_text(encoding="utf-8"))
    paper = settings["papers"][0]
    settings[paper]["data_sets"] = [_NAME]
    overlay.write_text(yaml.safe_dump(settings, sort_keys=False), encoding="utf-8")
    return run


def failing_server(
    stage: Stage, folder: Path, rng: random.Random, answer: Answer | None
) -> Outcome:
    """Let the only source fail in one way (None: refuse), then mend it and run once more."""
    with served(body()) as source:
        address = f"http://127.0.0.1:{source.port}/data.csv"
        entry = {"kind": "url", "files": {"data": [address]}}
        run = _configured(stage, folder / "run", entry)
        reference = _configured(stage, folder / "reference", entry)
        _, output, expected = _prepare(reference)
        if not expected:
            return Outcome(LOST, f"the undisturbed run made nothing: {output[-1500:]}")
        if answer is not None:
            source.answer = answer
            outcome = _disturbed(run, address)
    if answer is None:
        outcome = _disturbed(run, address)
    with served(body(), source.port):
        return outcome if outcome.kind == LOST else _mended(run, expected, outcome)


def failing_mirror(
    stage: Stage, folder: Path, rng: random.Random, content: Callable[[bytes], bytes] | None
) -> Outcome:
    """Put something else in place of a mirror's file (None: nothing), then mend it."""
    mirror = folder / "mirror"
    mirror.mkdir(parents=True)
    entry = {"kind": "mirror", "files": {"data": "data.csv"}}
    variables = {"BEYOND_ACCURACY_MIRROR": str(mirror)}
    file = mirror / "data.csv"
    file.write_bytes(body())
    reference = _configured(stage, folder / "reference", entry)
    _, _, expected = _prepare(reference, environment=variables)
    run = _configured(stage, folder / "run", entry)
    if content is None:
        file.unlink()
    else:
        file.write_bytes(content(body()))
    outcome = _disturbed(run, "data.csv", environment=variables)
    file.write_bytes(body())
    if outcome.kind == LOST:
        return outcome
    return _mended(run, expected, outcome, environment=variables)


def _disturbed(run: Run, culprit: str, **options) -> Outcome:
    """Run without the source: it has to be named, in the list of data sets or in the error."""
    succeeded, output, own = _prepare(run, **options)
    if culprit not in output:
        return Outcome(LOST, f"{culprit} is not named: {output[-1500:]}")
    if not succeeded:
        return Outcome(NAMED, "an error names the source")
    with (run.results / _LIST).open(encoding="utf-8", newline="") as stream:
        (row,) = (row for row in csv.DictReader(stream) if row["data_set"] == _NAME)
    if row["status"] != "unavailable" or any(name.endswith(".npz") for name in own):
        return Outcome(LOST, f"its status is {row['status']}")
    return Outcome(NAMED, "the data set is marked as unavailable")


def _mended(run: Run, expected: dict[str, bytes], outcome: Outcome, **options) -> Outcome:
    succeeded, output, own = _prepare(run, **options)
    different = differences(expected, own)
    if succeeded and not different:
        return Outcome(IDENTICAL, f"{outcome.detail}; with the source, the same bytes")
    return Outcome(LOST, f"not made anew: {different[:5]} {output[-1500:]}")


KINDS = {
    "a server that refuses": partial(failing_server, answer=None),
    **{name: partial(failing_server, answer=answer) for name, answer in ANSWERS.items()},
    "a mirror without the file": partial(failing_mirror, content=None),
    "a mirror with a file cut short": partial(failing_mirror, content=lambda body: body[:-100]),
    "a mirror with an empty file": partial(failing_mirror, content=lambda body: b""),
    "a mirror with other bytes": partial(failing_mirror, content=lambda body: body[::-1]),
}
