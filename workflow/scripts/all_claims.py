"""Put the verdicts of all papers into one file."""

from beyond_accuracy.pipeline.job import job
from beyond_accuracy.reporting import combine_claims

with job(snakemake) as new:
    combine_claims(inputs=snakemake.input, output=new(snakemake.output[0]))
