"""Fit one method to one data set: all classes, measures and candidates."""

from beyond_accuracy.experiments.run import run_fit
from beyond_accuracy.pipeline.job import job

with job(snakemake) as new:
    run_fit(
        snakemake.input[0],
        paper=snakemake.wildcards.paper,
        data_set=snakemake.wildcards.data_set,
        method=snakemake.wildcards.method,
        protocol=snakemake.params.paper["protocol"],
        method_configuration=snakemake.params.method,
        paper_configuration=snakemake.params.paper,
        seed=snakemake.params.seed,
        scores=new(snakemake.output.scores),
        fits=new(snakemake.output.fits),
        seconds=new(snakemake.output.seconds),
    )
