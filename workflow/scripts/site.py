"""Build the page on which all results stand."""

from beyond_accuracy.pipeline.job import job
from beyond_accuracy.reporting import build_site

with job(snakemake.log[0]):
    build_site(
        results_folder=snakemake.config["results"],
        papers=snakemake.params.papers,
        configurations=snakemake.params.configurations,
        output=snakemake.output.page,
    )
