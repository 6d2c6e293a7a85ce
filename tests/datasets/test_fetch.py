"""Files from mirrors, servers and archives: checked, kept, and skipped if wrong."""

import bz2
import gzip
import hashlib
import io
import lzma
import re
import resource
import socket
import time
import zipfile

import pytest

from beyond_accuracy_pipeline.datasets.download import Downloader
from beyond_accuracy_pipeline.datasets.fetch import fetch
from beyond_accuracy_pipeline.datasets.sources import RepositoryFile, UrlSource

CONTENT = b"1,2,a\n3,4,b\n" * 50
SHA256 = hashlib.sha256(CONTENT).hexdigest()
PINNED = {"data": {"sha256": [SHA256]}}
PACKED = {
    "plain": lambda content: content,
    "xz": lzma.compress,
    "bz2": bz2.compress,
    "gz": lambda content: gzip.compress(content, mtime=0),
}


@pytest.fixture
def first(settings):
    """Return a function that returns an entry's first correct files and the failed attempts."""

    def run(entry, mirror=None, **options):
        attempts = []
        return next(fetch(entry, settings(mirror, **options), attempts), None), attempts

    return run


@pytest.fixture
def from_url(first, make_entry, server):
    """Return a function that fetches one pinned file from the server or given addresses."""

    def run(*addresses, downloader=None, **keys):
        addresses = list(addresses) or [f"{server.url}/data.csv"]
        sources = [{"kind": "url", "files": {"data": addresses}}]
        options = {"downloader": downloader} if downloader else {}
        return first(make_entry(**{"sources": sources, "files": PINNED} | keys), **options)

    return run


def reasons(attempts):
    return [(attempt.outcome, attempt.reason) for attempt in attempts]


def left_behind(tmp_path):
    return sorted(path.name for path in (tmp_path / "raw").rglob("*") if path.is_file())


@pytest.mark.parametrize("packing", PACKED)
def test_a_download_is_checked_decompressed_and_renamed(from_url, server, tmp_path, packing):
    server.answers["/data.csv"] = server.content(PACKED[packing](CONTENT))
    fetched, attempts = from_url()
    file = fetched.files["data"]
    with file.open() as stream:
        assert stream.read() == CONTENT
    assert file.checksums == (("data.csv", SHA256, (SHA256,)),)
    assert fetched.source == {"kind": "url", "location": {"data": f"{server.url}/data.csv"}}
    (name,) = left_behind(tmp_path)
    assert re.fullmatch(r"data-[0-9a-f]{16}", name)
    assert attempts == []
    # A second call downloads nothing.
    assert from_url()[0] == fetched
    assert server.requests == ["/data.csv"]


def test_after_a_wrong_file_the_next_address_is_taken(from_url, server, tmp_path):
    server.answers["/first/data.csv"] = server.content(b"something else")
    server.answers["/second/data.csv"] = server.content(CONTENT)
    addresses = [f"{server.url}/first/data.csv", f"{server.url}/second/data.csv"]
    # The second time, the file is not taken for that of the first address.
    for _ in range(2):
        fetched, (attempt,) = from_url(*addresses)
        assert fetched.files["data"].location == addresses[1]
        assert fetched.files["data"].path.read_bytes() == CONTENT
        assert (attempt.outcome, attempt.location) == ("wrong", addresses[0])
        assert SHA256 in attempt.reason
        assert hashlib.sha256(b"something else").hexdigest() in attempt.reason
        assert len(left_behind(tmp_path)) == 1


def test_after_a_wrong_mirror_file_the_next_source_is_taken(first, make_entry, server, tmp_path):
    server.answers["/data.csv"] = server.content(CONTENT)
    (tmp_path / "mirror/tiny").mkdir(parents=True)
    (tmp_path / "mirror/tiny/data.csv").write_bytes(b"other")
    sources = [
        {"kind": "mirror", "files": {"data": "tiny/data.csv"}},
        {"kind": "url", "files": {"data": [f"{server.url}/data.csv"]}},
    ]
    fetched, attempts = first(make_entry(sources=sources, files=PINNED), tmp_path / "mirror")
    assert fetched.source["kind"] == "url"
    assert [(attempt.source, attempt.outcome) for attempt in attempts] == [("mirror", "wrong")]
    assert "replace the file in the mirror" in attempts[0].reason
    assert str(tmp_path) not in attempts[0].reason


def test_asking_again_takes_the_next_address_of_files_without_checksum(
    settings, make_entry, server
):
    """Without a checksum, the next address may have another file; a pinned file is the same."""
    for name in ("a", "b"):
        server.answers[f"/{name}/data.csv"] = server.content(CONTENT + name.encode())
    urls = [f"{server.url}/{name}/data.csv" for name in ("a", "b")]
    sources = [{"kind": "url", "files": {"data": urls}}]
    contents = {}
    for fetched in fetch(make_entry(sources=sources), settings(), []):
        file = fetched.files["data"]
        contents[file.location] = file.path.read_bytes()
    assert contents == {urls[0]: CONTENT + b"a", urls[1]: CONTENT + b"b"}
    pin = {"data": {"sha256": [hashlib.sha256(CONTENT + b"a").hexdigest()]}}
    assert len(list(fetch(make_entry(sources=sources, files=pin), settings(), []))) == 1


