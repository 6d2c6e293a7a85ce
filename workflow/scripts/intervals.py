"""Compute the bootstrap intervals of a paper's macro-averages."""

from beyond_accuracy.experiments.seeds import derive_seed
from beyond_accuracy.pipeline.job import logged
from beyond_accuracy.reporting import build_intervals

with logged(snakemake.log[0]):
    build_intervals(
        results_folder=snakemake.config["results"],
        resources_folder=snakemake.config["resources"],
        paper=snakemake.wildcards.paper,
        paper_configuration=snakemake.params.paper,
        seed=derive_seed(snakemake.params.seed, snakemake.wildcards.paper, "intervals"),
        output=snakemake.output[0],
    )
