"""The validated configuration, and the errors that end a run before it begins."""

import os
import sys
import threading
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from snakemake.exceptions import IncompleteCheckpointException, WorkflowError

from beyond_accuracy_pipeline.configuration.catalogue import load_catalogue
from beyond_accuracy_pipeline.configuration.files import (
    ConfigurationError,
    check_configuration_file,
)
from beyond_accuracy_pipeline.workflow.availability import (
    describe_missing,
    describe_outcome,
    mirror_folder,
    retry_mark,
    retry_missing,
)
from beyond_accuracy_pipeline.datasets.overview import available_data_sets
from beyond_accuracy_pipeline.datasets.places import CATALOGUE_FOLDER
from beyond_accuracy_pipeline.workflow.digest import (
    EXPERIMENTS,
    OVERVIEW,
    PAPERS,
    PREPARATION,
    REPORTS,
    source_digest,
)
from beyond_accuracy_pipeline.papers import paper_ids
from beyond_accuracy_pipeline.workflow.plan import Plan
from beyond_accuracy_pipeline.workflow.portable_arithmetic import use_portable_arithmetic
from beyond_accuracy_pipeline.workflow.valid_configuration import valid_configuration
from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.results.variants import laid_over

use_portable_arithmetic(os.environ)

# Not the working folder, which may be that of a workflow that imports this one.
REPOSITORY = Path(workflow.current_basedir.get_path_or_uri(secret_free=True)).parents[1]

configuration_files = []

if workflow.modifier.path_modifier.prefix or workflow.modifier.path_modifier.modifies_prefixes:
    raise WorkflowError(
        "This workflow takes no `prefix` of a module. Pass folders instead, such as "
        'config: {"results": "accuracy/results", "resources": "accuracy/resources"}'
    )


wildcard_constraints:
    paper=r"[\w.-]+",
    data_set=r"[\w.-]+",
    job=r"[\w./-]+",


@contextmanager
def readable_errors():
    """End with the message of an error in the configuration, not with its traceback."""
    try:
        yield
    except (ConfigurationError, NotADirectoryError) as error:
        raise WorkflowError(str(error)) from error


def repository_path(name):
    """Return the path, from the working folder, of a file or folder of this repository."""
    return os.path.relpath(REPOSITORY / name)


def configuration_file(name):
    """Return the path of a configuration file that is valid YAML; else name the line.

    Snakemake ignores `configfile:` in a module to which a configuration is passed. There the file's
    values are added to the configuration, which keeps its own.
    """
    global config
    path = repository_path(name)
    with readable_errors():
        content = check_configuration_file(path)
    if workflow.modifier.skip_configfile:
        config = laid_over(content, config)
    configuration_files.append(path)
    return path


def selected_papers():
    """Return the selected papers that have a configuration; validation reports the others."""
    papers = config.get("papers")
    papers = papers if isinstance(papers, list) else []
    return [paper for paper in papers if paper in paper_ids()]


@cache
def catalogue():
    """Return the catalogue of data sets, or list all its errors and stop."""
    with readable_errors():
        return load_catalogue(repository_path(CATALOGUE_FOLDER))


def validated_configuration():
    """Return the configuration with its defaults, or list all its errors and stop."""
    overlaid = [os.path.relpath(file) for file in workflow.overwrite_configfiles]
    files = [*(file for file in configuration_files if file not in overlaid), *overlaid]
    # A module has the values of the command line only if they are passed to it.
    values = workflow.config_settings.config
    given = {key: value for key, value in values.items() if config.get(key) == value}
    with readable_errors():
        mirror_folder(config)
        return valid_configuration(config, files, catalogue(), given)


def executes():
    """Whether the jobs will be run, by this process, or only listed or reported.

    It is known when input functions are evaluated, while the graph of jobs is built.
    """
    run = workflow.executor_plugin is not None and not workflow.dryrun and not workflow.touch
    return workflow.is_main_process and run and not of_another_run()


@cache
def of_another_run():
    """Whether another run has locked this folder: this one will end when it finds that, too."""
    return any(Path(".snakemake/locks").glob("*"))


@cache
def check_once():
    """Try missing data sets again, at the start of a real run only."""
    if executes():
        tell(retry_missing(config, plan.data_sets(), catalogue()))


@cache
def tell_missing_once():
    """Say which data sets are missing, as soon as all have been prepared."""
    if executes():
        tell(describe_missing(config, plan.data_sets()))


def tell(lines):
    """Print lines for the user."""
    if lines:
        print(*lines, sep="\n", file=sys.stderr)


def preparation_inputs(wildcards):
    """Return the catalogue's file of a data set, its substitute's, and the mark of a retry."""
    check_once()
    names = [wildcards.data_set, catalogue()[wildcards.data_set].substitute]
    mark = retry_mark(config, wildcards.data_set)
    files = [repository_path(f"{CATALOGUE_FOLDER}/{name}.yaml") for name in names if name]
    return [*files, str(mark)] if mark.exists() else files


def available():
    """Return the data sets with arrays, once all have been prepared; all of them in a dry run."""
    try:
        names = available_data_sets(checkpoints.data_sets.get().output[0])
        tell_missing_once()
        return names
    except IncompleteCheckpointException:
        if workflow.executor_plugin is not None and workflow.dryrun:
            return plan.data_sets()
        raise


def report_inputs(paper):
    """Return the input function of the reports on a paper."""
    return lambda wildcards: plan.report_inputs(paper)


def end_of_run(succeeded):
    """Say which data sets are missing, and where the results are if all jobs succeeded."""
    print(describe_outcome(config, plan.data_sets(), succeeded), file=sys.stderr)
    # The clocks of Snakemake's rate limit (see the profile) would keep the process waiting.
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.cancel()
