"""What snakemake is given on the command line: values of ``--config``, files of ``--configfile``.

Both need care before Snakemake has read the Snakefile, or in spite of what it has read.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from beyond_accuracy_pipeline.configuration.files import (
    LONGEST_NUMBER,
    ConfigurationError,
    check_configuration_file,
)


def typed_values(value: Any) -> Any:
    """Return what ``--config`` gives, with the types that it has in YAML.

    Snakemake leaves ``true`` and ``null``, and everything inside of lists and mappings, as text.
    """
    if isinstance(value, Mapping):
        return {key: typed_values(below) for key, below in value.items()}
    if isinstance(value, list):
        return [typed_values(below) for below in value]
    # A longer text is no number that is read in a file.
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_NUMBER:
        return value
    try:
        typed = yaml.safe_load(value)
    except (yaml.YAMLError, ValueError, OverflowError):
        return value
    return typed if typed is None or isinstance(typed, bool | int | float) else value


def check_configuration_files(arguments: Sequence[str] | None = None) -> None:
    """Exit with a message if a file given with ``--configfile`` cannot be read.

    The default profile calls it: Snakemake reads these files before the Snakefile, and ends with a
    traceback. `arguments` are those of the process by default.
    """
    parser = argparse.ArgumentParser(allow_abbrev=False, add_help=False, exit_on_error=False)
    parser.add_argument("--configfile", "--configfiles", nargs="+", action="extend", default=[])
    try:
        given, _ = parser.parse_known_args(sys.argv[1:] if arguments is None else arguments)
        for file in given.configfile:
            check_configuration_file(file)
    except argparse.ArgumentError:
        # Snakemake's own parser says it better.
        return
    except ConfigurationError as error:
        sys.exit(str(error))
