"""Earlier results outlive failures: of the body, of the disk, and of a script never reached."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from beyond_accuracy.pipeline import last_complete
from beyond_accuracy.pipeline.last_complete import JobOutputs, put_back_missing

TODAY = 1_000_000_000
OUTPUTS = ["results/a/scores.npz", "results/b/fits.parquet", "resources/prepared/digits"]
FOLDER = OUTPUTS[-1]
FOLDERS = ["results", "resources"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def delete_outputs():
    """Do what Snakemake does before a job."""
    for output in map(Path, OUTPUTS):
        last_complete._remove(output)
        output.parent.mkdir(parents=True, exist_ok=True)


def write(new, text, outputs=OUTPUTS):
    for output in outputs:
        file = new(output) / "arrays.npz" if output == FOLDER else new(output)
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"{text} of {output}")


def run(text, fails=None, written=OUTPUTS):
    """Run a job that writes `text` to its outputs, and then fails with an error."""
    delete_outputs()
    outputs = JobOutputs(OUTPUTS, FOLDERS)
    with outputs.replaced():
        write(outputs.new, text, written)
        if fails:
            raise fails


def contents():
    files = [Path(output) / "arrays.npz" if output == FOLDER else Path(output)
             for output in OUTPUTS]  # fmt: skip
    assert {path for path in Path().rglob("*") if path.is_file() and not hidden(path)} <= set(files)
    return {str(file): file.read_text() for file in files if file.exists()}


def hidden(path):
    return any(part.startswith(".") for part in path.parts)


def repeated(output):
    """Whether an output is older than any script, so that Snakemake does its job again."""
    return os.stat(output).st_mtime < TODAY


def test_new_outputs_replace_earlier_ones():
    run("first")
    first = contents()
    assert len(first) == len(OUTPUTS)
    assert all(text.startswith("first of") for text in first.values())
    run("second")
    assert contents() == {file: text.replace("first", "second") for file, text in first.items()}
    assert not any(map(repeated, OUTPUTS))


@pytest.mark.parametrize("error", [ValueError("bad input"), KeyboardInterrupt(), SystemExit(1)])
@pytest.mark.parametrize("written", [OUTPUTS, OUTPUTS[:1], []])
def test_a_failure_leaves_earlier_outputs_and_a_sign_for_snakemake(error, written):
    run("first")
    first = contents()
    for _ in range(2):
        with pytest.raises(type(error)):
            run("second", fails=error, written=written)
        assert contents() == first
        assert all(map(repeated, OUTPUTS))
        assert not [path for path in Path().glob("*/.unfinished/**/*") if path.is_file()]
    run("third")
    assert contents() == {file: text.replace("first", "third") for file, text in first.items()}
    assert not any(map(repeated, OUTPUTS))


def test_a_first_run_that_fails_leaves_nothing():
    with pytest.raises(ValueError, match="bad"):
        run("first", fails=ValueError("bad"))
    assert contents() == {}


def test_a_killed_job_has_left_its_earlier_outputs():
    run("first")
    first = contents()
    delete_outputs()
    body = (
        "import os, signal",
        "from beyond_accuracy.pipeline.last_complete import JobOutputs",
        f"outputs = JobOutputs({OUTPUTS[:1]!r}, {FOLDERS!r})",
        "with outputs.replaced():",
        f"    outputs.new({OUTPUTS[0]!r}).write_text('half')",
        "    os.kill(os.getpid(), signal.SIGKILL)",
    )
    finished = subprocess.run([sys.executable, "-c", "\n".join(body)], check=False)
    assert finished.returncode == -signal.SIGKILL
    assert contents() == {OUTPUTS[0]: first[OUTPUTS[0]]}
    assert repeated(OUTPUTS[0])


def test_what_a_killed_job_had_begun_is_not_taken_for_new():
    run("first")
    outputs = JobOutputs(OUTPUTS, FOLDERS)
    write(outputs.new, "half")
    with pytest.raises(FileNotFoundError, match=r"fits\.parquet"):
        run("second", written=OUTPUTS[:1])
    assert all(text.startswith("first of") for text in contents().values())


def test_a_full_disk_leaves_earlier_outputs(monkeypatch):
    run("first")
    first = contents()
    room = iter(range(len(OUTPUTS) + 1))
    real = last_complete._link_file

    def link(source, target):
        if next(room, None) is None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(target))
        return real(source, target)

    monkeypatch.setattr(last_complete, "_link_file", link)
    with pytest.raises(OSError, match="No space left"):
        run("second")
    assert contents() == first
    assert all(map(repeated, OUTPUTS))


def test_file_systems_without_hard_links_get_copies(monkeypatch):
    def link(source, target):
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM), str(target))

    monkeypatch.setattr(os, "link", link)
    test_a_failure_leaves_earlier_outputs_and_a_sign_for_snakemake(ValueError("bad"), OUTPUTS)


def test_outputs_of_a_script_that_was_never_reached_come_back():
    run("first")
    first = contents()
    delete_outputs()
    assert contents() == {}
    put_back_missing(FOLDERS)
    assert contents() == first
    assert all(map(repeated, OUTPUTS))


def test_only_what_is_missing_is_put_back():
    run("first")
    Path(OUTPUTS[0]).unlink()
    put_back_missing([*FOLDERS, "absent"])
    assert [repeated(output) for output in OUTPUTS] == [True, False, False]


def test_outputs_of_one_folder_are_written_to_one_folder():
    svg, png = "results/figures/figure1.svg", "results/figures/figure1.png"
    new = JobOutputs([svg, png], FOLDERS).new
    assert new(svg).parent == new(png).parent
    assert new(svg).name == "figure1.svg"


def test_folder_of_results_below_another_counts_first():
    outputs = JobOutputs(["results/smoke/a.csv"], ["results/smoke", "results"])
    assert outputs.new("results/smoke/a.csv") == Path("results/smoke/.unfinished/a.csv")


def test_outputs_elsewhere_are_refused():
    with pytest.raises(ValueError, match=r"elsewhere/a\.csv.*results or resources"):
        JobOutputs(["elsewhere/a.csv"], FOLDERS)
    with pytest.raises(KeyError):
        JobOutputs([], FOLDERS).new("results/a.csv")
