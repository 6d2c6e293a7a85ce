import bz2
import errno
import gzip
import hashlib
import io
import lzma
import os
import random
import socket
import subprocess
import sys
import tarfile
import time
import tracemalloc

import pytest
import requests
from pydantic import ValidationError

from beyond_accuracy.datasets.errors import ChecksumError, DataSetUnavailable, DiskFull
from beyond_accuracy.datasets.fetch import fetch
from beyond_accuracy.datasets.network import Network

CONTENT = b"1,2,a\n3,4,b\n" * 50
SHA256 = hashlib.sha256(CONTENT).hexdigest()
SGML = {"kind": "reuters_sgml"}
PACKED = {
    "plain": lambda content: content,
    "xz": lzma.compress,
    "bz2": bz2.compress,
    "gz": lambda content: gzip.compress(content, mtime=0),
}


@pytest.fixture
def from_url(make_entry, server, quick, tmp_path):
    """Fetch one pinned file from the server, or from the given addresses."""

    def run(*urls, mirror=None, sha256=SHA256, network=quick, **keys):
        sources = [{"kind": "url", "files": {"data": list(urls) or [f"{server.url}/data.csv"]}}]
        entry = make_entry(**{"sources": sources, "files": {"data": {"sha256": [sha256]}}} | keys)
        return fetch(entry, mirror=mirror, raw_folder=tmp_path / "raw", network=network)

    return run


def left_behind(tmp_path):
    return sorted(path.name for path in (tmp_path / "raw").rglob("*") if path.is_file())


@pytest.mark.parametrize("packing", PACKED)
def test_a_download_is_checked_decompressed_and_renamed(from_url, server, tmp_path, packing):
    server.answers["/data.csv"] = server.content(PACKED[packing](CONTENT))
    fetched = from_url()
    file = fetched.files["data"]
    with file.open() as stream:
        assert stream.read() == CONTENT
    assert file.checksums == (("data.csv", SHA256, (SHA256,)),)
    assert fetched.source == {"kind": "url", "location": {"data": f"{server.url}/data.csv"}}
    assert left_behind(tmp_path) == ["data-data.csv"]
    # A second time nothing is downloaded.
    assert from_url() == fetched
    assert server.requests == ["/data.csv"]


def test_a_wrong_checksum_is_an_error_and_not_the_next_source(from_url, server, tmp_path):
    server.answers["/data.csv"] = server.content(b"something else")
    server.answers["/good.csv"] = server.content(CONTENT)
    with pytest.raises(ChecksumError) as caught:
        from_url(f"{server.url}/data.csv", f"{server.url}/good.csv")
    text = str(caught.value)
    assert f"{server.url}/data.csv" in text
    assert SHA256 in text
    assert hashlib.sha256(b"something else").hexdigest() in text
    assert "what to do" in text
    assert "/good.csv" not in server.requests
    assert left_behind(tmp_path) == []


def test_a_damaged_compressed_file_is_a_checksum_error(from_url, server):
    server.answers["/data.csv"] = server.content(lzma.compress(CONTENT)[:-20])
    with pytest.raises(ChecksumError, match="cannot be decompressed"):
        from_url()


@pytest.mark.parametrize("pinned", [True, False])
def test_a_raw_file_changed_on_disk_is_downloaded_again(from_url, server, caplog, pinned):
    server.answers["/data.csv"] = server.content(CONTENT)
    files = {} if pinned else {"files": {"data": {"unpinned": "a server's of ours"}}}
    path = from_url(**files).files["data"].path
    path.write_bytes(CONTENT[:-1] + b"7")
    assert from_url(**files).files["data"].path.read_bytes() == CONTENT
    assert server.requests == ["/data.csv"] * 2
    assert f"{path}: the copy of" in caplog.text
    assert from_url(**files).files["data"].path.read_bytes() == CONTENT
    assert len(server.requests) == 2


@pytest.mark.parametrize("damaged", [b"", b"\xe1", b"a" * 64])
def test_a_digest_that_is_damaged_is_made_anew(from_url, server, damaged):
    server.answers["/data.csv"] = server.content(CONTENT)
    files = {"files": {"data": {"unpinned": "a server's of ours"}}}
    path = from_url(**files).files["data"].path
    digest = path.with_name(f"{path.name}.sha256")
    whole = digest.read_bytes()
    digest.write_bytes(damaged + whole[len(damaged) :] if damaged else damaged)
    assert from_url(**files).files["data"].path.read_bytes() == CONTENT
    assert digest.read_bytes() == whole


