"""Build the page on which all results stand."""

from beyond_accuracy.pipeline.job import job
from beyond_accuracy.reporting import build_site

with job(snakemake) as new:
    build_site(
        results_folder=snakemake.config["results"],
        papers=snakemake.params.papers,
        configurations=snakemake.params.configurations,
        output=new(snakemake.output.page),
    )
