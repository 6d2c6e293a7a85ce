"""Downloads that fail fast: timeouts, few retries, and unreachable hosts remembered."""

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import requests
from urllib3.exceptions import (
    ConnectTimeoutError,
    DecodeError,
    NameResolutionError,
    NewConnectionError,
    ProtocolError,
    ReadTimeoutError,
)

from beyond_accuracy.datasets.errors import SourceUnreachable

_OPENML_VARIABLE = "BEYOND_ACCURACY_OPENML_SERVER"
_RETRIED_STATUS = {408, 425, 429}
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
    deadline, largest : seconds that a file may take to come in, and bytes that it may have.
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
        retrieve = retrieve or partial(self._retrieve, url)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".incoming-") as temporary:
            yield self._attempt(url, lambda: retrieve(Path(temporary)))

    def _attempt(self, url: str, action: Callable[[], Path]) -> Path:
        host = urlsplit(url).netloc
        for number in range(self.retries + 1):
            if host in self.unreachable_hosts:
                raise SourceUnreachable(url, self.unreachable_hosts[host])
            if number:
                time.sleep(self.pause * 2 ** (number - 1))
            try:
                return action()
            except (requests.RequestException, ServerFailure) as error:
                reason, host_is_gone, worth_retrying = describe_failure(error)
                if host_is_gone:
                    self.unreachable_hosts[host] = reason
                if host_is_gone or not worth_retrying or number == self.retries:
                    raise SourceUnreachable(url, reason) from error

    def _retrieve(self, url: str, folder: Path) -> Path:
        timeout = (self.connect_timeout, self.read_timeout)
        # The caller checks the sums, before the file gets its final name.
        with (
            requests.get(url, timeout=timeout, stream=True) as response,
            open(folder / "download", "wb") as target,
        ):
            response.raise_for_status()
            for piece in self.pieces(response):
                target.write(piece)
        return folder / "download"

    def pieces(self, response: requests.Response) -> Iterator[bytes]:
        """The body of an answer, as it comes in.

        Raises ServerFailure beyond `deadline` and `largest`, and `requests.ConnectionError` where
        the connection breaks.
        """
        started, size = time.monotonic(), 0
        try:
            # Unlike requests' own pieces these do not wait until they are full.
            while piece := response.raw.read1(2**16, decode_content=True):
                size += len(piece)
                if size > self.largest:
                    raise ServerFailure(f"it sends more than {self.largest} bytes", retry=False)
                if time.monotonic() - started > self.deadline:
                    reason = f"it sends for more than {self.deadline:g} seconds"
                    raise ServerFailure(reason, retry=False)
                yield piece
        except (ProtocolError, DecodeError) as error:
            raise requests.exceptions.ChunkedEncodingError(error) from error
        except ReadTimeoutError as error:
            raise requests.exceptions.ReadTimeout(error) from error


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
