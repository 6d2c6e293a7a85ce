"""Compute the bootstrap intervals of a paper's macro-averages."""

from beyond_accuracy.experiments.seeds import derive_seed
from beyond_accuracy.pipeline.job import job
from beyond_accuracy.reporting import build_intervals

with job(snakemake) as new:
    build_intervals(
        results_folder=snakemake.config["results"],
        paper=snakemake.wildcards.paper,
        paper_configuration=snakemake.params.configuration,
        seed=derive_seed(snakemake.params.seed, snakemake.wildcards.paper, "intervals"),
        output=new(snakemake.output[0]),
    )
