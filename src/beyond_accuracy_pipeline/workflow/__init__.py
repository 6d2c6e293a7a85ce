"""Functions that the Snakemake workflow calls: plan, availability, code digests and logs."""
