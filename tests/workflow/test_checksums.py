"""Damaged results are found when a job reads them, and removed. `make faults` makes them anew."""

import hashlib
import subprocess

import pytest

from beyond_accuracy_pipeline.results.checksums import Checksums, DamagedResult
from beyond_accuracy_pipeline.workflow.verify import verify


@pytest.fixture
def checksums(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, content in {
        "results/a.csv": "1,2\n",
        "results/paper/b.csv": "3,4\n",
        "resources/prepared/x/record.json": "{}",
        "resources/prepared/x/arrays.npz": "arrays",
    }.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    own = Checksums.of({"results": "results", "resources": "resources"})
    own.store(["results/a.csv", "results/paper/b.csv", "resources/prepared/x"])
    return own


ALL = ["results/a.csv", "results/paper/b.csv", "resources/prepared/x"]
FILES = [*ALL[:2], "resources/prepared/x/record.json", "resources/prepared/x/arrays.npz"]


def test_what_is_whole_passes(checksums, tmp_path):
    checksums.check(ALL)
    assert sorted(map(str, checksums.files())) == sorted(FILES)
    (tmp_path / "config.yaml").write_text("a: 1")
    checksums.check(["config.yaml", "results/unknown.csv"])


def test_stored_files_are_those_of_sha256sum(checksums, tmp_path):
    """Checked by the program of that name, and one of them by hand."""
    files = sorted(tmp_path.rglob("*.sha256"))
    lines = "".join(file.read_text() for file in files)
    digest = hashlib.sha256(b"1,2\n").hexdigest()
    assert f"{digest}  results/a.csv\n" in lines
    run = subprocess.run(["sha256sum", "--check", "--quiet"], input=lines, text=True, check=False)
    assert run.returncode == 0


@pytest.mark.parametrize("file", [FILES[0], FILES[-1]])
@pytest.mark.parametrize("damage", ["flip", "truncate", "delete"])
def test_damage_is_named_and_removed(checksums, tmp_path, file, damage):
    path = tmp_path / file
    content = path.read_bytes()
    if damage == "delete":
        path.unlink()
    else:
        path.write_bytes(
            bytes([content[0] ^ 1]) + content[1:] if damage == "flip" else content[:-1]
        )
    result = "resources/prepared/x" if "prepared" in file else file
    assert not checksums.holds(file)
    with pytest.raises(DamagedResult, match=rf"^{result}: damaged .* Run again"):
        checksums.check(ALL)
    assert not (tmp_path / result).exists()
    assert all((tmp_path / other).exists() for other in ALL if other != result)


@pytest.mark.parametrize("result", ["resources/prepared/x", "results/a.csv"])
def test_damage_behind_a_link_ends_with_the_link_removed(checksums, tmp_path, result):
    own, elsewhere = tmp_path / result, tmp_path / "elsewhere"
    own.rename(elsewhere)
    own.symlink_to(elsewhere)
    checksums.check([result])
    damaged = elsewhere / "record.json" if elsewhere.is_dir() else elsewhere
    damaged.write_text("damaged")
    with pytest.raises(DamagedResult, match="removed"):
        checksums.check([result])
    assert not own.is_symlink()
    assert damaged.read_text() == "damaged"


def test_storing_again_forgets_files_that_are_gone(checksums, tmp_path):
    (tmp_path / "resources/prepared/x/arrays.npz").unlink()
    checksums.store(["resources/prepared/x"])
    checksums.check(ALL)


def test_nothing_to_verify_is_no_success(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    assert verify(["empty", "nowhere"]) == 1
    assert "no results of a run below empty, nowhere" in capsys.readouterr().err


def test_all_results_can_be_verified(checksums, tmp_path, capsys):
    nested = Checksums.of({"results": "results/smoke", "resources": "resources"})
    (tmp_path / "results/smoke").mkdir()
    (tmp_path / "results/smoke/c.csv").write_text("5\n")
    nested.store(["results/smoke/c.csv"])
    assert verify(["results", "resources"]) == 0
    assert capsys.readouterr().out == "5 files compared, 0 damaged\n"
    (tmp_path / "results/smoke/c.csv").write_text("6\n")
    (tmp_path / FILES[-1]).unlink()
    assert verify(["results", "resources"]) == 1
    out = capsys.readouterr().out
    assert "results/smoke/c.csv: damaged" in out
    assert f"{FILES[-1]}: damaged" in out
    assert out.endswith("5 files compared, 2 damaged\n")
