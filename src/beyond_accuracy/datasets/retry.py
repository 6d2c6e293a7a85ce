"""Which unavailable data sets can be had now."""

from collections.abc import Collection, Iterable
from pathlib import Path

from beyond_accuracy.datasets.entry import Catalogue, Entry
from beyond_accuracy.datasets.errors import DataSetError, DataSetUnavailable
from beyond_accuracy.datasets.fetch import fetch
from beyond_accuracy.datasets.network import Network
from beyond_accuracy.datasets.prepare import obtain
from beyond_accuracy.datasets.prepared import RECORD, read_record


def retry_unavailable(
    prepared_root: Path | str,
    catalogue: Catalogue,
    mirror: Path | str | None,
    raw_folder: Path | str,
    *,
    names: Collection[str],
    retry_substitutes: bool = False,
    network: Network | None = None,
) -> list[str]:
    """Those of ``names`` that were prepared as ``unavailable`` and can be had by now, in order.

    Their raw files are fetched, so that preparing them anew needs no second download; prepared
    folders are not touched. Whatever goes wrong otherwise than by being out of reach counts as
    "can be had": preparing will then show the error. With ``retry_substitutes``, data sets whose
    substitute is in use are tried too.

    Quick with the network off: all hosts are probed at once, and each unreachable one costs one
    connection timeout (3 seconds by default) in all.
    """
    network = network or Network(connect_timeout=3.0, retries=0)
    waiting = []
    for name in sorted(names):
        folder = Path(prepared_root) / name
        if not (folder / RECORD).is_file():
            continue
        try:
            record = read_record(folder)
        except DataSetError:
            continue
        entry = catalogue.get(name)
        if entry is not None and record["status"] == "unavailable":
            waiting.append((entry, True))
        elif entry is not None and retry_substitutes and record["used"] != entry.name:
            waiting.append((entry, False))
    entries = [entry for entry, _ in waiting]
    entries += [catalogue[e.substitute] for e, whole in waiting if whole and e.substitute]
    network.probe(_addresses(entries, network))
    obtainable = []
    for entry, with_substitute in waiting:
        try:
            if with_substitute:
                obtain(entry, catalogue, mirror=mirror, raw_folder=raw_folder, network=network)
            else:
                fetch(entry, mirror=mirror, raw_folder=raw_folder, network=network)
        except DataSetUnavailable:
            continue
        except DataSetError:
            pass
        obtainable.append(entry.name)
    return obtainable


def _addresses(entries: Iterable[Entry], network: Network) -> set[str]:
    addresses = set()
    for entry in entries:
        for source in entry.sources:
            if source.kind == "url":
                addresses |= {url for urls in source.files.values() for url in urls}
            elif source.kind == "openml":
                addresses.add(network.openml_server)
    return addresses
