"""Downloads over HTTP(S), with limits of time and size, and retries."""

import logging
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from tqdm import tqdm
from urllib3.exceptions import (
    HTTPError,
    NameResolutionError,
    NewConnectionError,
    ReadTimeoutError,
)
from urllib3.util import Retry

from beyond_accuracy_pipeline.datasets.errors import SourceUnreachable

logger = logging.getLogger(__name__)

_RETRIED = (408, 425, 429, 500, 502, 503, 504)
_BAR_FROM = 50_000_000
_ADVICE = {"User-Agent": "beyond-accuracy", "Accept-Encoding": "identity"}
HTML = (b"<!doctype html", b"<html")
"""First bytes of web pages, in lower case."""


@dataclass
class Downloader:
    """Downloads files, and knows which hosts cannot be reached.

    Parameters
    ----------
    connect_timeout, read_timeout : float
        Seconds to wait for a connection and for the next bytes.
    deadline : float
        Seconds that one file may take. Servers that send a byte at a time are left then.
    largest : int
        Bytes that one file may have.
    retries : int
        Further attempts after a server error, a full request quota or a broken transfer.
    pause : float
        Seconds before the first retry, doubled before each further one. A server's `Retry-After`
        counts instead, up to `longest_pause` seconds.
    unreachable : dict of str to str
        Hosts that are not asked, with the reason. A host that cannot be reached is added.
    """

    connect_timeout: float = 10.0
    read_timeout: float = 60.0
    deadline: float = 3600.0
    largest: int = 2**33
    retries: int = 2
    pause: float = 1.0
    longest_pause: int = 120
    unreachable: dict[str, str] = field(default_factory=dict)

    def download(self, url: str, target: Path) -> None:
        """Write the file at `url` to `target`. Raises SourceUnreachable."""
        for attempt in range(self.retries + 1):
            try:
                with self.open(url) as response:
                    self._write(response, target)
                return
            except requests.RequestException as error:
                if attempt == self.retries or not _is_broken_transfer(error):
                    raise SourceUnreachable(url, describe_failure(error)) from error
                time.sleep(self.pause * 2**attempt)

    def reason(self, url: str) -> str:
        """Return why the host of an address cannot be reached; '' if it gives any answer."""
        try:
            self.open(url, {"Range": "bytes=0-0"}).close()
        except SourceUnreachable as error:
            return error.reason
        except requests.RequestException as error:
            return "" if error.response is not None else describe_failure(error)
        return ""

    def open(self, url: str, headers: Mapping[str, str] | None = None) -> requests.Response:
        """Return the answer to a GET request, its body not yet read.

        Raises SourceUnreachable if the host cannot be reached, RequestException otherwise.
        """
        host = urlsplit(url).netloc
        if host in self.unreachable:
            raise SourceUnreachable(url, self.unreachable[host])
        # urllib3 waits as long as `Retry-After` says, whatever that is, up to this maximum.
        retry = Retry(
            total=self.retries,
            connect=0,
            redirect=10,
            status_forcelist=_RETRIED,
            backoff_factor=self.pause / 2,
            retry_after_max=self.longest_pause,
            raise_on_status=False,
        )
        session = requests.Session()
        for scheme in ("http://", "https://"):
            session.mount(scheme, HTTPAdapter(max_retries=retry))
        timeout = self.connect_timeout, self.read_timeout
        try:
            response = session.get(
                url, stream=True, timeout=timeout, headers={**_ADVICE, **(headers or {})}
            )
        except requests.RequestException as error:
            if host_is_gone(error):
                self.unreachable[host] = describe_failure(error)
            raise
        except (HTTPError, ValueError) as error:
            # Some redirects to what is no address.
            raise requests.exceptions.InvalidURL(error) from error
        response.raise_for_status()
        return response

    def _write(self, response: requests.Response, target: Path) -> None:
        """Write the body as it is sent: a `.gz` file may come with `Content-Encoding: gzip`."""
        url = response.url
        end = time.monotonic() + self.deadline
        size, promised = 0, content_length(response) or 0
        bar = tqdm(
            total=promised or None,
            desc=urlsplit(url).path.rsplit("/", 1)[-1],
            unit="B",
            unit_scale=True,
            mininterval=5,
            disable=promised < _BAR_FROM,
            file=sys.__stderr__,
        )
        with target.open("wb") as file, bar:
            while piece := next_piece(response):
                if not size and piece.lstrip()[:16].lower().startswith(HTML):
                    raise SourceUnreachable(url, "it sends a web page instead of the file")
                size += len(piece)
                if size > self.largest:
                    raise SourceUnreachable(url, f"it sends more than {self.largest} bytes")
                if time.monotonic() > end:
                    reason = f"it sends for more than {self.deadline:g} seconds"
                    raise SourceUnreachable(url, reason)
                file.write(piece)
                bar.update(len(piece))
        if size < promised:
            raise requests.exceptions.ChunkedEncodingError(f"{size} of {promised} bytes")


def content_length(response: requests.Response) -> int | None:
    """Return the size that the server promises, if it does."""
    length = response.headers.get("Content-Length", "")
    return int(length) if length.isdigit() else None


def next_piece(response: requests.Response, size: int = 2**20) -> bytes:
    """Return the bytes that have arrived, not decoded; errors are those of requests."""
    try:
        return response.raw.read1(size, decode_content=False)
    except ReadTimeoutError as error:
        raise requests.exceptions.ReadTimeout(error) from error
    except HTTPError as error:
        raise requests.exceptions.ChunkedEncodingError(error) from error


def describe_failure(error: requests.RequestException) -> str:
    """Return the reason in words that are the same on every run."""
    if isinstance(error, requests.exceptions.TooManyRedirects):
        return "it redirects too often"
    if error.response is not None:
        return f"HTTP status {error.response.status_code}"
    if isinstance(error, requests.exceptions.ProxyError):
        return "the proxy cannot be reached, or refuses"
    if isinstance(error, requests.exceptions.SSLError):
        return "the secure connection fails"
    if isinstance(error, requests.exceptions.ConnectTimeout):
        return "the host does not answer in time"
    if isinstance(error, requests.exceptions.ReadTimeout):
        return "the server stalls"
    if _cause(error, NameResolutionError):
        return "the host's name cannot be resolved"
    if _cause(error, NewConnectionError):
        return "the host refuses the connection"
    if isinstance(error, requests.exceptions.InvalidSchema | requests.exceptions.InvalidURL):
        return "it redirects to what is no address on the web"
    return "the transfer breaks off"


def host_is_gone(error: requests.RequestException) -> bool:
    """Whether every address on this host would fail in the same way."""
    gone = requests.exceptions.ProxyError, requests.exceptions.ConnectTimeout
    return isinstance(error, gone) or _cause(error, NewConnectionError)


def _is_broken_transfer(error: requests.RequestException) -> bool:
    return error.response is None and not host_is_gone(error)


def _cause(error: requests.RequestException, kind: type) -> bool:
    """Whether urllib3's error inside the one of requests is of a kind."""
    inner = error.args[0] if error.args else None
    return isinstance(getattr(inner, "reason", inner), kind)
