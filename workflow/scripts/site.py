"""Combine the verdicts of all papers in one file, and build the pages with all results."""

from beyond_accuracy_pipeline.workflow.job import running

with running(snakemake):
    from pathlib import Path

    from beyond_accuracy_pipeline.papers import load_paper, paper_ids, paper_report
    from beyond_accuracy_pipeline.reporting import build_site, combine_claims, write_agreement
    from beyond_accuracy_pipeline.reporting.claims import read_claims
    from beyond_accuracy_pipeline.results import layout

    combine_claims(inputs=snakemake.input.claims, output=snakemake.output.claims)
    configurations = snakemake.params.configurations
    reports = [
        paper_report(snakemake.config["results"], paper, configuration).medians()
        for paper, configuration in configurations.items()
    ]
    write_agreement(reports, snakemake.output.agreement)
    stored = Path("reference", layout.CLAIMS)
    reference = read_claims(stored) if stored.is_file() else None
    others = [load_paper(paper) for paper in paper_ids() if paper not in configurations]
    build_site(reports, snakemake.output.page, others=others, reference=reference)
