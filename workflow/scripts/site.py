"""Put the verdicts of all papers into one file, and build the page on which all results stand."""

from beyond_accuracy.pipeline.job import logged
from beyond_accuracy.reporting import build_site, combine_claims

with logged(snakemake.log[0]):
    combine_claims(inputs=snakemake.input.claims, output=snakemake.output.claims)
    build_site(
        results_folder=snakemake.config["results"],
        papers=snakemake.params.papers,
        configurations=snakemake.params.configurations,
        output=snakemake.output.page,
    )
