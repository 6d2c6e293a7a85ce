"""Write the tables, figures and verdicts of a paper."""

from beyond_accuracy_pipeline.workflow.job import running

with running(snakemake):
    from pathlib import Path

    from beyond_accuracy_pipeline.papers import paper_report
    from beyond_accuracy_pipeline.reporting import (
        evaluate_claims,
        table_over_states,
        write_figure,
        write_table,
    )
    from beyond_accuracy_pipeline.reporting.reference_comparison import judged_seeds
    from beyond_accuracy_pipeline.results.frames import write_csv

    configuration = snakemake.params.configuration
    report = paper_report(snakemake.config["results"], snakemake.params.paper, configuration)
    report.results.check_data_sets()
    report.results.write_configuration()
    for file in map(Path, snakemake.output.csv):
        table = table_over_states(report, report.paper.tables[file.stem])
        write_table(report, table, file.with_suffix(""))
    report = report.medians()
    for file in map(Path, snakemake.output.svg):
        write_figure(report.paper.figures[file.stem].draw(report), file.with_suffix(""))
    # The folder `reference` exists only if the run is in the repository.
    in_reference = judged_seeds("reference", snakemake.params.paper)
    write_csv(snakemake.output.claims, evaluate_claims(report, in_reference))