def test_a_copy_without_its_digest_is_one_of_an_earlier_version(from_url, server):
    server.answers["/data.csv"] = server.content(CONTENT)
    files = {"files": {"data": {"unpinned": "a server's of ours"}}}
    path = from_url(**files).files["data"].path
    path.with_name(f"{path.name}.sha256").unlink()
    from_url(**files)
    assert server.requests == ["/data.csv"]


def test_what_a_killed_run_has_left_is_removed(from_url, server, tmp_path):
    server.answers["/data.csv"] = server.content(CONTENT)
    folder = from_url().files["data"].path.parent
    old, new = folder / ".incoming-old", folder / ".incoming-new"
    for left in (old, new):
        left.mkdir()
        (left / "download").touch()
    os.utime(old, (0, 0))
    folder.joinpath("data-data.csv").unlink()
    from_url()
    assert not old.exists()
    assert new.exists()


def test_server_errors_and_truncated_bodies_are_retried(from_url, server):
    faults = server.status(500), server.truncated(CONTENT)
    server.answers["/data.csv"] = server.in_turn(*faults, server.content(CONTENT))
    from_url(network=Network(retries=2, pause=0.0))
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("fault", "reason", "attempts"),
    [
        (lambda server: server.status(500), "HTTP status 500", 2),
        (lambda server: server.status(404), "HTTP status 404", 1),
        (lambda server: server.status(403), "HTTP status 403", 1),
        (lambda server: server.truncated(CONTENT), "breaks off", 2),
        (lambda server: server.stalled(CONTENT), "stalls", 2),
    ],
)
def test_faults_make_a_source_unreachable(from_url, server, tmp_path, fault, reason, attempts):
    server.answers["/data.csv"] = fault(server)
    with pytest.raises(DataSetUnavailable, match=reason) as caught:
        from_url()
    assert caught.value.name == "tiny"
    assert "network" in caught.value.how_to_get
    assert server.requests == ["/data.csv"] * attempts
    assert left_behind(tmp_path) == []


def test_the_next_address_and_the_next_source_are_tried(from_url, server, tmp_path):
    server.answers["/good.csv"] = server.content(CONTENT)
    good = f"{server.url}/good.csv"
    assert from_url(f"{server.url}/gone.csv", good).source["location"]["data"] == good
    sources = [
        {"kind": "mirror", "files": {"data": "tiny/data.csv"}},
        {"kind": "url", "files": {"data": [good]}},
    ]
    assert from_url(sources=sources).source["kind"] == "url"
    assert from_url(sources=sources, mirror=tmp_path).source["kind"] == "url"


