"""Put the verdicts of all papers into one file."""

from beyond_accuracy.pipeline.job import job
from beyond_accuracy.reporting import combine_claims

with job(snakemake.log[0]):
    combine_claims(inputs=snakemake.input, output=snakemake.output[0])
