"""Write one table of a paper."""

from beyond_accuracy.pipeline.job import job
from beyond_accuracy.reporting import build_table

with job(snakemake) as new:
    build_table(
        results_folder=snakemake.config["results"],
        paper=snakemake.wildcards.paper,
        table=snakemake.wildcards.table,
        paper_configuration=snakemake.params.paper,
        stem=new(snakemake.output.csv).with_suffix(""),
    )
