"""Run studies of a paper on one data set, or without one."""

from beyond_accuracy.pipeline.job import running

with running(snakemake):
    from beyond_accuracy.experiments.studies.run import run_study

    studies, output = snakemake.params.studies, snakemake.output
    for study, rows, seconds in zip(studies, output.rows, output.seconds, strict=True):
        run_study(
            study,
            studies[study],
            data_set=snakemake.params.data_set,
            stream=(snakemake.params.seed, snakemake.params.paper),
            prepared=next(iter(snakemake.input.prepared), None),
            fits=snakemake.input.fits,
            rows=rows,
            seconds=seconds,
        )
