"""Functions that the Snakemake workflow calls: plan, availability of data, digests and logs."""
