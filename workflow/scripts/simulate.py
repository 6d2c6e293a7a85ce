"""Run one simulation of a paper."""

from beyond_accuracy.experiments.simulations import run_simulation
from beyond_accuracy.pipeline.job import job

with job(snakemake) as new:
    run_simulation(
        snakemake.wildcards.simulation,
        snakemake.params.settings,
        paper=snakemake.wildcards.paper,
        seed=snakemake.params.seed,
        output=new(snakemake.output[0]),
    )
