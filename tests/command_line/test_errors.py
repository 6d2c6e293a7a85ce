import bz2
import gzip
import lzma
import os
import stat
from pathlib import Path

import pytest

GOOD = "1 1:1 2:0.5\n-1 2:1\n1 1:2\n-1 3:1\n"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (GOOD + "1 nothing\n", 5, "'1 nothing'"),
        ("# comment\n\n" + GOOD + "yes 1:1\n", 7, "'yes 1:1'"),
        (GOOD + "1 2:1 1:1\n", 5, "sorted and unique"),
        (GOOD + "1 0:1\n", 5, "index"),
        (GOOD + f"1 {2**70}:1\n", 5, str(2**70)),
        ("# comment\n" + GOOD + "1 1:nan\n" + GOOD, 6, "NaN or infinite"),
        (GOOD + "inf 1:1\n", 5, "NaN or infinite"),
        (GOOD * 700 + "1 x:1\n" + GOOD, 2801, "'1 x:1'"),
        (GOOD + "\n2 1:1\n", 6, "third label 2"),
        ("1 1:1\n1 1:2\n", None, "every label is 1"),
        ("# nothing\n", None, "holds no example"),
        ("", None, "holds no example"),
    ],
)
def test_bad_training_data_is_named_with_its_line(run, write, tmp_path, text, line, said):
    path = write(text)
    status, out, err = run("train", path, tmp_path / "model.json")
    assert (status, out) == (1, "")
    place = f"{path}:{line}" if line else f"{path}"
    assert err.startswith(f"beyond-accuracy: {place}: ")
    assert said in err
    assert not (tmp_path / "model.json").exists()


def test_k_beyond_the_data_is_an_error_of_the_file(run, write, tmp_path):
    path = write(GOOD)
    status, _, err = run("train", "--measure", "precision_at_9", path, tmp_path / "model.json")
    assert status == 1
    assert err.startswith(f"beyond-accuracy: {path}: k = 9")


def test_labels_that_the_model_does_not_know(run, write, train_file, tmp_path):
    run("train", train_file, tmp_path / "model.json")
    path = write("1 1:1\n# remark\n2 1:1\n")
    status, out, err = run("predict", path, tmp_path / "model.json")
    assert (status, out) == (1, "")
    assert f"{path}:3: found label 2; the model knows -1 and 1" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "required"),
        (["train", "-C", "0", "a", "b"], "a number above 0, found '0'"),
        (["train", "--tol", "nan", "a", "b"], "expected a number above 0, found 'nan'"),
        (["train", "--max-iter", "1.5", "a", "b"], "whole number from 1, found '1.5'"),
        (["train", "--measure", "recal", "a", "b"], "did you mean 'recall'"),
        (["train", "--at-most-k", "a", "b"], "recall_at_<k> only, found f1"),
        (["train", "--kernel", "rbf", "a", "b"], "unrecognized arguments"),
        (["test", "a", "b"], "invalid choice"),
        (["compare", "a", "--measure", "cost"], "two kinds of errors: --costs FP FN"),
        (["compare", "a", "--seed", "-1"], "a whole number from 0 to 4294967295, found '-1'"),
    ],
)
def test_wrong_usage(run, arguments, said):
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert said in err


def test_missing_files_and_folders_are_named_before_any_work(run, train_file, tmp_path):
    missing = tmp_path / "none.svm"
    status, _, err = run("train", missing, tmp_path / "model.json")
    assert (status, err) == (1, f"beyond-accuracy: {missing}: No such file or directory\n")
    status, _, err = run("train", missing, tmp_path / "none" / "model.json")
    assert (status, err) == (1, f"beyond-accuracy: {tmp_path / 'none'}: No such directory\n")
    status, _, err = run("train", missing, tmp_path)
    assert (status, err) == (1, f"beyond-accuracy: {tmp_path}: Is a directory\n")


def test_a_failed_write_leaves_the_old_model_alone(run, train_file, tmp_path, monkeypatch):
    model_path = tmp_path / "model.json"
    run("train", train_file, model_path)
    old = model_path.read_bytes()

    def full(partial, target):
        raise OSError(28, "No space left on device", str(model_path))

    monkeypatch.setattr(Path, "replace", full)
    status, _, err = run("train", "-C", "7", train_file, model_path)
    assert status == 1
    assert "No space left on device" in err
    assert model_path.read_bytes() == old
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model.json", "train.svm"]


def test_links_are_followed_and_devices_kept(run, train_file, tmp_path):
    target, link = tmp_path / "target.json", tmp_path / "link.json"
    target.write_text("old")
    link.symlink_to(target)
    assert run("train", train_file, link)[0] == 0
    assert link.is_symlink()
    assert target.read_text().startswith("{")
    assert run("train", train_file, "/dev/null")[0] == 0
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_damaged_compressed_data_is_named(run, train_file, tmp_path, pack):
    whole = pack(train_file.read_bytes())
    file = tmp_path / "damaged.svm"
    damaged = [whole[: len(whole) * 9 // 10]]
    for position in range(12, len(whole), len(whole) // 7):
        flipped = bytes([whole[position] ^ 0x55])
        damaged.append(whole[:position] + flipped + whole[position + 1 :])
    for content in damaged:
        file.write_bytes(content)
        status, _, err = run("train", file, tmp_path / "model.json")
        assert status == 1
        assert err.startswith(f"beyond-accuracy: {file}")


@pytest.mark.parametrize("rest", [b"", b"\x90\xff\xff\xff"])
def test_a_damaged_file_of_compress_is_named(run, tmp_path, rest):
    path = tmp_path / "train.svm.Z"
    path.write_bytes(b"\x1f\x9d" + rest)
    status, _, err = run("train", path, tmp_path / "model.json")
    assert status == 1
    assert err.startswith(f"beyond-accuracy: {path}: cannot be decompressed")


def test_a_huge_index_among_few_values_is_named(run, write, tmp_path):
    path = write("1 1:1\n-1 2:1\n\n1 300000000:1\n")
    commands = (
        ["train", path, tmp_path / "model.json"],
        ["compare", path, "--output", tmp_path / "page"],
    )
    for command in commands:
        status, _, err = run(*command)
        assert status == 1
        assert f"{path}:4: found the feature index 300000000, and 3 values" in err
    assert "at most 10000000" in err
