"""Files of OpenML data sets, through the ``openml`` package."""

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from xml.parsers.expat import ExpatError

import requests

from beyond_accuracy.datasets.errors import ChecksumError
from beyond_accuracy.datasets.network import Network, ServerFailure


def download_openml(data_id: int, location: str, network: Network, cache: Path) -> Path:
    """Download the ARFF file of an OpenML data set below ``cache``, a temporary folder.

    The package checks the md5 that OpenML publishes. Its own cache takes a file cut short by a
    kill for a whole one, so that only a checked file may be moved out of it.

    Raises ServerFailure, ChecksumError, and what ``requests`` raises.
    """
    with _configured(network, str(cache)) as openml:
        try:
            data_set = openml.datasets.get_dataset(
                data_id,
                download_data=True,
                download_qualities=False,
                download_features_meta_data=False,
            )
        except openml.exceptions.OpenMLHashException as error:
            words = str(error).split("expected checksum", 1)[-1].split()
            raise ChecksumError(
                location,
                [f"(md5) {words[0]}"],
                "another md5 than OpenML's description of the data set gives",
                "run again in case the transfer was at fault, otherwise report it to OpenML",
            ) from error
        except openml.exceptions.OpenMLServerException as error:
            raise ServerFailure(f"OpenML answers with error {error.code}", retry=False) from error
        except openml.exceptions.OpenMLServerError as error:
            raise ServerFailure("OpenML's server fails", retry=True) from error
        except (ExpatError, KeyError, TypeError, ValueError) as error:
            # Such as the page of a network that wants a password first.
            reason = "the answer is not OpenML's description of a data set"
            raise ServerFailure(reason, retry=True) from error
        return Path(data_set.data_file)


@contextmanager
def _configured(network: Network, cache: str) -> Iterator:
    """The ``openml`` package, with this project's server, cache and timeouts.

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
    timeout = (network.connect_timeout, network.read_timeout)

    def request_with_timeout(session, *arguments, **options):
        # openml passes no timeout and offers no option for one: it would wait for ever.
        response = request(session, *arguments, **{"timeout": timeout} | options | {"stream": True})
        content = b"".join(network.pieces(response))
        response.close()
        # From here on the answer is its content, which needs no decoding any more.
        response.raw = io.BytesIO(content)
        return response

    try:
        import openml

        policy = openml.config.retry_policy, openml.config.connection_n_retries
        server = openml.config.server
        openml.config.server = network.openml_server
        openml.config.set_root_cache_directory(cache)
        # Network.download does the retries, so that they are counted in one place.
        openml.config.set_retry_policy("human", 1)
        requests.Session.request = request_with_timeout
        try:
            yield openml
        finally:
            requests.Session.request = request
            openml.config.server = server
            openml.config.set_retry_policy(*policy)
    finally:
        for name, value in earlier.items():
            os.environ.pop(name, None) if value is None else os.environ.update({name: value})
