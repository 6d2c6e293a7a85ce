"""Tables, figures, verdicts and pages that are damaged or lost are marked, and made anew."""

import pytest

from beyond_accuracy.pipeline.checksums import Checksums
from beyond_accuracy.pipeline.final_results import damage_mark, mark_damaged


@pytest.fixture
def config(tmp_path):
    return {"results": str(tmp_path / "results"), "resources": str(tmp_path / "resources")}


def test_damaged_and_lost_files_mark_their_job(config, tmp_path):
    files = [tmp_path / "results" / name for name in ("a.csv", "b.csv", "c.csv")]
    files[0].parent.mkdir()
    for file in files:
        file.write_text("1\n")
    Checksums.of(config).store(files[:2])
    names = [str(file) for file in files]
    assert mark_damaged(config, "site", names) == []
    assert not damage_mark(config, "site").exists()
    files[0].write_text("2\n")
    files[1].unlink()
    # It has no checksum.
    files[2].write_text("2\n")
    lines = mark_damaged(config, "site", names)
    assert lines == [f"{file}: damaged or gone, and made anew." for file in names[:2]]
    first = damage_mark(config, "site").read_text()
    mark_damaged(config, "site", names)
    assert damage_mark(config, "site").read_text() != first
    assert files[0].read_text() == "2\n"
