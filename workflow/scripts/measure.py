"""Collect the measurements of a paper from the test scores of all its fits."""

from pathlib import Path

from beyond_accuracy.pipeline.job import job
from beyond_accuracy.reporting import measure_scores
from beyond_accuracy.results import PaperResults, write_frame

with job(snakemake) as new:
    results = PaperResults(
        Path(snakemake.config["results"]),
        snakemake.wildcards.paper,
        snakemake.params.configuration,
    )
    write_frame(new(snakemake.output[0]), measure_scores(results))