def refused_address():
    """A port of the loopback on which nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}"


def test_a_host_that_refuses_is_tried_once(from_url, monkeypatch):
    address = refused_address()
    network = Network(retries=5, pause=0.0)
    with pytest.raises(DataSetUnavailable, match="refuses the connection"):
        from_url(f"{address}/a", f"{address}/b", network=network)
    assert list(network.unreachable_hosts.values()) == ["the host refuses the connection"]
    monkeypatch.setattr(requests.Session, "send", lambda *_, **__: pytest.fail("tried again"))
    with pytest.raises(DataSetUnavailable, match="refuses the connection"):
        from_url(f"{address}/c", network=network)


def test_a_host_that_does_not_answer_costs_one_timeout(from_url):
    with socket.socket() as silent, socket.socket() as first, socket.socket() as second:
        silent.bind(("127.0.0.1", 0))
        silent.listen(0)
        # The queue of the listening socket is full, so that further connections hang.
        for filler in (first, second):
            filler.setblocking(False)
            filler.connect_ex(silent.getsockname())
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        network = Network(connect_timeout=0.3, retries=5, pause=0.0)
        with pytest.raises(DataSetUnavailable, match="does not answer in time"):
            from_url(f"{address}/a", f"{address}/b", network=network)
        assert list(network.unreachable_hosts.values()) == ["the host does not answer in time"]


def test_an_unknown_host_is_unreachable_for_a_reason_that_does_not_change(from_url):
    texts = set()
    for _ in range(2):
        with pytest.raises(DataSetUnavailable, match="name cannot be resolved") as caught:
            from_url("http://no-such-host.invalid/data.csv", network=Network())
        texts.add(str(caught.value))
    assert len(texts) == 1


@pytest.mark.parametrize("packing", PACKED)
def test_mirror_files_are_read_in_place(make_entry, tmp_path, packing):
    mirror = tmp_path / "mirror"
    (mirror / "tiny").mkdir(parents=True)
    (mirror / "tiny" / "data.csv").write_bytes(PACKED[packing](CONTENT))
    entry = make_entry(files={"data": {"sha256": ["0" * 64, SHA256]}})
    fetched = fetch(entry, mirror=mirror, raw_folder=tmp_path / "raw")
    assert fetched.files["data"].path == mirror / "tiny" / "data.csv"
    assert fetched.source == {"kind": "mirror", "location": {"data": "tiny/data.csv"}}
    assert not (tmp_path / "raw").exists()


def test_a_wrong_mirror_file_is_an_error_without_machine_paths(make_entry, tmp_path):
    (tmp_path / "tiny").mkdir()
    (tmp_path / "tiny" / "data.csv").write_bytes(b"other")
    entry = make_entry(files={"data": {"sha256": [SHA256]}})
    with pytest.raises(ChecksumError, match="replace the file in the mirror") as caught:
        fetch(entry, mirror=tmp_path, raw_folder=tmp_path / "raw")
    assert str(tmp_path) not in str(caught.value)


def test_without_mirror_the_reason_and_the_remedy_are_given(make_entry, tmp_path):
    with pytest.raises(DataSetUnavailable) as caught:
        fetch(make_entry(), mirror=None, raw_folder=tmp_path)
    assert caught.value.reason == "mirror: none is configured"
    assert caught.value.how_to_get == "set the mirror to a folder that holds tiny/data.csv."


def test_members_of_an_archive_are_pinned_by_base_name(from_url, server, tar_archive):
    pins = {"b.csv": hashlib.sha256(b"B").hexdigest(), "a.csv": hashlib.sha256(b"A").hexdigest()}
    server.answers["/all.tar.gz"] = server.content(
        tar_archive({"x/b.csv": b"B", "x/a.csv": b"A", "x/c.csv": b"C"})
    )
    files = {"data": {"members": pins}}
    file = from_url(f"{server.url}/all.tar.gz", files=files, parser=SGML).files["data"]
    assert list(file.members()) == [("a.csv", b"A"), ("b.csv", b"B")]
    assert [name for name, _, _ in file.checksums] == ["a.csv", "b.csv"]


@pytest.mark.parametrize(
    ("members", "message"),
    [({"a.csv": b"changed"}, "a.csv: wrong checksum"), ({"z.csv": b"A"}, "no such member")],
)
def test_a_changed_or_missing_member_is_an_error(from_url, server, tar_archive, members, message):
    pins = {"a.csv": hashlib.sha256(b"A").hexdigest()}
    server.answers["/all.tar.gz"] = server.content(tar_archive(members))
    with pytest.raises(ChecksumError, match=message):
        from_url(f"{server.url}/all.tar.gz", files={"data": {"members": pins}}, parser=SGML)


def test_the_distributed_file_can_be_pinned(from_url, server):
    packed = bz2.compress(CONTENT)
    server.answers["/data.csv"] = server.content(packed)
    pin = hashlib.sha256(packed).hexdigest()
    file = from_url(files={"data": {"sha256_compressed": [pin]}}).files["data"]
    assert file.checksums == (("data.csv", pin, (pin,)),)
    with pytest.raises(ChecksumError):
        from_url(files={"data": {"sha256_compressed": [SHA256]}})


def test_a_full_disk_is_named_and_leaves_nothing(from_url, server, tmp_path, small_disk):
    server.answers["/data.csv"] = server.content(CONTENT)
    small_disk(len(CONTENT) - 1)
    path = tmp_path / "raw" / "tiny" / "data-data.csv"
    with pytest.raises(DiskFull, match=rf"{path} could not be written.*free some space") as caught:
        from_url()
    assert caught.value.__cause__.errno == errno.ENOSPC
    assert left_behind(tmp_path) == []
    small_disk(len(CONTENT))
    assert from_url().files["data"].path.read_bytes() == CONTENT


def test_a_killed_download_leaves_nothing_that_looks_whole(from_url, server, tmp_path):
    server.answers["/data.csv"] = server.stalled(CONTENT)
    script = (
        "import sys; from pathlib import Path\n"
        "from beyond_accuracy.datasets.network import Network\n"
        "with Network().download(sys.argv[1], Path(sys.argv[2])): pass\n"
    )
    arguments = [f"{server.url}/data.csv", str(tmp_path / "raw" / "tiny")]
    process = subprocess.Popen([sys.executable, "-c", script, *arguments])
    try:
        # Half of the file is sent with the answer: once it is asked for, the download is under way.
        assert server.asked.wait(30)
    finally:
        process.kill()
        process.wait()
    assert not (tmp_path / "raw" / "tiny" / "data-data.csv").exists()
    server.answers["/data.csv"] = server.content(CONTENT)
    with from_url().files["data"].open() as stream:
        assert stream.read() == CONTENT


def drop_by_drop(handler):
    """Promises much and sends a byte at a time, fast enough for the timeout of reading."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000000")
    handler.end_headers()
    for _ in range(200):
        handler.wfile.write(b"1")
        handler.wfile.flush()
        time.sleep(0.05)


