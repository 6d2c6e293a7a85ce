"""Ask every address of the catalogue for its size and first bytes, without downloading it."""

import time
from collections import defaultdict
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple
from urllib.parse import urlsplit

import requests

from beyond_accuracy_pipeline.datasets.download import (
    HTML,
    Downloader,
    content_length,
    describe_failure,
    next_piece,
)
from beyond_accuracy_pipeline.datasets.entry import Entry
from beyond_accuracy_pipeline.datasets.errors import SourceUnreachable
from beyond_accuracy_pipeline.datasets.sources import ArchiveMember, UrlSource

_FIRST_BYTES = 512
_COMPRESSED = (b"\xfd7zXZ\x00", b"BZh", b"\x1f\x8b", b"\x1f\x9d", b"PK\x03\x04")


class AddressCheck(NamedTuple):
    """What an address answers.

    Attributes
    ----------
    data_sets : tuple of str
        The entries that have it.
    url : str
    status : int or str
        HTTP status, or why there is none.
    size : int or None
        Bytes, if the server says.
    verdict : str
        "as pinned", "other size", "there" (a size that cannot be compared, as of archives and
        compressed files), "web page", "gone" or "unreachable".
    """

    data_sets: tuple[str, ...]
    url: str
    status: int | str
    size: int | None
    verdict: str


def check_addresses(
    entries: Iterable[Entry], downloader: Downloader, *, seconds_between: float = 1.0
) -> list[AddressCheck]:
    """Ask all addresses of `url` sources: hosts in parallel, each host one request at a time.

    Parameters
    ----------
    entries : iterable of Entry
    downloader : Downloader
    seconds_between : float
        Pause between two requests to one host.
    """
    names: dict[str, list[str]] = defaultdict(list)
    sizes: dict[str, list[int]] = {}
    for entry in entries:
        for source in entry.sources:
            for role in source.files if isinstance(source, UrlSource) else ():
                for address in source.addresses(role):
                    is_member = isinstance(address, ArchiveMember)
                    url = address.archive if is_member else address
                    names[url].append(entry.name)
                    sizes[url] = [] if is_member else entry.files[role].bytes or []
    by_host: dict[str, list[str]] = defaultdict(list)
    for url in names:
        by_host[urlsplit(url).netloc].append(url)

    def ask_host(urls: list[str]) -> list[AddressCheck]:
        checks = []
        for number, url in enumerate(urls):
            if number:
                time.sleep(seconds_between)
            checks.append(
                AddressCheck(
                    tuple(dict.fromkeys(names[url])), url, *_ask(url, sizes[url], downloader)
                )
            )
        return checks

    with ThreadPoolExecutor(max_workers=max(len(by_host), 1)) as pool:
        found = [check for checks in pool.map(ask_host, by_host.values()) for check in checks]
    return sorted(found, key=lambda check: (check.data_sets, check.url))


def _ask(
    url: str, expected: list[int], downloader: Downloader
) -> tuple[int | str, int | None, str]:
    """Return status, size and verdict of one address."""
    try:
        with downloader.open(url, {"Range": f"bytes=0-{_FIRST_BYTES - 1}"}) as response:
            first = next_piece(response, _FIRST_BYTES)
            size = _size(response)
    except SourceUnreachable as error:
        return error.reason, None, "unreachable"
    except requests.RequestException as error:
        if error.response is None:
            return describe_failure(error), None, "unreachable"
        status = error.response.status_code
        return status, None, "gone" if status in (404, 410) else "unreachable"
    status = response.status_code
    if first.lstrip()[:16].lower().startswith(HTML):
        return status, size, "web page"
    if not expected or size is None or first.startswith(_COMPRESSED):
        return status, size, "there"
    return status, size, "as pinned" if size in expected else "other size"


def _size(response: requests.Response) -> int | None:
    """Return the size of the whole file; part of it was asked for, which not all servers heed."""
    _, _, total = response.headers.get("Content-Range", "").partition("/")
    if response.status_code == requests.codes.partial_content:
        return int(total) if total.isdigit() else None
    return content_length(response)
