"""Fixtures for tests of the data layer: small files and entries, a faulty server."""

import io
import tarfile
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from beyond_accuracy_pipeline.datasets.download import Downloader
from beyond_accuracy_pipeline.datasets.entry import Entry
from beyond_accuracy_pipeline.datasets.fetch import FetchSettings
from beyond_accuracy_pipeline.datasets.raw_files import RawFile

UNPINNED = {"unpinned": "a test"}
MEMBERS = {"data": {"members": {"a.txt": "0" * 64}}}
DOCUMENTS = {"transforms": [{"kind": "tfidf"}]}
COMPANIONS = {
    "reuters_sgml": DOCUMENTS
    | {"task": "multilabel", "split": {"kind": "given"}, "files": MEMBERS},
    "arxiv_snapshot": DOCUMENTS,
    "multilabel_arff": {
        "task": "multilabel",
        "files": {"data": UNPINNED, "labels": UNPINNED},
        "sources": [{"kind": "mirror", "files": {"data": "tiny.arff", "labels": "tiny.xml"}}],
    },
}


@pytest.fixture(scope="session")
def catalogue_folder(repository):
    return repository / "config/datasets"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder that all examples of a property test share."""
    return tmp_path_factory.mktemp("examples")


@pytest.fixture
def quick():
    """Return a downloader with short timeouts and one retry."""
    return Downloader(connect_timeout=2, read_timeout=0.4, retries=1, pause=0.0)


@pytest.fixture
def settings(quick, tmp_path):
    """Return a function that makes `FetchSettings` in a temporary folder, without mirror."""

    def make(mirror=None, **options):
        options = {"downloader": quick, "raw_folder": tmp_path / "raw"} | options
        return FetchSettings(mirror, **options)

    return make


@pytest.fixture
def raw_file(tmp_path):
    """Return a function that writes content to a file and wraps it as a checked raw file."""

    def make(content, name="data.txt", members=None):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return RawFile(path, name, tuple((piece, "0" * 64, ()) for piece in members or [name]))

    return make


@pytest.fixture
def tar_archive():
    """Return a function that packs members into the bytes of a compressed tar archive."""

    def make(members):
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
            for name, content in members.items():
                content = content.encode() if isinstance(content, str) else content
                info = tarfile.TarInfo(name)
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
        return buffer.getvalue()

    return make


@pytest.fixture
def archive(raw_file, tar_archive):
    """Return a function that packs members into a tar archive, as a checked raw file."""
    return lambda members: raw_file(tar_archive(members), "all.tar.gz", members)


@pytest.fixture
def make_entry():
    """Return a function that makes an entry, with defaults for all keys that are not given."""

    def make(**keys):
        kind = (keys.get("parser") or {}).get("kind")
        defaults = {
            "name": "tiny",
            "title": "Tiny",
            "task": "multiclass",
            "sources": [{"kind": "mirror", "files": {"data": "tiny/data.csv"}}],
            "files": {"data": UNPINNED},
            "parser": {"kind": "delimited", "delimiter": ",", "class_column": -1},
            "split": {"kind": "none"},
            "shape": {},
            "citation": "none",
            "licence": "none",
        }
        return Entry.model_validate(defaults | COMPANIONS.get(kind, {}) | keys)

    return make


class LoopbackServer:
    """HTTP server on the loopback with configurable answers per path; it records all requests."""

    def __init__(self):
        self.answers = {}
        self.requests = []
        self.headers = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                path = self.path.split("?", 1)[0]
                server.requests.append(path)
                server.headers.append(dict(self.headers))
                answer = server.answers.get(path, server.status(404))
                answer(self)

            def log_message(self, *arguments):
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.released = threading.Event()
        self.url = f"http://127.0.0.1:{self._http.server_port}"
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()

    def close(self):
        self.released.set()
        self._http.shutdown()
        self._http.server_close()

    @staticmethod
    def content(body, code=200, sent=None, wait=None, headers=None):
        """Return an answer with ``body``; if ``sent`` is given, it hangs up after so many bytes."""

        def answer(handler):
            handler.send_response(code)
            handler.send_header("Content-Length", str(len(body)))
            for name, value in (headers or {}).items():
                handler.send_header(name, value)
            handler.end_headers()
            with suppress(OSError):
                handler.wfile.write(body[:sent])
            handler.wfile.flush()
            if wait is not None:
                wait(30)
            handler.close_connection = sent is not None

        return answer

    def status(self, code, body=b"", headers=None):
        return self.content(body, code=code, headers=headers)

    def redirect(self, target):
        return self.status(302, headers={"Location": target})

    def truncated(self, body):
        """Return an answer that promises ``body``, sends half of it and hangs up."""
        return self.content(body, sent=len(body) // 2)

    def stalled(self, body):
        """Return an answer that sends half of ``body``, then nothing until the test ends."""
        return self.content(body, sent=len(body) // 2, wait=self.released.wait)

    @staticmethod
    def in_turn(*answers):
        """Return an answer that uses the given answers in turn, and then repeats the last one."""
        remaining = list(answers)

        def answer(handler):
            (remaining.pop(0) if len(remaining) > 1 else remaining[0])(handler)

        return answer


@pytest.fixture
def server():
    server = LoopbackServer()
    yield server
    server.close()
