"""Write the tables, figures and verdicts of a paper."""

from pathlib import Path

from beyond_accuracy.pipeline.job import logged
from beyond_accuracy.reporting import build_claims, build_figure, build_table

with logged(snakemake.log[0]):
    results = {
        "results_folder": snakemake.config["results"],
        "paper": snakemake.params.paper,
        "paper_configuration": snakemake.params.configuration,
    }
    for file in map(Path, snakemake.output.csv):
        build_table(**results, table=file.stem, stem=file.with_suffix(""))
    for file in map(Path, snakemake.output.svg):
        build_figure(**results, figure=file.stem, stem=file.with_suffix(""))
    build_claims(**results, output=snakemake.output.claims)
