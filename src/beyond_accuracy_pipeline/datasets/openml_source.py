"""Download OpenML data sets, which the ``openml`` package describes."""

import os
from pathlib import Path
from urllib.parse import urlsplit
from xml.parsers.expat import ExpatError  # nosec B405 # the exception alone

import requests

from beyond_accuracy_pipeline.datasets.download import Downloader
from beyond_accuracy_pipeline.datasets.errors import SourceUnreachable

# With the address of another OpenML server.
SERVER_VARIABLE = "BEYOND_ACCURACY_OPENML_SERVER"
_SERVER = "https://www.openml.org/api/v1/xml"


def download_openml(data_id: int, downloader: Downloader, path: Path) -> None:
    """Download an OpenML data set as an ARFF file to `path`, or raise SourceUnreachable.

    The environment variable BEYOND_ACCURACY_OPENML_SERVER replaces the server's default address.
    """
    location, cache = f"openml data set {data_id}", path.parent
    server = os.environ.get(SERVER_VARIABLE) or _SERVER
    host = urlsplit(server).netloc
    if host in downloader.unreachable:
        raise SourceUnreachable(location, downloader.unreachable[host])
    # The import makes a configuration folder, which must not be below a home that is read-only.
    os.environ.setdefault("XDG_CONFIG_HOME", str(cache))
    import openml

    try:
        with openml.config.overwrite_config_context(
            {
                "cachedir": str(cache),
                "retry_policy": "human",
                "connection_n_retries": 1,
                "server": server,
            }
        ):
            described = openml.datasets.get_dataset(
                data_id,
                download_data=False,
                download_qualities=False,
                download_features_meta_data=False,
            )
    except openml.exceptions.OpenMLServerException as error:
        raise SourceUnreachable(location, f"OpenML answers with error {error.code}") from error
    except (openml.exceptions.PyOpenMLError, requests.RequestException) as error:
        raise SourceUnreachable(location, "OpenML's server fails") from error
    except (ExpatError, KeyError, TypeError, ValueError) as error:
        # Such as the page of a network that asks for a password first.
        reason = "the answer is not OpenML's description of a data set"
        raise SourceUnreachable(location, reason) from error
    downloader.download(str(described.url), path)
