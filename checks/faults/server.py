"""A source on the loopback that fails in every way."""

import gzip
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = Callable[[BaseHTTPRequestHandler, bytes], None]


def good(handler: BaseHTTPRequestHandler, body: bytes) -> None:
    """Answer with what was asked for."""
    _send(handler, body)


def _status(code: int) -> Answer:
    return lambda handler, body: _send(handler, b"no", code=code)


def _short(handler: BaseHTTPRequestHandler, body: bytes) -> None:
    _send(handler, body[: len(body) // 2], promised=len(body))


def _wrong(handler: BaseHTTPRequestHandler, body: bytes) -> None:
    _send(handler, body[:-2] + b"0\n")


def _page(handler: BaseHTTPRequestHandler, body: bytes) -> None:
    _send(handler, b"<!DOCTYPE html><html><body>Please log in</body></html>", kind="text/html")


def _redirect(handler: BaseHTTPRequestHandler, body: bytes) -> None:
    handler.send_response(302)
    handler.send_header("Location", handler.path)
    handler.send_header("Content-Length", "0")
    handler.end_headers()


def _bomb(handler: BaseHTTPRequestHandler, body: bytes) -> None:
    """64 MB of zeros in 64 kB."""
    _send(handler, gzip.compress(bytes(2**26)))


def _slow(handler: BaseHTTPRequestHandler, body: bytes) -> None:
    """One piece a second, for a quarter of a minute, then the end of the connection."""
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    for start in range(15):
        handler.wfile.write(body[start : start + 1])
        handler.wfile.flush()
        time.sleep(1)
    handler.close_connection = True


ANSWERS: dict[str, Answer] = {
    "answers 404": _status(404),
    "answers 500": _status(500),
    "cuts the body short": _short,
    "sends other bytes": _wrong,
    "sends a page of HTML": _page,
    "redirects for ever": _redirect,
    "sends a bomb": _bomb,
    "is slow and gives up": _slow,
}


def _send(handler, body, *, code=200, kind="text/csv", promised=None):
    handler.send_response(code)
    handler.send_header("Content-Type", kind)
    handler.send_header("Content-Length", str(promised or len(body)))
    handler.end_headers()
    handler.wfile.write(body)
    handler.close_connection = True


@contextmanager
def served(port: int = 0) -> Iterator["Source"]:
    """Serve `files` of the result on the loopback; `answer` and `failing` of it say how."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            path = self.path.partition("?")[0]
            if path not in source.files:
                self.send_error(404)
            elif source.failing in (None, path):
                source.answer(self, source.files[path])
            else:
                good(self, source.files[path])

        def log_message(self, *arguments):
            pass

    with ThreadingHTTPServer(("127.0.0.1", port), Handler) as server:
        server.daemon_threads = True
        source = Source(server.server_port)
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield source
        finally:
            server.shutdown()
            thread.join()


class Source:
    """A server: its address, its files by path, and how it answers, `good` unless set.

    `failing` is the only path that is answered so; None is all.
    """

    def __init__(self, port: int):
        self.port = port
        self.address = f"http://127.0.0.1:{port}"
        self.files: dict[str, bytes] = {}
        self.answer: Answer = good
        self.failing: str | None = None
