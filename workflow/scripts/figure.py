"""Draw one figure of a paper."""

from beyond_accuracy.pipeline.job import job
from beyond_accuracy.reporting import build_figure

with job(snakemake) as new:
    build_figure(
        results_folder=snakemake.config["results"],
        paper=snakemake.wildcards.paper,
        figure=snakemake.wildcards.figure,
        paper_configuration=snakemake.params.paper,
        stem=new(snakemake.output.svg).with_suffix(""),
    )
