"""Write the tables of a paper."""

from pathlib import Path

from beyond_accuracy.pipeline.job import job
from beyond_accuracy.reporting import build_table

with job(snakemake) as new:
    for file in snakemake.output.csv:
        build_table(
            results_folder=snakemake.config["results"],
            paper=snakemake.params.paper,
            table=Path(file).stem,
            paper_configuration=snakemake.params.configuration,
            stem=new(file).with_suffix(""),
        )
