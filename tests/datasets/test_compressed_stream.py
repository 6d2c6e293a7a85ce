"""bzip2 and xz, read strictly, give what Python's own decompression gives."""

import bz2
import io
import lzma
import random

import pytest

from beyond_accuracy.datasets.compressed_stream import open_bz2, open_xz

FORMS = {"bz2": (bz2.compress, open_bz2), "xz": (lzma.compress, open_xz)}
CONTENT = random.Random(0).randbytes(200_000) + b"line\n" * 100_000


@pytest.fixture(params=FORMS)
def form(request):
    return FORMS[request.param]


@pytest.mark.parametrize("pieces", [[CONTENT], [b""], [b"a", CONTENT, b"", b"b"]])
def test_streams_one_behind_the_other(tmp_path, form, pieces):
    compress, opened = form
    path = tmp_path / "file"
    path.write_bytes(b"".join(map(compress, pieces)))
    for source in (path, io.BytesIO(path.read_bytes())):
        with opened(source) as stream:
            assert stream.read() == b"".join(pieces)
            stream.seek(0)
            assert stream.read(3) == b"".join(pieces)[:3]
            stream.seek(1)
            assert stream.read() == b"".join(pieces)[1:]


@pytest.mark.parametrize("rest", [b"x", b"garbage", b"BZ", b"\0\0\0\0x", b"\xfd7zXZ"])
def test_anything_else_behind_is_an_error(form, rest):
    compress, opened = form
    with pytest.raises(OSError, match="follows the compressed content"):
        opened(io.BytesIO(compress(b"a") + rest)).read()


def test_xz_may_be_filled_up_with_zeros():
    content = lzma.compress(b"a") + b"\0" * 8 + lzma.compress(b"b") + b"\0" * 100_000
    assert open_xz(io.BytesIO(content)).read() == b"ab"


@pytest.mark.parametrize("length", [1, 10, -1])
def test_cut_short_is_an_error(form, length):
    compress, opened = form
    whole = compress(CONTENT)
    with pytest.raises((EOFError, OSError, lzma.LZMAError)):
        opened(io.BytesIO(whole[:length])).read()
