"""Downloads that fail fast: timeouts, few retries, and unreachable hosts remembered."""

import os
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests
from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import (
    ConnectTimeoutError,
    HTTPError,
    NameResolutionError,
    NewConnectionError,
    ReadTimeoutError,
)

from beyond_accuracy.datasets.errors import SourceUnreachable
from beyond_accuracy.datasets.schema import is_web_address

_INCOMING = ".incoming-"
_OPENML_VARIABLE = "BEYOND_ACCURACY_OPENML_SERVER"
_RETRIED_STATUS = {408, 425, 429}
_REDIRECTS = {301, 302, 303, 307, 308}
_MOST_REDIRECTS = 10
# urllib3 derives NewConnectionError from ConnectTimeoutError, so it is asked for first.
_HOST_IS_GONE = {
    NameResolutionError: "the host's name cannot be resolved",
    ConnectionRefusedError: "the host refuses the connection",
    NewConnectionError: "there is no connection to the host",
    ConnectTimeoutError: "the host does not answer in time",
    requests.exceptions.ProxyError: "the proxy cannot be reached",
}


class ServerFailure(Exception):
    """A server that was reached says that it cannot serve; raised inside ``Network.download``."""

    def __init__(self, reason: str, *, retry: bool):
        self.reason, self.retry = reason, retry
        super().__init__(reason)


@dataclass
class Network:
    """How hard to try, and which hosts have been found unreachable.

    Parameters
    ----------
    connect_timeout, read_timeout : seconds to wait for a connection and for each next byte.
        A host that refuses, cannot be resolved or does not answer in time is not tried again by
        the same object: with the network off, each host costs one timeout at most.
    deadline, largest : seconds that a file may take to come in, with all redirects and attempts
        (but not the look-up of names, which the system limits), and bytes that it may have.
        A server that sends a byte at a time would otherwise hold a job for ever.
    retries : further attempts after a server error, a truncated body or a stalled one.
    pause : seconds before the first retry; doubled before each further one.
    openml_server : address of the OpenML REST interface; by default that of the environment
        variable ``BEYOND_ACCURACY_OPENML_SERVER`` (a server of one's own), else OpenML's.
    """

    connect_timeout: float = 10.0
    read_timeout: float = 60.0
    deadline: float = 1800.0
    largest: int = 2**32
    retries: int = 2
    pause: float = 1.0
    openml_server: str = field(
        default_factory=lambda: os.environ.get(
            _OPENML_VARIABLE, "https://www.openml.org/api/v1/xml"
        )
    )
    unreachable_hosts: dict[str, str] = field(default_factory=dict)

    @contextmanager
    def download(
        self, url: str, folder: Path, retrieve: Callable[[Path], Path] | None = None
    ) -> Iterator[Path]:
        """Download ``url`` to a temporary file below ``folder``, gone when the block ends.

        ``retrieve`` downloads into a folder and returns the file: by default that at ``url``.
        Raises SourceUnreachable after the last attempt.
        """
        folder.mkdir(parents=True, exist_ok=True)
        for left in folder.glob(f"{_INCOMING}*"):
            # Of a run that was killed: no download takes so long.
            with suppress(FileNotFoundError):
                if time.time() - left.stat().st_mtime > 2 * self.deadline:
                    shutil.rmtree(left, ignore_errors=True)
        retrieve = retrieve or partial(self.retrieve, url)
        with tempfile.TemporaryDirectory(dir=folder, prefix=_INCOMING) as temporary:
            yield self._attempt(url, lambda: retrieve(Path(temporary)))

    def _attempt(self, url: str, action: Callable[[], Path]) -> Path:
        host = urlsplit(url).netloc
        end = time.monotonic() + self.deadline
        for number in range(self.retries + 1):
            if host in self.unreachable_hosts:
                raise SourceUnreachable(url, self.unreachable_hosts[host])
            if number:
                time.sleep(self.pause * 2 ** (number - 1))
            try:
                with _cut_at(end, f"it sends for more than {self.deadline:g} seconds"):
                    return action()
            except (requests.RequestException, ServerFailure) as error:
                reason, host_is_gone, worth_retrying = describe_failure(error)
                if host_is_gone:
                    self.unreachable_hosts[host] = reason
                if host_is_gone or not worth_retrying or number == self.retries:
                    raise SourceUnreachable(url, reason) from error

    def retrieve(self, url: str, folder: Path) -> Path:
        """Download into a folder, once; raises ServerFailure and what ``requests`` raises."""
        # The caller checks the sums, before the file gets its final name.
        with self.answer("GET", url) as response, open(folder / "download", "wb") as target:
            status = response.status_code
            if status != requests.codes.ok:
                retry = status >= 500 or status in _RETRIED_STATUS
                raise ServerFailure(f"HTTP status {status}", retry=retry)
            for piece in self.pieces(response, self.largest):
                target.write(piece)
        return folder / "download"

    @contextmanager
    def answer(self, method: str, url: str, **options: Any) -> Iterator[requests.Response]:
        """The last of the answers to which redirects lead, its body not yet read.

        Bodies of redirects are not read at all. Raises ServerFailure for a redirect to what is no
        address on the web, or one too many, and what ``requests`` raises.
        """
        options |= {"timeout": (self.connect_timeout, self.read_timeout), "stream": True}
        with _Session() as session:
            for _ in range(_MOST_REDIRECTS + 1):
                if not is_web_address(url):
                    raise ServerFailure("it is no address on the web", retry=False)
                with session.request(method, url, **options) as response:
                    target = response.headers.get("location")
                    if response.status_code not in _REDIRECTS or target is None:
                        yield response
                        return
                url = _redirected(response.url, target)
                # They are in the target, if it needs them.
                options.pop("params", None)
            raise ServerFailure(f"it redirects more than {_MOST_REDIRECTS} times", retry=False)

    def pieces(self, response: requests.Response, largest: int) -> Iterator[bytes]:
        """The body of an answer, as it comes in.

        Raises ServerFailure beyond `largest` bytes, and `requests.ConnectionError` where the
        connection breaks.
        """
        size = 0
        try:
            # Unlike requests' own pieces these do not wait until they are full.
            while piece := response.raw.read1(2**16, decode_content=True):
                size += len(piece)
                if size > largest:
                    raise ServerFailure(f"it sends more than {largest} bytes", retry=False)
                yield piece
        except ReadTimeoutError as error:
            raise requests.exceptions.ReadTimeout(error) from error
        except HTTPError as error:
            raise requests.exceptions.ChunkedEncodingError(error) from error


