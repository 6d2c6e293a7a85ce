"""Run studies of a paper, on one data set or on simulated data."""

from beyond_accuracy_pipeline.workflow.job import running

with running(snakemake):
    from beyond_accuracy_pipeline.experiments.studies.run import run_study

    studies, output = snakemake.params.studies, snakemake.output
    earlier = list(zip(snakemake.input.earlier_rows, snakemake.input.earlier_seconds, strict=True))
    for index, study in enumerate(studies):
        run_study(
            study,
            studies[study],
            data_set=snakemake.params.data_set,
            seed_and_paper=(snakemake.params.seed, snakemake.params.paper),
            prepared=next(iter(snakemake.input.prepared), None),
            fits=snakemake.input.fits,
            keys=snakemake.params.fit_keys,
            rows=output.rows[index],
            seconds=output.seconds[index],
            earlier=earlier[index] if earlier else None,
        )
