"""Fit the methods of a sweep to one data set, at given hyperparameters."""

from beyond_accuracy.configuration.paper_parts import methods_with_width
from beyond_accuracy.experiments.sweeps import run_sweep
from beyond_accuracy.pipeline.job import job

with job(snakemake) as new:
    methods = snakemake.params.methods
    run_sweep(
        snakemake.input.prepared,
        sweep=snakemake.wildcards.sweep,
        data_set=snakemake.wildcards.data_set,
        settings=snakemake.params.settings,
        methods=methods,
        measures=snakemake.params.measures,
        budget=snakemake.params.budget,
        chosen=dict(zip(methods_with_width(methods), snakemake.input.chosen, strict=True)),
        rows=new(snakemake.output.rows),
        seconds=new(snakemake.output.seconds),
    )
