"""Write one table of a paper."""

from pathlib import Path

from beyond_accuracy.pipeline.job import job
from beyond_accuracy.reporting import build_table

with job(snakemake.log[0]):
    build_table(
        results_folder=snakemake.config["results"],
        paper=snakemake.wildcards.paper,
        table=snakemake.wildcards.table,
        paper_configuration=snakemake.params.paper,
        stem=Path(snakemake.output.csv).with_suffix(""),
    )
