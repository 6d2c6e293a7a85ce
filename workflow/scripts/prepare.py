"""Fetch, parse, check and split one data set."""

from beyond_accuracy_pipeline.workflow.job import running

with running(snakemake):
    from pathlib import Path

    from beyond_accuracy_pipeline.configuration.files import read_yaml
    from beyond_accuracy_pipeline.datasets.download import Downloader
    from beyond_accuracy_pipeline.datasets.entry import Entry
    from beyond_accuracy_pipeline.datasets.fetch import Places
    from beyond_accuracy_pipeline.datasets.prepare import prepare
    from beyond_accuracy_pipeline.workflow.availability import unreachable_hosts
    from beyond_accuracy_pipeline.workflow.mirror import mirror_folder

    # The whole catalogue has been checked before any job; here are its entries of this data set.
    files = [file for file in snakemake.input.entries if file.endswith(".yaml")]
    entries = [Entry.model_validate(read_yaml(file).content) for file in files]
    catalogue = {entry.name: entry for entry in entries}
    config = snakemake.config
    places = Places(
        mirror=mirror_folder(config),
        raw_folder=Path(config["resources"]) / "raw",
        downloader=Downloader(unreachable=unreachable_hosts(config)),
        catalogue_folder=Path(files[0]).parent,
        large_downloads=config["large_downloads"],
    )
    prepare(
        catalogue[snakemake.wildcards.data_set],
        places=places,
        output_folder=snakemake.output[0],
        seed=snakemake.params.seed,
        missing_data=config["missing_data"],
        catalogue=catalogue,
    )
