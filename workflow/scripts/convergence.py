"""Follow the minimizations of a paper's convergence figures on one data set."""

from beyond_accuracy.experiments.convergence import run_convergence
from beyond_accuracy.pipeline.job import job

with job(snakemake) as new:
    run_convergence(
        snakemake.input[0],
        data_set=snakemake.wildcards.data_set,
        configuration=snakemake.params.settings,
        curves=new(snakemake.output.curves),
        line_search=new(snakemake.output.line_search),
        seconds=new(snakemake.output.seconds),
    )
