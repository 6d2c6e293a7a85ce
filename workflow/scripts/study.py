"""Run a study of a paper on one data set, or without one."""

from beyond_accuracy.experiments.studies.run import run_study
from beyond_accuracy.pipeline.job import logged

with logged(snakemake.log[0]):
    run_study(
        snakemake.wildcards.study,
        snakemake.params.settings,
        data_set=snakemake.wildcards.data_set,
        stream=(snakemake.params.seed, snakemake.wildcards.paper),
        prepared=next(iter(snakemake.input.prepared), None),
        fits=snakemake.input.fits,
        rows=snakemake.output.rows,
        seconds=snakemake.output.seconds,
    )
