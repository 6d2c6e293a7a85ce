"""`python -m beyond_accuracy_pipeline.workflow.sources`: fill a mirror, or ask all addresses."""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from beyond_accuracy_pipeline.configuration.catalogue import load_catalogue
from beyond_accuracy_pipeline.configuration.files import ConfigurationError, read_yaml
from beyond_accuracy_pipeline.datasets.download import Downloader
from beyond_accuracy_pipeline.datasets.errors import DataSetError
from beyond_accuracy_pipeline.datasets.fetch import Places
from beyond_accuracy_pipeline.datasets.mirror_copy import MANIFEST, copy_to_mirror
from beyond_accuracy_pipeline.datasets.places import CATALOGUE_FOLDER
from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.workflow.mirror import mirror_folder
from beyond_accuracy_pipeline.workflow.source_check import AddressCheck, check_addresses

CONFIGURATION = "config/config.yaml"


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 0; 1 if a file is missing from the mirror or an address is not as pinned; 2 else."""
    options = _parser().parse_args(arguments)
    try:
        return options.function(options)
    except (OSError, ConfigurationError, DataSetError) as error:
        print(error, file=sys.stderr)
        return 2


def selected_data_sets(papers: Sequence[str]) -> list[str]:
    """Return the data sets of papers, by default those that the configuration selects."""
    papers = papers or read_yaml(CONFIGURATION).content["papers"]
    names: dict[str, None] = {}
    for paper in papers:
        content = read_yaml(f"src/beyond_accuracy_pipeline/papers/{paper}/paper.yaml").content[
            paper
        ]
        names |= dict.fromkeys(layout.used_data_sets(content))
    return list(names)


def _mirror(options: argparse.Namespace) -> int:
    folder = Path(options.folder)
    configuration = read_yaml(CONFIGURATION).content
    places = Places(
        mirror=mirror_folder(configuration),
        raw_folder=Path(configuration["resources"]) / "raw",
        large_downloads=configuration.get("large_downloads", False),
    )
    catalogue = load_catalogue(CATALOGUE_FOLDER)
    names = selected_data_sets(options.papers)
    try:
        copied, missing = copy_to_mirror(catalogue, names, folder, places, public=options.public)
    except OSError as error:
        raise OSError(f"{error}. Name another folder: make mirror DIR=...") from error
    size = sum(each.bytes for each in copied) / 1e6
    print(f"{folder}: {len(copied)} files, {size:.0f} MB, listed in {folder / MANIFEST}.")
    if missing:
        print(f"Missing: {len(missing)} of {len(names)} data sets.")
        print(*(f"  {line}" for line in missing), sep="\n")
    if copied:
        print(f"Use it by make MIRROR={folder}")
    return 1 if missing and not options.public else 0


def _check(options: argparse.Namespace) -> int:
    catalogue = load_catalogue(CATALOGUE_FOLDER)
    names = selected_data_sets(options.papers) if options.papers else list(catalogue)
    checks = check_addresses(
        [catalogue[name] for name in names],
        Downloader(connect_timeout=10.0, read_timeout=20.0, retries=1),
        seconds_between=options.seconds_between,
    )
    print(table_of_addresses(checks))
    counts = Counter(check.verdict for check in checks)
    print(f"\n{len(checks)} addresses: " + ", ".join(f"{n} {name}" for name, n in counts.items()))
    return 0 if counts.keys() <= {"as pinned", "there"} else 1


def table_of_addresses(checks: Sequence[AddressCheck]) -> str:
    """Return a table with a line per address: verdict, status, size, data sets, address."""
    rows = [("verdict", "status", "bytes", "data sets", "address")]
    for check in checks:
        first, *others = check.data_sets
        names = f"{first} and {len(others)} more" if others else first
        size = "" if check.size is None else f"{check.size:,}"
        rows.append((check.verdict, str(check.status), size, names, check.url))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="beyond_accuracy_pipeline.workflow.sources", description=__doc__
    )
    commands = parser.add_subparsers(required=True)
    mirror = commands.add_parser("mirror", help="copy the files of data sets into a folder")
    mirror.add_argument("folder")
    mirror.add_argument("--public", action="store_true", help="only what may be redistributed")
    mirror.set_defaults(function=_mirror)
    check = commands.add_parser("check", help="ask every address for its size and first bytes")
    check.add_argument(
        "--seconds-between", type=float, default=1.0, help="pause between requests to one host"
    )
    check.set_defaults(function=_check)
    for command in (mirror, check):
        command.add_argument("--papers", nargs="+", default=[], help="papers, by default all")
    return parser


if __name__ == "__main__":
    sys.exit(main())