def test_a_server_that_sends_for_ever_is_left(from_url, server):
    server.answers["/data.csv"] = drop_by_drop
    started = time.monotonic()
    with pytest.raises(DataSetUnavailable, match=r"it sends for more than 0\.5 seconds"):
        from_url(network=Network(read_timeout=5, deadline=0.5, retries=3))
    assert time.monotonic() - started < 4


def slow_header(handler):
    handler.wfile.write(b"HTTP/1.0 200 OK\r\n")
    for _ in range(200):
        handler.wfile.write(b"X")
        handler.wfile.flush()
        time.sleep(0.05)


def until_the_connection_ends(handler):
    """Sends a piece that looks whole when it is cut off."""
    handler.send_response(200)
    handler.end_headers()
    handler.wfile.write(CONTENT)
    handler.wfile.flush()
    time.sleep(4)


@pytest.mark.parametrize("answer", [slow_header, until_the_connection_ends])
def test_the_deadline_holds_for_headers_redirects_and_retries(from_url, server, answer):
    server.answers["/data.csv"] = server.redirect("/slow", b"")
    server.answers["/slow"] = answer
    started = time.monotonic()
    with pytest.raises(DataSetUnavailable, match=r"it sends for more than 0\.5 seconds"):
        from_url(network=Network(read_timeout=5, deadline=0.5, retries=3, pause=0.0))
    assert time.monotonic() - started < 3


def test_bodies_of_redirects_are_not_read(from_url, server):
    bomb = gzip.compress(bytes(300_000_000), 1)
    server.answers["/data.csv"] = server.redirect("/other.csv", bomb)
    server.answers["/other.csv"] = server.content(CONTENT)
    tracemalloc.start()
    try:
        assert from_url().files["data"].checksums[0][1] == SHA256
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "target",
    ["http://[::1", "http://a..b/", f"http://{'a' * 70}.com/", "file:///etc/passwd", "http://*.a/"]
    + ["ftp://a/", "\xff\xfe", "http://a:99999/", "javascript:1"],
)
def test_redirects_to_what_is_no_address_are_named(from_url, server, target):
    server.answers["/data.csv"] = server.redirect(target, b"")
    with pytest.raises(DataSetUnavailable, match="it redirects to what is no address|status 404"):
        from_url()


def test_endless_redirects_are_left(from_url, server):
    server.answers["/data.csv"] = server.redirect("/data.csv", b"")
    with pytest.raises(DataSetUnavailable, match="it redirects more than 10 times"):
        from_url()
    assert len(server.requests) == 11


@pytest.mark.parametrize("code", [204, 304, 999])
def test_only_status_200_is_a_download(from_url, server, code):
    server.answers["/data.csv"] = lambda handler: handler.wfile.write(
        b"HTTP/1.0 %d A\r\n\r\n" % code
    )
    with pytest.raises(DataSetUnavailable, match=f"HTTP status {code}"):
        from_url(files={"data": {"unpinned": "a test"}})


