"""Compute the bootstrap intervals of a paper's averages and differences."""

from beyond_accuracy.experiments.seeds import derive_seed
from beyond_accuracy.papers import paper_report
from beyond_accuracy.pipeline.job import logged
from beyond_accuracy.reporting import bootstrap_intervals
from beyond_accuracy.results.frames import write_frame

with logged(snakemake.log[0]):
    paper = snakemake.wildcards.paper
    report = paper_report(snakemake.config["results"], paper, snakemake.params.configuration)
    seed = derive_seed(snakemake.params.seed, paper, "intervals")
    write_frame(snakemake.output[0], bootstrap_intervals(report, seed))
