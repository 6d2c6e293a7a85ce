"""Collect the measurements of a paper from the test scores of all its fits."""

from beyond_accuracy.experiments.measurements import collect_measurements
from beyond_accuracy.pipeline.job import job

with job(snakemake) as new:
    collect_measurements(
        snakemake.input.prepared,
        snakemake.input.scores,
        snakemake.input.fits,
        new(snakemake.output[0]),
    )
