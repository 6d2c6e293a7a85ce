"""Fit methods to one data set, for all its classes, measures and candidates."""

from beyond_accuracy_pipeline.workflow.job import running

with running(snakemake):
    from beyond_accuracy_pipeline.experiments.earlier_fits import JobFiles
    from beyond_accuracy_pipeline.experiments.run import run_fits

    earlier = (snakemake.input[f"earlier_{kind}"] for kind in JobFiles._fields)
    run_fits(
        snakemake.input.prepared,
        paper=snakemake.wildcards.paper,
        data_set=snakemake.wildcards.data_set,
        methods=snakemake.params.methods,
        paper_configuration=snakemake.params.paper,
        seed=snakemake.params.seed,
        scores=snakemake.output.scores,
        fits=snakemake.output.fits,
        seconds=snakemake.output.seconds,
        longest_hours=snakemake.config["longest_fit"],
        earlier=list(map(JobFiles, *earlier)),
    )
