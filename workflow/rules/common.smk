"""Functions of the workflow: which files a rule needs, which settings and which code."""

import os
import sys
from functools import cache
from pathlib import Path

from snakemake.exceptions import WorkflowError

from beyond_accuracy.configuration.catalogue import load_catalogue
from beyond_accuracy.configuration.files import ConfigurationError, check_configuration_file
from beyond_accuracy.configuration.paper_parts import (
    estimator_paths,
    fit_configuration,
    fitted_pairs,
    interval_configuration,
    method_configuration,
)
from beyond_accuracy.configuration.validation import paper_files, validate_configuration
from beyond_accuracy.pipeline.availability import (
    describe_outcome,
    describe_retry,
    mirror_folder,
    retry_unavailable_data_sets,
    within_reach,
)
from beyond_accuracy.experiments.methods import method_module
from beyond_accuracy.pipeline.digest import module_digest
from beyond_accuracy.pipeline.last_complete import put_back_missing
from beyond_accuracy.pipeline.random_states import with_random_state
from beyond_accuracy.pipeline.report_digests import (
    claims_digest,
    figures_digest,
    intervals_digest,
    tables_digest,
)
from beyond_accuracy.pipeline.studies import (
    study_code,
    study_fits,
    study_outputs,
    study_preparations,
    study_settings,
)
from beyond_accuracy.reporting.papers import paper_definition


wildcard_constraints:
    paper=r"[\w.-]+",
    data_set=r"[\w.-]+",
    method=r"[\w.-]+",
    study=r"\w+",


def readable(file):
    """Return the path of a configuration file that is valid YAML; else name the line."""
    try:
        check_configuration_file(file)
    except ConfigurationError as error:
        raise WorkflowError(str(error)) from error
    return file


def selected_papers():
    """Return the selected papers that have a configuration; validation reports the others."""
    papers = config.get("papers")
    papers = papers if isinstance(papers, list) else []
    return [paper for paper in papers if paper in paper_files()]


@cache
def catalogue():
    """Return the catalogue of data sets, or list all its errors and stop."""
    try:
        return load_catalogue("config/datasets")
    except ConfigurationError as error:
        raise WorkflowError(str(error)) from error


def validated_configuration():
    """Return the configuration with its defaults, or list all its errors and stop."""
    overlaid = [os.path.relpath(file) for file in workflow.overwrite_configfiles]
    defined = [os.path.relpath(file) for file in workflow.configfiles]
    files = [*(file for file in defined if file not in overlaid), *overlaid]
    try:
        validated = validate_configuration(
            config,
            files,
            catalogue(),
            command_line=workflow.config_settings.config,
        )
        mirror_folder(config)
        return validated
    except (ConfigurationError, NotADirectoryError) as error:
        raise WorkflowError(str(error)) from error


def selected_data_sets():
    """Return the data sets of all selected papers, each once."""
    return list(
        dict.fromkeys(name for paper in config["papers"] for name in config[paper]["data_sets"])
    )


@cache
def retry_once():
    """Try again, at the start of a real run only, to reach the data sets that were unavailable.

    Input functions are evaluated while the graph of jobs is built. By then it is known whether
    the jobs will be run, or only listed or reported.
    """
    executes = workflow.executor_plugin is not None and not workflow.dryrun and not workflow.touch
    if workflow.is_main_process and executes:
        names = selected_data_sets()
        tried = retry_unavailable_data_sets(config, names, catalogue())
        if tried:
            print(describe_retry(config, tried), file=sys.stderr)


def preparation_inputs(wildcards):
    """Return the catalogue's file of a data set, its substitute's, and the mark of a retry."""
    retry_once()
    name = wildcards.data_set
    substitute = catalogue()[name].substitute
    names = [name, substitute] if substitute else [name]
    files = [f"config/datasets/{each}.yaml" for each in names]
    marker = within_reach(config["resources"], name)
    return [*files, str(marker)] if marker.exists() else files


def prepared_data_sets(wildcards):
    """Return the prepared folders of a paper."""
    return collect("<resources>/prepared/{data_set}", data_set=config[wildcards.paper]["data_sets"])


def files_of_fits(paper, kind, suffix):
    """Return one kind of result of all fits of a paper; a method may be for some data sets only."""
    return [
        file
        for data_set, method in fitted_pairs(config[paper])
        for file in collect(
            "<results>/{paper}/{kind}/{data_set}/{method}.{suffix}",
            paper=paper,
            kind=kind,
            data_set=data_set,
            method=method,
            suffix=suffix,
        )
    ]


def fit_outputs(kind, suffix):
    """Return an input function: one kind of result of all fits of a paper."""

    def files(wildcards):
        return files_of_fits(wildcards.paper, kind, suffix)

    return files


