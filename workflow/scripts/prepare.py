"""Fetch, parse, check and split one data set."""

from pathlib import Path

from beyond_accuracy.configuration.catalogue import load_catalogue
from beyond_accuracy.datasets.prepare import prepare
from beyond_accuracy.pipeline.job import logged
from beyond_accuracy.pipeline.mirror import mirror_folder

with logged(snakemake.log[0]):
    catalogue = load_catalogue(Path(snakemake.input.entries[0]).parent)
    prepare(
        catalogue[snakemake.wildcards.data_set],
        mirror=mirror_folder(snakemake.config),
        raw_folder=Path(snakemake.config["resources"]) / "raw",
        output_folder=snakemake.output[0],
        seed=snakemake.params.seed,
        missing_data=snakemake.config["missing_data"],
        catalogue=catalogue,
    )
