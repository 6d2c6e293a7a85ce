"""Read Snakemake's command line: values of ``--config`` and files of ``--configfile``."""

import argparse
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from beyond_accuracy_pipeline.configuration.files import (
    ConfigurationError,
    check_configuration_file,
)


def typed_values(value: Any) -> Any:
    """Convert values of ``--config`` to the types that they have in YAML.

    Snakemake leaves some numbers, booleans and nulls as text. Mappings and lists are converted item
    by item; other texts stay unchanged.
    """
    if isinstance(value, Mapping):
        return {key: typed_values(below) for key, below in value.items()}
    if isinstance(value, list):
        return [typed_values(below) for below in value]
    if not isinstance(value, str) or not value:
        return value
    try:
        typed = yaml.safe_load(value)
    except (yaml.YAMLError, ValueError, OverflowError):
        return value
    return typed if typed is None or isinstance(typed, bool | int | float) else value


def check_configuration_files(arguments: Sequence[str] | None = None) -> None:
    """Exit with a message if a file of ``--configfile`` cannot be read.

    The Snakemake profiles call this function, because Snakemake itself would print a traceback.
    `arguments` is the command line, by default ``sys.argv[1:]``.
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
