"""Draw the figures of a paper."""

from pathlib import Path

from beyond_accuracy.pipeline.job import job
from beyond_accuracy.reporting import build_figure

with job(snakemake) as new:
    for file in snakemake.output.svg:
        build_figure(
            results_folder=snakemake.config["results"],
            paper=snakemake.params.paper,
            figure=Path(file).stem,
            paper_configuration=snakemake.params.configuration,
            stem=new(file).with_suffix(""),
        )
