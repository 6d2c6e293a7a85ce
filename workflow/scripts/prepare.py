"""Fetch, parse, check and split one data set."""

from beyond_accuracy.pipeline.job import running

with running(snakemake):
    from pathlib import Path

    from beyond_accuracy.configuration.files import read_yaml
    from beyond_accuracy.datasets.entry import Entry
    from beyond_accuracy.datasets.prepare import prepare
    from beyond_accuracy.pipeline.mirror import mirror_folder

    # The whole catalogue has been checked before any job; here are its entries of this data set.
    files = [file for file in snakemake.input.entries if file.endswith(".yaml")]
    entries = [Entry.model_validate(read_yaml(file).content) for file in files]
    catalogue = {entry.name: entry for entry in entries}
    prepare(
        catalogue[snakemake.wildcards.data_set],
        mirror=mirror_folder(snakemake.config),
        raw_folder=Path(snakemake.config["resources"]) / "raw",
        output_folder=snakemake.output[0],
        seed=snakemake.params.seed,
        missing_data=snakemake.config["missing_data"],
        catalogue=catalogue,
    )
