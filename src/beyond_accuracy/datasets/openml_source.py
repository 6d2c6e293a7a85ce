"""Files of OpenML data sets, described by the ``openml`` package."""

import hashlib
import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from xml.parsers.expat import ExpatError  # nosec B405 # the exception alone

import requests

from beyond_accuracy.datasets.errors import ChecksumError
from beyond_accuracy.datasets.network import Network, ServerFailure

# Those of data sets have some 10 kB; the package keeps them in memory several times.
_LARGEST_DESCRIPTION = 2**22


def download_openml(data_id: int, location: str, network: Network, cache: Path) -> Path:
    """Download the ARFF file of an OpenML data set below ``cache``, a temporary folder.

    The package reads the description; the file comes as a stream, which the package would hold in
    memory, and is compared with the md5 of the description.

    Raises ServerFailure, ChecksumError, what ``requests`` raises, and OSError where files cannot be
    written.
    """
    address, md5 = _described(data_id, network, cache)
    file = network.retrieve(address, cache)
    with file.open("rb") as stream:
        found = hashlib.file_digest(stream, _md5).hexdigest()
    if md5 not in (None, found):
        raise ChecksumError(
            location,
            [f"(md5) {md5}"],
            f"(md5) {found}, not the one of OpenML's description of the data set",
            "run again in case the transfer was at fault, otherwise report it to OpenML",
        )
    return file


def _md5():
    return hashlib.md5(usedforsecurity=False)


def _described(data_id: int, network: Network, cache: Path) -> tuple[str, str | None]:
    """Address and md5 of the file of a data set."""
    with _configured(network, str(cache)) as openml:
        try:
            data_set = openml.datasets.get_dataset(
                data_id,
                download_data=False,
                download_qualities=False,
                download_features_meta_data=False,
            )
        except openml.exceptions.OpenMLServerException as error:
            raise ServerFailure(f"OpenML answers with error {error.code}", retry=False) from error
        except openml.exceptions.OpenMLServerError as error:
            raise ServerFailure("OpenML's server fails", retry=True) from error
        except openml.exceptions.OpenMLCacheException as error:
            # Such as a full disk, which that error does not name.
            raise error.__cause__ or error from error
        except (ExpatError, KeyError, TypeError, ValueError, RecursionError) as error:
            # Such as the page of a network that wants a password first.
            reason = "the answer is not OpenML's description of a data set"
            raise ServerFailure(reason, retry=True) from error
        return str(data_set.url), data_set.md5_checksum


@contextmanager
def _configured(network: Network, cache: str) -> Iterator:
    """The ``openml`` package, with this project's server, cache, limits and timeouts.

    It is imported here and not at the top: its import takes a second and makes a configuration
    folder, which must not be below the home directory (there may be none that can be written).
    """
    environment = {
        "OPENML_CACHE_DIR": cache,
        "OPENML_SKIP_PARQUET": "true",
        "XDG_CONFIG_HOME": cache,
    }
    earlier = {name: os.environ.get(name) for name in environment}
    os.environ.update(environment)
    request = requests.Session.request

    def limited_request(session, method, url, **options):
        # openml has no options for timeouts and sizes: it would wait, and read, for ever.
        requests.Session.request = request
        try:
            with network.answer(method, url, **options) as response:
                content = b"".join(network.pieces(response, _LARGEST_DESCRIPTION))
        finally:
            requests.Session.request = limited_request
        # From here on the answer is its content, which needs no decoding any more.
        response.raw = io.BytesIO(content)
        return response

    try:
        import openml

        policy = openml.config.retry_policy, openml.config.connection_n_retries
        server = openml.config.server
        root = openml.config.get_config_as_dict()["cachedir"]
        openml.config.server = network.openml_server
        openml.config.set_root_cache_directory(cache)
        # Network.download does the retries, so that they are counted in one place.
        openml.config.set_retry_policy("human", 1)
        requests.Session.request = limited_request
        try:
            yield openml
        finally:
            requests.Session.request = request
            openml.config.server = server
            openml.config.set_root_cache_directory(root)
            openml.config.set_retry_policy(*policy)
    finally:
        for name, value in earlier.items():
            os.environ.pop(name, None) if value is None else os.environ.update({name: value})
