"""What the Snakemake workflow calls: configuration, code digests, availability and logs of jobs."""
