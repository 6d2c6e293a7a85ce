"""Results with changed bytes are never read as other numbers; the error names the file."""

import numpy as np
import pandas as pd
import pytest

from beyond_accuracy_pipeline.results.damage import DamagedFile
from beyond_accuracy_pipeline.results.frames import read_frames, write_frame
from beyond_accuracy_pipeline.results.scores import Scores, read_scores, write_scores


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.parquet"
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"value": rng.random(50), "method": rng.choice(["a", "b"], 50)})
    write_frame(path, frame)
    return path, frame


def flipped(content, position):
    return content[:position] + bytes([content[position] ^ 0x10]) + content[position + 1 :]


def test_a_changed_page_of_a_table_is_not_read_as_numbers(table):
    """The values follow the header; 50 random numbers take 400 bytes that do not compress."""
    path, frame = table
    content = path.read_bytes()
    value = frame["value"].to_numpy().tobytes()
    start = content.find(value[:16])
    assert start > 0
    for position in range(start, start + len(value), 7):
        path.write_bytes(flipped(content, position))
        with pytest.raises(DamagedFile, match=r"table\.parquet: damaged"):
            read_frames([path], {})


@pytest.mark.parametrize("size", [0, 3, 100, -1])
def test_a_truncated_result_is_named(table, tmp_path, size):
    path, _ = table
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(DamagedFile, match=r"table\.parquet: damaged .* Remove the file"):
        read_frames([path], {})
    scores = tmp_path / "scores.npz"
    write_scores(scores, {"a": Scores(("task",), {"f1": np.arange(20.0)[None]})})
    scores.write_bytes(scores.read_bytes()[:size])
    with pytest.raises(DamagedFile, match=r"scores\.npz: damaged .* Remove the file"):
        read_scores(scores, "a")