def report_inputs(paper):
    """Return what all reports on a paper are made from."""
    return {
        "fits": files_of_fits(paper, "fits", "parquet"),
        "measurements": f"<results>/{paper}/measurements.parquet",
        "intervals": f"<results>/{paper}/intervals.parquet",
        "studies": study_outputs(config, paper),
        "data_sets": "<results>/data_sets.csv",
    }


def table_files(paper, suffix):
    """Return all tables of a paper in one format."""
    return collect(
        "<results>/{paper}/tables/{table}.{suffix}",
        paper=paper,
        table=config[paper]["tables"],
        suffix=suffix,
    )


def figure_files(paper, suffix):
    """Return all figures of a paper in one format."""
    return collect(
        "<results>/{paper}/figures/{figure}.{suffix}",
        paper=paper,
        figure=config[paper]["figures"],
        suffix=suffix,
    )


def stem(file):
    """Return the name of a file without its folder and suffix."""
    return Path(file).stem


def settings_of_study(wildcards):
    """Return the settings of a study."""
    return study_settings(config, wildcards.paper, wildcards.study, wildcards.data_set)


def study_prepared(wildcards):
    """Return the prepared data set of a study, if it has one."""
    return study_preparations(wildcards.data_set)


def study_selected_fits(wildcards):
    """Return the fits whose choices a study takes."""
    settings = settings_of_study(wildcards)
    return study_fits(wildcards.paper, wildcards.data_set, settings)


def code_of_study(wildcards):
    """Return the digest of the code of a study."""
    return study_code(settings_of_study(wildcards))


def seeded(method, name, wildcards):
    """Return the configuration of a method of a paper and data set, with its random states."""
    names = (wildcards.paper, wildcards.data_set)
    return with_random_state(method, name, config["seed"], *names)


def seconds_of_timed_tables(paper):
    """Return the timings of a paper's fits if one of its tables shows them."""
    timed = paper_definition(paper).timed
    is_timed = any(table in timed for table in config[paper]["tables"])
    return files_of_fits(paper, "seconds", "parquet") if is_timed else []


def fit_settings(wildcards):
    """Return the settings of a paper on which its fits depend, besides their method's own."""
    return fit_configuration(config[wildcards.paper])


def fit_method(wildcards):
    """Return the configuration of a method, with those of its auxiliaries.

    Protocols other than "binary" derive the random states of their classifiers themselves.
    """
    method = method_configuration(config[wildcards.paper], wildcards.method)
    if config[wildcards.paper]["protocol"] == "binary":
        return seeded(method, wildcards.method, wildcards)
    return method


def fit_code(wildcards):
    """Return the digest of the code of a fit: the protocol, and the method's classifiers."""
    protocol = config[wildcards.paper]["protocol"]
    method = fit_method(wildcards)
    modules = [f"beyond_accuracy.experiments.{protocol}"]
    modules += [path for path in estimator_paths(method) if path.startswith("beyond_accuracy.")]
    if protocol == "binary":
        modules += [way for way in [method_module(method)] if way]
    return module_digest("beyond_accuracy.experiments.run", *modules)


def interval_settings(wildcards):
    """Return the settings of a paper on which its intervals depend."""
    return interval_configuration(config[wildcards.paper])


def interval_code(wildcards):
    """Return the digest of the code that makes a paper's intervals."""
    return intervals_digest(wildcards.paper)


def claims_code(paper):
    """Return the digest of the code that judges a paper's claims."""
    return claims_digest(paper, [claim["function"] for claim in config[paper]["claims"]])


def all_reporting_code():
    """Return the digest of the code that reports on all papers."""
    papers = [f"beyond_accuracy.reporting.{paper}" for paper in config["papers"]]
    return module_digest("beyond_accuracy.reporting", *papers)


def tables_and_figures():
    """Return all tables and figures of the selected papers."""
    return [
        file
        for paper in config["papers"]
        for files, suffixes in (
            (table_files, ("csv", "html", "tex")),
            (figure_files, ("svg", "png")),
        )
        for suffix in suffixes
        for file in files(paper, suffix)
    ]


def paper_configurations():
    """Return the configuration of each selected paper."""
    return {paper: config[paper] for paper in config["papers"]}


def fit_results():
    """Return scores and fits of all papers: results too, whatever is made of them."""
    return [
        file
        for paper in config["papers"]
        for kind, suffix in (("scores", "npz"), ("fits", "parquet"))
        for file in files_of_fits(paper, kind, suffix)
    ]


def seconds_of_all_papers():
    """Return the timings of all fits."""
    return [
        file for paper in config["papers"] for file in files_of_fits(paper, "seconds", "parquet")
    ]


def print_outcome():
    """Say at the end of a run which data sets are missing and where the results are."""
    print(describe_outcome(config, selected_data_sets()), file=sys.stderr)


def leave_earlier_results():
    """Put earlier results back at the end of a run in which jobs failed, and say so."""
    put_back_missing([config["results"], config["resources"]])
    print(
        "What failed has left its earlier results as they were; the next run does it again.",
        file=sys.stderr,
    )
