"""Search the B at which an auxiliary gets the weight 1, on one data set."""

from beyond_accuracy.experiments.matching_penalty import run_matching_penalty
from beyond_accuracy.pipeline.job import job

with job(snakemake) as new:
    run_matching_penalty(
        snakemake.input[0],
        data_set=snakemake.wildcards.data_set,
        settings=snakemake.params.settings,
        methods=snakemake.params.methods,
        measures=snakemake.params.measures,
        output=new(snakemake.output[0]),
    )
