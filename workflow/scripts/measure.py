"""Collect the measurements of a paper from the test scores of all its fits."""

from pathlib import Path

from beyond_accuracy.pipeline.job import logged
from beyond_accuracy.reporting.measurements import measure_scores
from beyond_accuracy.results.frames import write_frame
from beyond_accuracy.results.paper_results import PaperResults

with logged(snakemake.log[0]):
    results = PaperResults(
        Path(snakemake.config["results"]),
        snakemake.wildcards.paper,
        snakemake.params.selection,
    )
    write_frame(snakemake.output[0], measure_scores(results))
