"""Judge the claims of a paper."""

from beyond_accuracy.pipeline.job import job
from beyond_accuracy.reporting import build_claims

with job(snakemake) as new:
    build_claims(
        results_folder=snakemake.config["results"],
        paper=snakemake.params.paper,
        paper_configuration=snakemake.params.configuration,
        output=new(snakemake.output[0]),
    )