def test_a_damaged_file_is_wrong(from_url, server):
    server.answers["/data.csv"] = server.content(lzma.compress(CONTENT)[:-20])
    fetched, attempts = from_url()
    assert fetched is None
    assert attempts[0].outcome == "wrong"
    assert "cannot be decompressed" in attempts[0].reason


def test_a_raw_file_changed_on_disk_is_downloaded_again(from_url, server, caplog):
    server.answers["/data.csv"] = server.content(CONTENT)
    path = from_url()[0].files["data"].path
    path.write_bytes(CONTENT[:-1] + b"7")
    assert from_url()[0].files["data"].path.read_bytes() == CONTENT
    assert server.requests == ["/data.csv"] * 2
    assert f"{path} has another checksum" in caplog.text


def test_faults_that_may_pass_are_retried(from_url, server):
    faults = server.status(429, headers={"Retry-After": "1"}), server.truncated(CONTENT)
    server.answers["/data.csv"] = server.in_turn(*faults, server.content(CONTENT))
    start = time.monotonic()
    fetched, _ = from_url(downloader=Downloader(retries=2, pause=0.0))
    assert fetched is not None
    assert len(server.requests) == 3
    assert time.monotonic() - start >= 1


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (lambda server: server.status(500), "HTTP status 500"),
        (lambda server: server.status(404), "HTTP status 404"),
        (lambda server: server.truncated(CONTENT), "the transfer breaks off"),
        (lambda server: server.stalled(CONTENT), "the server stalls"),
        (lambda server: server.redirect("ftp://a/"), "an address that is not valid"),
        (lambda server: server.redirect("/data.csv"), "it redirects too often"),
        (lambda server: server.content(b"<!DOCTYPE html><p>Log in"), "a web page instead"),
    ],
)
def test_faults_make_an_address_unreachable(from_url, server, tmp_path, fault, reason):
    server.answers["/data.csv"] = fault(server)
    fetched, attempts = from_url()
    assert fetched is None
    assert attempts[0].outcome == "unreachable"
    assert reason in attempts[0].reason
    assert left_behind(tmp_path) == []


def test_a_host_that_refuses_is_tried_once(from_url):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
    downloader = Downloader(retries=5, pause=0.0)
    _, attempts = from_url(f"{address}/a", f"{address}/b", downloader=downloader)
    assert reasons(attempts) == [("unreachable", "the host refuses the connection")] * 2
    assert list(downloader.unreachable.values()) == ["the host refuses the connection"]


def test_a_host_that_does_not_answer_costs_one_timeout(from_url):
    with socket.socket() as silent, socket.socket() as filler, socket.socket() as second:
        silent.bind(("127.0.0.1", 0))
        silent.listen(0)
        # The queue of the listening socket is full, so further connections hang.
        for connection in (filler, second):
            connection.setblocking(False)
            connection.connect_ex(silent.getsockname())
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        downloader = Downloader(connect_timeout=0.3, retries=5, pause=0.0)
        start = time.monotonic()
        _, attempts = from_url(f"{address}/a", f"{address}/b", downloader=downloader)
    assert reasons(attempts) == [("unreachable", "the host does not answer in time")] * 2
    assert time.monotonic() - start < 2


def test_a_name_that_cannot_be_resolved(from_url):
    _, attempts = from_url("http://no-such-host.invalid/data.csv")
    assert reasons(attempts) == [("unreachable", "the host's name cannot be resolved")]


@pytest.mark.parametrize(
    ("content", "packed"),
    [
        (CONTENT, lzma.compress(CONTENT)),
        # The program ncompress wrote these bytes.
        (b"aaaaaaaaaa\n", bytes.fromhex("1f9d9061020a1ca800")),
    ],
)
def test_mirror_files_are_read_in_place(first, make_entry, tmp_path, content, packed):
    path = tmp_path / "mirror" / "tiny" / "data.csv"
    path.parent.mkdir(parents=True)
    path.write_bytes(packed)
    digest = hashlib.sha256(content).hexdigest()
    fetched, _ = first(
        make_entry(files={"data": {"sha256": ["0" * 64, digest]}}), tmp_path / "mirror"
    )
    assert fetched.files["data"].path == path
    assert fetched.source == {"kind": "mirror", "location": {"data": "tiny/data.csv"}}
    assert not (tmp_path / "raw").exists()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, None),
        ({"x/a.csv": b"changed"}, "a.csv: wrong checksum"),
        ({"x/a.csv": None}, "no such member"),
    ],
)
def test_members_of_an_archive_are_pinned_by_base_name(
    from_url, server, tar_archive, changes, reason
):
    members = {"x/b.csv": b"B", "x/a.csv": b"A", "x/c.csv": b"C"} | changes
    packed = {name: content for name, content in members.items() if content is not None}
    server.answers["/all.tar.gz"] = server.content(tar_archive(packed))
    pins = {"b.csv": hashlib.sha256(b"B").hexdigest(), "a.csv": hashlib.sha256(b"A").hexdigest()}
    keys = {"files": {"data": {"members": pins}}, "parser": {"kind": "reuters_sgml"}}
    fetched, attempts = from_url(f"{server.url}/all.tar.gz", **keys)
    if reason is None:
        assert fetched.files["data"].members() == [("a.csv", b"A"), ("b.csv", b"B")]
    else:
        assert attempts[0].outcome == "wrong"
        assert reason in attempts[0].reason


