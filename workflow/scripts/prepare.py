"""Fetch, parse, check and split one data set."""

from beyond_accuracy_pipeline.workflow.job import running

with running(snakemake):
    from dataclasses import replace
    from pathlib import Path

    from beyond_accuracy_pipeline.configuration.files import read_yaml
    from beyond_accuracy_pipeline.datasets.entry import Entry
    from beyond_accuracy_pipeline.datasets.prepare import prepare
    from beyond_accuracy_pipeline.workflow.availability import fetch_settings, remember_unreachable

    # The whole catalogue was checked before the first job. A job gets only the entries it needs.
    files = [file for file in snakemake.input.entries if file.endswith(".yaml")]
    entries = [Entry.model_validate(read_yaml(file).content) for file in files]
    catalogue = {entry.name: entry for entry in entries}
    own = replace(fetch_settings(snakemake.config), catalogue_folder=Path(files[0]).parent)
    prepare(
        catalogue[snakemake.wildcards.data_set],
        settings=own,
        output_folder=snakemake.output[0],
        seed=snakemake.params.seed,
        missing_data=snakemake.config["missing_data"],
        catalogue=catalogue,
    )
    remember_unreachable(snakemake.config, own.downloader)
