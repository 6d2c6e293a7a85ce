"""Licences that a package does not name are taken from the file it comes with."""

import pytest

from checks.release import licence_title


def installed(folder, name, licence):
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    record = [f"{name}-1.0.dist-info/METADATA,,"]
    if licence is not None:
        (info / "LICENSE").write_text(licence)
        record.append(f"{name}-1.0.dist-info/LICENSE,,")
    (info / "RECORD").write_text("\n".join(record))


@pytest.mark.parametrize(
    ("licence", "title"),
    [
        ("\n\n   Apache License\n  Version 2.0\n", "Apache License"),
        ("MIT License\n\nCopyright\n", "MIT License"),
        ("Copyright by somebody\n", None),
        ("", None),
        (None, None),
    ],
)
def test_title_of_a_licence_file(tmp_path, licence, title):
    installed(tmp_path, "licensed", licence)
    assert licence_title("licensed", tmp_path) == title
