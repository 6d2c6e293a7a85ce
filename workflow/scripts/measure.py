"""Compute the measures on the test sets for all fits of a paper, and bootstrap intervals."""

from beyond_accuracy_pipeline.workflow.job import running

with running(snakemake):
    from beyond_accuracy_pipeline.experiments.seeds import derive_seed
    from beyond_accuracy_pipeline.papers import paper_report
    from beyond_accuracy_pipeline.reporting import bootstrap_variants, measure_variants
    from beyond_accuracy_pipeline.results.frames import write_frame

    paper = snakemake.wildcards.paper
    report = paper_report(snakemake.config["results"], paper, snakemake.params.configuration)
    measurements = measure_variants(report)
    write_frame(snakemake.output.measurements, measurements)
    seed = derive_seed(snakemake.params.seed, paper, "intervals")
    intervals = bootstrap_variants(report, seed)
    write_frame(snakemake.output.intervals, intervals)
