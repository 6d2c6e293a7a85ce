"""Functions of the workflow: which files a rule needs, which settings and which code."""

import os
import sys
from functools import cache
from pathlib import Path

from snakemake.exceptions import WorkflowError

from beyond_accuracy.datasets.catalogue import load_catalogue
from beyond_accuracy.datasets.errors import CatalogueError
from beyond_accuracy.pipeline.availability import (
    describe_outcome,
    describe_retry,
    mirror_folder,
    retry_unavailable_data_sets,
    within_reach,
)
from beyond_accuracy.pipeline.command_line import check_configuration_file
from beyond_accuracy.experiments.methods import method_module
from beyond_accuracy.pipeline.configuration import (
    estimator_paths,
    fit_configuration,
    method_configuration,
    methods_with_width,
    swept_data_sets,
    swept_methods,
)
from beyond_accuracy.pipeline.digest import module_digest
from beyond_accuracy.pipeline.last_complete import put_back_missing
from beyond_accuracy.pipeline.locations import ConfigurationSyntaxError
from beyond_accuracy.pipeline.names import available_names
from beyond_accuracy.pipeline.random_states import with_random_state
from beyond_accuracy.pipeline.report_digests import (
    claims_digest,
    figures_digest,
    intervals_digest,
    tables_digest,
)
from beyond_accuracy.pipeline.validation import ConfigurationError, validate_configuration
from beyond_accuracy.reporting.papers import paper_definition
from beyond_accuracy.results.layout import fitted_pairs


wildcard_constraints:
    paper=r"[\w.-]+",
    data_set=r"[\w.-]+",
    method=r"[\w.-]+",
    simulation=r"\w+",
    sweep=r"\w+",


def readable(file):
    """Return the path of a configuration file that is valid YAML; else name the line."""
    try:
        check_configuration_file(file)
    except ConfigurationSyntaxError as error:
        raise WorkflowError(str(error)) from error
    return file


def selected_papers():
    """Return the selected papers that have a configuration; validation reports the others."""
    papers = config.get("papers")
    papers = papers if isinstance(papers, list) else []
    return [paper for paper in papers if Path(f"config/papers/{paper}.yaml").is_file()]


@cache
def catalogue():
    """Return the catalogue of data sets, or list all its errors and stop."""
    try:
        return load_catalogue("config/datasets")
    except CatalogueError as error:
        raise WorkflowError(str(error)) from error


def validated_configuration():
    """Return the configuration with its defaults, or list all its errors and stop."""
    overlaid = [os.path.relpath(file) for file in workflow.overwrite_configfiles]
    defined = [os.path.relpath(file) for file in workflow.configfiles]
    files = [*(file for file in defined if file not in overlaid), *overlaid]
    names = available_names("config", catalogue())
    try:
        validated = validate_configuration(
            config,
            files,
            names,
            command_line=workflow.config_settings.config,
        )
        mirror_folder(config)
        return validated
    except (ConfigurationError, ConfigurationSyntaxError, NotADirectoryError) as error:
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


def simulation_outputs(paper):
    """Return the tables of a paper's simulations, if it has any."""
    simulations = config[paper].get("simulations") or {}
    return collect(
        "<results>/{paper}/simulations/{simulation}.parquet",
        paper=paper,
        simulation=[name for name, settings in simulations.items() if settings],
    )


def convergence_outputs(paper):
    """Return the minimizations that a paper follows, if it does."""
    if not config[paper].get("convergence"):
        return []
    return collect(
        "<results>/{paper}/convergence/{part}{data_set}.parquet",
        paper=paper,
        part=("", "line_search/", "seconds/"),
        data_set=config[paper]["data_sets"],
    )


def sweep_outputs(paper):
    """Return the tables of a paper's sweeps and of its choice of auxiliaries, if it has any."""
    configuration = config[paper]
    folders = {
        folder: settings
        for sweep, settings in (configuration.get("sweeps") or {}).items()
        for folder in (f"sweeps/{sweep}", f"sweeps/seconds/{sweep}")
        if settings and folder != "sweeps/seconds/matching_B"
    }
    if configuration.get("auxiliary_selection"):
        folders["auxiliary_selection"] = configuration["auxiliary_selection"]
    return [
        f"<results>/{paper}/{folder}/{data_set}.parquet"
        for folder, settings in folders.items()
        for data_set in swept_data_sets(configuration, settings)
    ]


def report_inputs(paper):
    """Return what all reports on a paper are made from."""
    return {
        "fits": files_of_fits(paper, "fits", "parquet"),
        "measurements": f"<results>/{paper}/measurements.parquet",
        "intervals": f"<results>/{paper}/intervals.parquet",
        "simulations": simulation_outputs(paper),
        "convergence": convergence_outputs(paper),
        "sweeps": sweep_outputs(paper),
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


def sweep_settings(wildcards):
    """Return the settings of a sweep."""
    return config[wildcards.paper]["sweeps"][wildcards.sweep]


def sweep_methods(wildcards):
    """Return the configurations of the methods of a sweep."""
    methods = swept_methods(config[wildcards.paper], sweep_settings(wildcards))
    return {name: seeded(method, name, wildcards) for name, method in methods.items()}


def seeded(method, name, wildcards):
    """Return the configuration of a method of a paper and data set, with its random states."""
    names = (wildcards.paper, wildcards.data_set)
    return with_random_state(method, name, config["seed"], *names)


def fits_with_chosen_width(wildcards):
    """Return the fits of model selection from which a sweep takes widths of kernels."""
    return collect(
        "<results>/{paper}/fits/{data_set}/{method}.parquet",
        paper=wildcards.paper,
        data_set=wildcards.data_set,
        method=methods_with_width(sweep_methods(wildcards)),
    )


def matching_penalty_auxiliaries(wildcards):
    """Return the configurations of the auxiliaries whose matching B is searched."""
    paper = config[wildcards.paper]
    methods = swept_methods(paper, paper["sweeps"]["matching_B"])
    return {name: seeded(method, name, wildcards) for name, method in methods.items()}


def experiment_code(module, methods):
    """Return the digest of a module of experiments and of the code of the methods it fits."""
    own = {path for method in methods for path in estimator_paths(method)}
    ways = {method_module(method) for method in methods} - {None}
    used = [path for path in own if path.startswith("beyond_accuracy.")]
    return module_digest(f"beyond_accuracy.experiments.{module}", *used, *ways)


def sweep_code(wildcards):
    """Return the digest of the code of a sweep."""
    return experiment_code("sweeps", sweep_methods(wildcards).values())


def matching_penalty_code(wildcards):
    """Return the digest of the code of the search for B."""
    auxiliaries = matching_penalty_auxiliaries(wildcards).values()
    return experiment_code("matching_penalty", auxiliaries)


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