def _redirected(url: str, target: str) -> str:
    """The address that a redirect leads to."""
    try:
        # Headers are read as latin-1, and sent as UTF-8 if at all.
        address = urljoin(url, target.encode("latin-1").decode("utf-8"))
    except ValueError:
        address = ""
    if not is_web_address(address):
        raise ServerFailure("it redirects to what is no address on the web", retry=False)
    return address


class _Session(requests.Session):
    """Follows no redirects, whose bodies ``requests`` reads whole, and has a deadline."""

    def __init__(self):
        super().__init__()
        for scheme in ("http://", "https://"):
            self.mount(scheme, _CutAdapter())

    def get_redirect_target(self, resp):
        return None


class _Attempt(threading.local):
    """The connections of this thread's attempt, if it makes one."""

    connections: "_Connections | None" = None


_ATTEMPT = _Attempt()


@contextmanager
def _cut_at(end: float, reason: str) -> Iterator[None]:
    """Cut this thread's connections at a time of the monotonic clock; then raise ServerFailure.

    A timeout of reading starts anew with each byte, be it of a header.
    """
    connections = _Connections()
    timer = threading.Timer(max(end - time.monotonic(), 0), connections.cut)
    timer.daemon = True
    timer.start()
    _ATTEMPT.connections = connections
    try:
        yield
        if connections.are_cut:
            # What ends with the connection alone would look whole.
            raise ServerFailure(reason, retry=False)
    except requests.RequestException as error:
        if connections.are_cut:
            raise ServerFailure(reason, retry=False) from error
        raise
    finally:
        timer.cancel()
        _ATTEMPT.connections = None
        connections.close()


class _Connections:
    """Connections that are cut together, and those that are added later at once."""

    def __init__(self):
        self._sockets: list[socket.socket] = []
        self._lock = threading.Lock()
        self.are_cut = False

    def add(self, connection: socket.socket) -> None:
        with self._lock:
            # One more of the same connection: TLS takes the other one away.
            self._sockets.append(connection.dup())
        if self.are_cut:
            self.cut()

    def cut(self) -> None:
        with self._lock:
            self.are_cut = True
            for each in self._sockets:
                # The server may have been first.
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        with self._lock:
            for each in self._sockets:
                each.close()


class _CutMixin:
    def _new_conn(self):
        connection = super()._new_conn()
        if _ATTEMPT.connections is not None:
            _ATTEMPT.connections.add(connection)
        return connection


class _CutConnection(_CutMixin, HTTPConnection):
    pass


class _CutSecureConnection(_CutMixin, HTTPSConnection):
    pass


class _CutPool(HTTPConnectionPool):
    ConnectionCls = _CutConnection


class _CutSecurePool(HTTPSConnectionPool):
    ConnectionCls = _CutSecureConnection


class _CutAdapter(HTTPAdapter):
    _POOLS = {"http": _CutPool, "https": _CutSecurePool}

    def init_poolmanager(self, *arguments, **options):
        super().init_poolmanager(*arguments, **options)
        self.poolmanager.pool_classes_by_scheme = self._POOLS

    def proxy_manager_for(self, *arguments, **options):
        manager = super().proxy_manager_for(*arguments, **options)
        manager.pool_classes_by_scheme = self._POOLS
        return manager


def describe_failure(error: Exception) -> tuple[str, bool, bool]:
    """Reason in words, whether the host is out of reach, whether a retry may help.

    Words are made here and not taken from the exception, whose text differs from run to run.
    """
    if isinstance(error, ServerFailure):
        return error.reason, False, error.retry
    if isinstance(error, requests.HTTPError) and error.response is not None:
        status = error.response.status_code
        return f"HTTP status {status}", False, status >= 500 or status in _RETRIED_STATUS
    causes = list(_causes(error))
    for kind, reason in _HOST_IS_GONE.items():
        if any(isinstance(cause, kind) for cause in causes):
            return reason, True, False
    if isinstance(error, requests.exceptions.SSLError):
        return "the secure connection fails", False, False
    if isinstance(error, requests.exceptions.ChunkedEncodingError):
        return "the answer breaks off before its end", False, True
    if isinstance(error, requests.Timeout) or "Read timed out" in str(error):
        return "the server stalls", False, True
    return f"the connection fails ({type(error).__name__})", False, True


def _causes(error: BaseException) -> Iterator[BaseException]:
    """``error`` and all that is chained to it or wrapped in it."""
    pending, seen = [error], set()
    while pending:
        cause = pending.pop()
        if not isinstance(cause, BaseException) or id(cause) in seen:
            continue
        seen.add(id(cause))
        yield cause
        pending += [cause.__cause__, cause.__context__, getattr(cause, "reason", None), *cause.args]
