"""Data sets whose source fails in every way, and then can be reached again."""

import csv
import hashlib
import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import yaml

from checks.faults.outcome import IDENTICAL, LOST, NAMED, Outcome, Stage
from checks.faults.server import ANSWERS, Answer, Source, served
from checks.run import Run, differences

_NAME = "served"
_LIST = "data_sets.csv"


_DESCRIPTION = """<oml:data_set_description xmlns:oml="http://openml.org/openml">
<oml:id>7</oml:id><oml:name>served</oml:name><oml:version>1</oml:version>
<oml:description>none</oml:description><oml:format>ARFF</oml:format><oml:file_id>70</oml:file_id>
<oml:url>{address}{path}</oml:url><oml:default_target_attribute>y</oml:default_target_attribute>
<oml:md5_checksum>{md5}</oml:md5_checksum></oml:data_set_description>
"""
_DESCRIBED, _ARFF = "/api/v1/xml/data/7", "/data/download/70/served.arff"
_SERVER_VARIABLE = "BEYOND_ACCURACY_OPENML_SERVER"


def body() -> bytes:
    """Return a small file of data: two classes, 200 rows, the same each time."""
    rng = random.Random(0)
    rows = [[rng.gauss(label, 1) for _ in range(3)] + [label] for label in [0, 1] * 100]
    return "".join(",".join(f"{value:.6g}" for value in row) + "\n" for row in rows).encode()


def _arff() -> bytes:
    attributes = "".join(f"@attribute x{number} real\n" for number in range(3))
    return f"@relation served\n{attributes}@attribute y {{0,1}}\n@data\n".encode() + body()


def _entry(source: dict) -> dict:
    openml = source["kind"] == "openml"
    content = _arff() if openml else body()
    table = {"parser": {"kind": "delimited", "delimiter": ",", "class_column": -1}}
    return {
        "name": _NAME,
        "title": "A file that a check serves",
        "task": "binary",
        "sources": [source],
        "files": {"data": {"sha256": [hashlib.sha256(content).hexdigest()]}},
        **({"parser": {"kind": "arff"}, "target": "y"} if openml else table),
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


def _serve_file(source: Source) -> tuple[dict, dict[str, str], list[str]]:
    """Let a server have the file; return the catalogue's source, variables, and names of it."""
    source.files["/data.csv"] = body()
    address = f"{source.address}/data.csv"
    return {"kind": "url", "files": {"data": [address]}}, {}, [address]


def _serve_openml(source: Source) -> tuple[dict, dict[str, str], list[str]]:
    """Likewise for a server that speaks OpenML's protocol."""
    arff = _arff()
    md5 = hashlib.md5(arff, usedforsecurity=False).hexdigest()
    description = _DESCRIPTION.format(address=source.address, path=_ARFF, md5=md5)
    source.files |= {_DESCRIBED: description.encode(), _ARFF: arff}
    address = f"{source.address}/api/v1/xml"
    return {"kind": "openml", "id": 7}, {_SERVER_VARIABLE: address}, [address, "openml data set 7"]


def failing_server(
    stage: Stage,
    folder: Path,
    rng: random.Random,
    answer: Answer | None,
    serve: Callable[[Source], tuple[dict, dict[str, str], list[str]]],
) -> Outcome:
    """Let the only source fail in one way (None: refuse), then mend it and run once more.

    Of a server with several files, one of them fails.
    """
    with served() as source:
        entry, variables, names = serve(source)
        run = _configured(stage, folder / "run", entry)
        reference = _configured(stage, folder / "reference", entry)
        _, output, expected = _prepare(reference, environment=variables)
        if not _arrays(expected):
            return Outcome(LOST, f"the undisturbed run made nothing: {output[-1500:]}")
        if answer is not None:
            source.answer, source.failing = answer, rng.choice(sorted(source.files))
            outcome = _disturbed(run, names, environment=variables)
    if answer is None:
        outcome = _disturbed(run, names, environment=variables)
    with served(source.port) as mended:
        serve(mended)
        if outcome.kind == LOST:
            return Outcome(LOST, f"{source.failing}: {outcome.detail}")
        return _mended(run, expected, outcome, environment=variables)


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
    outcome = _disturbed(
        run,
        ["data.csv: wrong checksum", "mirror data.csv: there is no such file"],
        environment=variables,
    )
    file.write_bytes(body())
    if outcome.kind == LOST:
        return outcome
    return _mended(run, expected, outcome, environment=variables)


def _disturbed(run: Run, culprits: Sequence[str], **options) -> Outcome:
    """Run without the source: one of its names must be told, as data not at hand or in an error."""
    succeeded, output, own = _prepare(run, **options)
    if not any(culprit in output for culprit in culprits) or "Traceback" in output:
        return Outcome(LOST, f"{culprits} is not named, or in a traceback: {output[-1500:]}")
    if not succeeded:
        return Outcome(NAMED, "an error names the source")
    with (run.results / _LIST).open(encoding="utf-8", newline="") as stream:
        (row,) = (row for row in csv.DictReader(stream) if row["data_set"] == _NAME)
    if row["status"] not in ("unavailable", "faulty") or _arrays(own):
        return Outcome(LOST, f"its status is {row['status']}")
    return Outcome(NAMED, f"the data set is marked as {row['status']}")


def _arrays(contents: Mapping[str, bytes]) -> list[str]:
    return [name for name in contents if name.endswith(".npz")]


def _mended(run: Run, expected: dict[str, bytes], outcome: Outcome, **options) -> Outcome:
    succeeded, output, own = _prepare(run, **options)
    different = differences(expected, own)
    if succeeded and not different:
        return Outcome(IDENTICAL, f"{outcome.detail}; with the source, the same bytes")
    return Outcome(LOST, f"not made anew: {different[:5]} {output[-1500:]}")


KINDS = {
    f"{server} that {how}": partial(failing_server, answer=answer, serve=serve)
    for server, serve in {"a server": _serve_file, "OpenML": _serve_openml}.items()
    for how, answer in {"refuses": None, **ANSWERS}.items()
} | {
    "a mirror without the file": partial(failing_mirror, content=None),
    "a mirror with a file cut short": partial(failing_mirror, content=lambda body: body[:-100]),
    "a mirror with an empty file": partial(failing_mirror, content=lambda body: b""),
    "a mirror with other bytes": partial(failing_mirror, content=lambda body: body[::-1]),
}
