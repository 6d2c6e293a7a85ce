"""`python -m beyond_accuracy_pipeline.workflow.sources`: fill a mirror, or try all addresses.

A mirror is a folder with copies of data files.
"""

import argparse
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from urllib3.exceptions import HTTPError

from beyond_accuracy_pipeline.configuration.catalogue import load_catalogue
from beyond_accuracy_pipeline.configuration.files import ConfigurationError, read_yaml
from beyond_accuracy_pipeline.datasets.download import Downloader, describe_failure, is_web_page
from beyond_accuracy_pipeline.datasets.entry import Entry
from beyond_accuracy_pipeline.datasets.errors import DataSetError, SourceUnreachable
from beyond_accuracy_pipeline.datasets.fetch import FetchSettings
from beyond_accuracy_pipeline.datasets.mirror_copy import MANIFEST, copy_to_mirror
from beyond_accuracy_pipeline.datasets.places import CATALOGUE_FOLDER
from beyond_accuracy_pipeline.datasets.sources import ArchiveMember
from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.workflow.availability import mirror_folder

CONFIGURATION = "config/config.yaml"
REACHABLE = "reachable"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command "mirror" or "check" on the sources of data sets; return the exit status.

    "mirror" copies data files into a folder, and "check" requests all download addresses.
    `arguments` are the command and its options, by default from the command line. Status 1 means
    that a file or an address failed, 2 another error.
    """
    parser = argparse.ArgumentParser(
        prog="beyond_accuracy_pipeline.workflow.sources", description=__doc__
    )
    commands = parser.add_subparsers(required=True)
    mirror = commands.add_parser("mirror", help="copy the files of data sets into a folder")
    mirror.add_argument("folder", type=Path)
    mirror.add_argument("--public", action="store_true", help="only what may be redistributed")
    mirror.set_defaults(function=_mirror)
    check = commands.add_parser("check", help="ask every address for its first bytes")
    check.set_defaults(function=_check)
    for command in (mirror, check):
        command.add_argument("--papers", nargs="+", default=[], help="papers, by default all")
    options = parser.parse_args(arguments)
    try:
        return options.function(options)
    except (OSError, ConfigurationError, DataSetError) as error:
        print(error, file=sys.stderr)
        return 2


def selected_data_sets(papers: Sequence[str]) -> list[str]:
    """Return the names of the data sets of some papers, by default of all configured papers."""
    papers = papers or read_yaml(CONFIGURATION).content["papers"]
    names: dict[str, None] = {}
    for paper in papers:
        file = read_yaml(f"src/beyond_accuracy_pipeline/papers/{paper}/paper.yaml")
        names |= dict.fromkeys(layout.used_data_sets(file.content[paper]))
    return list(names)


def _mirror(options: argparse.Namespace) -> int:
    folder, configuration = options.folder, read_yaml(CONFIGURATION).content
    settings = FetchSettings(
        mirror=mirror_folder(configuration),
        raw_folder=Path(configuration["resources"]) / "raw",
        large_downloads=configuration.get("large_downloads", False),
    )
    catalogue = load_catalogue(CATALOGUE_FOLDER)
    names = selected_data_sets(options.papers)
    try:
        copied, missing = copy_to_mirror(catalogue, names, folder, settings, public=options.public)
    except OSError as error:
        raise OSError(f"{error}. Name another folder: make mirror DIR=...") from error
    size = sum(each.bytes for each in copied) / 1e6
    print(f"{folder}: {len(copied)} files, {size:.0f} MB, listed in {folder / MANIFEST}.")
    if missing:
        print(f"Missing: {len(missing)} of {len(names)} data sets.")
        print(*(f"  {line}" for line in missing), sep="\n")
    if copied:
        print(f"To use it, run make MIRROR={folder}")
    return 1 if missing and not options.public else 0


def _check(options: argparse.Namespace) -> int:
    catalogue = load_catalogue(CATALOGUE_FOLDER)
    names = selected_data_sets(options.papers) if options.papers else list(catalogue)
    downloader = Downloader(read_timeout=20.0, retries=1)
    answers = check_addresses([catalogue[name] for name in names], downloader)
    for url, (data_sets, answer) in answers.items():
        more = f" and {len(data_sets) - 1} more" if len(data_sets) > 1 else ""
        print(f"{answer:<12}  {data_sets[0]}{more}  {url}")
    failed = sum(answer != REACHABLE for _, answer in answers.values())
    print(f"\n{len(answers)} addresses: {failed} fail")
    return int(failed > 0)


def check_addresses(
    entries: Iterable[Entry], downloader: Downloader, *, seconds_between: float = 1.0
) -> dict[str, tuple[list[str], str]]:
    """Request the first bytes of each web address of some data sets.

    Return {address: (names of its data sets, answer)}. The answer is `REACHABLE` or a reason.
    """
    users: dict[str, list[str]] = {}
    for entry in entries:
        for source in entry.sources:
            for role in source.files if source.kind == "url" else ():
                for address in source.addresses(role):
                    url = address.archive if isinstance(address, ArchiveMember) else address
                    names = users.setdefault(url, [])
                    names += [entry.name] * (entry.name not in names)
    answers = {}
    for url, names in users.items():
        try:
            with downloader.open(url, {"Range": "bytes=0-511"}) as response:
                start = response.raw.read(512)
            answers[url] = names, "a web page" if is_web_page(start) else REACHABLE
        except SourceUnreachable as error:
            answers[url] = names, error.reason
        except HTTPError as error:
            answers[url] = names, describe_failure(error)
        time.sleep(seconds_between)
    return answers


if __name__ == "__main__":
    sys.exit(main())