def test_a_file_that_is_too_large_is_left(from_url, server, tmp_path):
    server.answers["/data.csv"] = server.content(b"1" * 5000)
    with pytest.raises(DataSetUnavailable, match="it sends more than 4999 bytes"):
        from_url(network=Network(largest=4999, retries=0))
    assert left_behind(tmp_path) == []


@pytest.mark.parametrize("url", ["a%00b.csv", "a" * 300 + ".csv"])
def test_names_that_no_file_can_have_are_changed(from_url, server, tmp_path, url):
    server.answers[f"/{url}"] = server.content(CONTENT)
    file = from_url(f"{server.url}/{url}").files["data"]
    assert file.path.read_bytes() == CONTENT
    assert file.path.parent == tmp_path / "raw/tiny"


@pytest.mark.parametrize("packing", ["gz", "bz2", "xz"])
def test_a_bomb_is_refused_in_little_memory(from_url, server, packing):
    """100 MB of zeros in 0.1 MB and less."""
    bomb = PACKED[packing](bytes(100_000_000))
    server.answers["/data.csv"] = server.content(bomb)
    tracemalloc.start()
    try:
        with pytest.raises(ChecksumError, match=r"it holds more than \d+ bytes"):
            from_url()
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


def test_members_of_an_archive_are_hashed_as_streams(from_url, server):
    # A gzip of level 1 does not see what is repeated after 1 MB.
    content = 60 * random.Random(0).randbytes(10**6)
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz", compresslevel=1) as archive:
        info = tarfile.TarInfo("a.sgm")
        info.size = len(content)
        archive.addfile(info, io.BytesIO(content))
    server.answers["/data.csv"] = server.content(buffer.getvalue())
    digest = hashlib.sha256(content).hexdigest()
    tracemalloc.start()
    try:
        fetched = from_url(files={"data": {"members": {"a.sgm": digest}}}, parser=SGML)
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()
    assert fetched.files["data"].checksums == (("a.sgm", digest, (digest,)),)


def pax(**headers):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        info = tarfile.TarInfo("a.sgm")
        info.size = 512
        info.pax_headers = {name.replace("_", "."): value for name, value in headers.items()}
        archive.addfile(info, io.BytesIO(bytes(512)))
    return buffer.getvalue()


def chain(kind):
    header = tarfile.TarInfo("././@LongLink")
    header.type = kind
    return 3000 * header.tobuf(tarfile.GNU_FORMAT)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            pax(GNU_sparse_size=f"{10**15}", GNU_sparse_map="0,512", GNU_sparse_name="a.sgm"),
            "the sparse member 'a.sgm'",
        ),
        (pax(GNU_sparse_size="x", GNU_sparse_map="0,1"), "invalid literal"),
        (pax(GNU_sparse_size="5", GNU_sparse_map="a,b"), "invalid literal"),
        (chain(tarfile.GNUTYPE_LONGNAME), "headers without end"),
        (pax(comment="x" * 1_000_000), "a header of 10000.. bytes, more than 65536"),
        (chain(tarfile.XHDTYPE), "headers without end|cannot be decompressed"),
    ],
)
def test_archives_that_cannot_be_are_named_at_once(from_url, server, content, message):
    server.answers["/a.tar"] = server.content(content)
    started = time.process_time()
    with pytest.raises(ChecksumError, match=message):
        from_url(
            f"{server.url}/a.tar", files={"data": {"members": {"a.sgm": "0" * 64}}}, parser=SGML
        )
    assert time.process_time() - started < 4


@pytest.mark.parametrize(
    "url",
    ["http://[::1", "http://a..b/", f"http://{'a' * 70}.com/", "http://*.a/", "http://a:99999/"]
    + ["http://a\0b/", "http://a/\ud800", "ftp://a/", "http://.a/"],
)
def test_malformed_addresses_are_faults_of_the_catalogue(make_entry, url):
    with pytest.raises(ValidationError, match="sources"):
        make_entry(sources=[{"kind": "url", "files": {"data": [url]}}])


@pytest.mark.parametrize(
    "url", ["http://[::1]:80/a", "https://a-b.c/d?e=f%20g", "http://localhost"]
)
def test_addresses_that_can_be(make_entry, url):
    make_entry(sources=[{"kind": "url", "files": {"data": [url]}}])