def zip_archive(members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


@pytest.fixture
def from_archive(from_url, server):
    """Return a function that serves an archive and fetches one member."""

    def run(content, member="data.csv", **keys):
        server.answers["/all"] = server.content(content)
        return from_url({"archive": f"{server.url}/all", "member": member}, **keys)

    return run


@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_a_member_of_an_archive(from_archive, tar_archive, server, kind):
    members = {"a-1/x/data.csv": lzma.compress(CONTENT), "a-1/other_data.csv": b"another"}
    archive = zip_archive(members) if kind == "zip" else tar_archive(members)
    fetched, _ = from_archive(archive)
    with fetched.files["data"].open() as stream:
        assert stream.read() == CONTENT
    assert fetched.files["data"].location == f"{server.url}/all (data.csv)"
    # Another data set uses the same archive, which is not downloaded again.
    other, _ = from_archive(archive, "x/data.csv", name="other")
    assert other is not None
    assert server.requests == ["/all"]


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"x.csv": CONTENT}, "the archive has no file 'data.csv'"),
        ({"data.csv": b"other"}, "wrong checksum"),
        ({"data.csv": bytes(4 * 2**20)}, "data.csv: more than 8 GiB"),
    ],
)
def test_archives_that_are_not_right_are_named(
    from_archive, tmp_path, monkeypatch, members, reason
):
    monkeypatch.setattr("beyond_accuracy_pipeline.datasets.raw_files.MOST_BYTES", 2**20)
    fetched, attempts = from_archive(zip_archive(members))
    assert fetched is None
    assert attempts[0].outcome == "wrong"
    assert reason in attempts[0].reason
    assert not list((tmp_path / "raw/tiny").iterdir())


def test_a_damaged_archive_is_downloaded_again(from_archive, server):
    whole = zip_archive({"data.csv": CONTENT})
    assert from_archive(whole[:-30])[0] is None
    assert from_archive(whole)[0] is not None
    assert server.requests == ["/all"] * 2


def test_a_file_of_a_repository_has_two_addresses():
    commit = "a" * 40
    file = RepositoryFile(repository="owner/name", commit=commit, path="x/data.csv")
    source = UrlSource(kind="url", files={"data": [file]})
    assert list(map(str, source.addresses("data"))) == [
        f"https://codeload.github.com/owner/name/zip/{commit} (x/data.csv)",
        f"https://raw.githubusercontent.com/owner/name/{commit}/x/data.csv",
    ]


def test_large_files_are_downloaded_only_if_that_is_allowed(first, make_entry, server):
    server.answers["/data.csv"] = server.content(CONTENT)
    sources = [{"kind": "url", "large": True, "files": {"data": [f"{server.url}/data.csv"]}}]
    entry = make_entry(sources=sources)
    _, attempts = first(entry)
    assert "`large_downloads: true`" in attempts[0].reason
    assert server.requests == []
    assert first(entry, large_downloads=True)[0] is not None


def test_a_download_without_end_is_refused(from_url, server, monkeypatch):
    monkeypatch.setattr("beyond_accuracy_pipeline.datasets.download.MOST_BYTES", 2**20)
    server.answers["/data.csv"] = server.content(bytes(4 * 2**20))
    fetched, attempts = from_url()
    assert fetched is None
    assert reasons(attempts) == [("unreachable", "more than 8 GiB")]


def test_the_distributed_file_can_be_pinned(from_url, server):
    packed = bz2.compress(CONTENT)
    server.answers["/data.csv"] = server.content(packed)
    pin = hashlib.sha256(packed).hexdigest()
    fetched, _ = from_url(files={"data": {"sha256_compressed": [pin]}})
    assert fetched.files["data"].checksums == (("data.csv", pin, (pin,)),)
    _, attempts = from_url(files={"data": {"sha256_compressed": [SHA256]}})
    assert attempts[0].outcome == "wrong"


def test_a_full_disk_leaves_nothing(from_url, server, tmp_path):
    """A limit on the size of files stands for the full disk."""
    server.answers["/data.csv"] = server.content(CONTENT)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(CONTENT) - 1, limits[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            from_url()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert left_behind(tmp_path) == []
    assert from_url()[0].files["data"].path.read_bytes() == CONTENT
