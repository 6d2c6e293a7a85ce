"""Choose auxiliaries by the target measure on one data set, and adapt them."""

from beyond_accuracy.experiments.auxiliary_selection import run_auxiliary_selection
from beyond_accuracy.pipeline.job import job

with job(snakemake) as new:
    run_auxiliary_selection(
        snakemake.input[0],
        paper=snakemake.wildcards.paper,
        data_set=snakemake.wildcards.data_set,
        settings=snakemake.params.settings,
        measures=snakemake.params.measures,
        folds=snakemake.params.folds,
        seed=snakemake.params.seed,
        output=new(snakemake.output[0]),
    )
