"""`python -m beyond_accuracy_pipeline.workflow.reference`: the reference, results of full runs.

The commands are `write` (make the results of a run the reference), `documents` (write README.md and
docs/results from the reference), `site` (build the pages of the reference) and `compare` (list the
cells and verdicts in which a run differs from the reference).
"""

import argparse
import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from beyond_accuracy_pipeline.papers import load_paper, paper_ids, saved_report
from beyond_accuracy_pipeline.reporting.agreement import read_agreement
from beyond_accuracy_pipeline.reporting.arena.documents import arena_pages
from beyond_accuracy_pipeline.reporting.claims import read_claims
from beyond_accuracy_pipeline.reporting.pages import paper_pages
from beyond_accuracy_pipeline.reporting.readme import README, readme
from beyond_accuracy_pipeline.reporting.reference import (
    GUIDE,
    MANIFEST,
    remade_table,
    reported_papers,
    write_reference,
)
from beyond_accuracy_pipeline.reporting.reference_comparison import (
    TOLERANCE,
    compare_with_reference,
)
from beyond_accuracy_pipeline.reporting.reference_values import Reference
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.site import build_site
from beyond_accuracy_pipeline.reporting.table_files import (
    SHOWN,
    read_shown,
    write_numbers,
    write_shown,
    write_table,
)
from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.results.damage import existing
from beyond_accuracy_pipeline.results.frames import write_csv


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command on the reference, the stored results of full runs; return the exit status.

    Commands are write, documents, site and compare. Status 1 means differences, 2 an error.
    """
    options = _parser().parse_args(arguments)
    try:
        return options.function(options)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2


def _write(options: argparse.Namespace) -> int:
    """Make the results of a run, of all papers or of some, the reference."""
    known = {name: load_paper(name) for name in paper_ids()}
    found = reported_papers(options.results, known) or known
    chosen = {name: known[name] for name in found}
    manifest = write_reference(options.results, options.reference, chosen)
    for name, run in manifest.items():
        print(f"{options.reference}/{name}: the run of {run['date']}, version {run['version']}")
    return 0


def _documents(options: argparse.Namespace) -> int:
    """Write README.md and the pages in docs/results from the reference."""
    reference, folder = Path(options.reference), Path(options.documents)
    definitions = {name: load_paper(name) for name in paper_ids()}
    claims = read_claims(existing(reference / layout.CLAIMS))
    papers = [name for name in reported_papers(reference, definitions) if definitions[name].claims]
    agreement = read_agreement(existing(reference / layout.AGREEMENT))
    reports = [saved_report(reference, name) for name in papers]
    values = Reference(reference)
    arenas = {name: paper for name, paper in definitions.items() if not paper.claims}
    pages = arena_pages(values, arenas) if (reference / "arena").is_dir() else {}
    for report in reports:
        pages |= paper_pages(report, claims, agreement, values)
    for page, text in pages.items():
        (folder / page).write_text(text, encoding="utf-8")
    (folder / README).write_text(readme(reference, definitions), encoding="utf-8")
    ranks = reference / "arena/figures/figure_critical_difference.svg"
    if ranks.is_file():
        shutil.copyfile(ranks, folder / "docs/results/arena_ranks.svg")
    return 0


def _site(options: argparse.Namespace) -> int:
    """Write the web pages of the reference, which has no predictions and no single fits."""
    known = reported_papers(options.reference, paper_ids())
    if not known:
        raise ValueError(f"{options.reference}: no reference of any paper.")
    output = Path(options.output)
    shutil.rmtree(output / layout.PAGES, ignore_errors=True)
    shutil.copytree(options.reference, output, dirs_exist_ok=True)
    manifest = json.loads(existing(output / MANIFEST).read_text(encoding="utf-8"))
    papers = [name for name in known if load_paper(name).claims]
    arenas = [name for name in known if name not in papers]
    reports = [saved_report(output, name) for name in [*papers, *arenas]]
    for report in reports:
        _write_tables(report)
    # JSON repeats the numbers of the CSV files.
    for file in output.glob("*/tables/*.json"):
        if not file.name.endswith(SHOWN):
            file.unlink()
    runs = {name: manifest[name]["run"] for name in known}
    build_site(
        [report.medians() for report in reports],
        output / layout.SITE,
        documentation=options.documentation,
        footer="Results of the reference runs.",
        runs=runs,
    )
    # No page links to these files: pages contain the tables, and CSV files the numbers.
    unlinked = ("*.parquet", "claims.csv", "configuration.json", "seconds.csv")
    patterns = (*(f"*/{name}" for name in unlinked), "*/tables/*.html", f"*/tables/*.{SHOWN}")
    for pattern in (*patterns, MANIFEST, GUIDE):
        for file in output.glob(pattern):
            file.unlink()
    print(output / layout.SITE)
    return 0


def _write_tables(report: Report) -> None:
    """Write a paper's tables: computed again if possible, otherwise from the stored texts."""
    for name in report.configuration["tables"]:
        numbers = report.results.path(layout.TABLE, table=name, suffix="csv")
        stem = numbers.with_suffix("")
        table = remade_table(report, name)
        if table is None:
            write_numbers(pd.read_csv(numbers), stem)
            write_shown(read_shown(Path(f"{stem}.{SHOWN}")), stem)
        else:
            write_table(report, table, stem)


def _compare(options: argparse.Namespace) -> int:
    """Print the cells and verdicts in which a run differs from the reference."""
    known = reported_papers(options.reference, paper_ids())
    names = reported_papers(options.results, known)
    if not names:
        raise ValueError(
            f"{options.results}: has measurements of none of the papers in {options.reference} "
            f"({', '.join(known) or 'none'}). Run snakemake, or name another folder of results."
        )
    definitions = {name: load_paper(name) for name in names}
    comparison = compare_with_reference(
        options.results, options.reference, definitions, tolerance=options.tolerance
    )
    if options.csv:
        write_csv(options.csv, comparison.cells, float_format="%.10g")
    print(comparison)
    if comparison.compared.empty:
        raise ValueError(
            f"No cell of {', '.join(names)} could be compared: all are of other data than the "
            "reference's, or in one alone. See status in data_sets.csv."
        )
    return 0 if comparison.holds else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="beyond_accuracy_pipeline.workflow.reference", description=__doc__
    )
    commands = parser.add_subparsers(required=True)

    def command(function) -> argparse.ArgumentParser:
        text = function.__doc__
        added = commands.add_parser(function.__name__[1:], help=text, description=text)
        added.set_defaults(function=function)
        added.add_argument("--reference", default="reference", help="folder of the reference")
        return added

    write, documents, site, compare = map(command, (_write, _documents, _site, _compare))
    for each in (write, compare):
        each.add_argument("--results", default="results", help="folder of the run's results")
    documents.add_argument("--documents", default=".", help="folder of README.md and docs/")
    site.add_argument("--output", default="build/site", help="folder of the pages")
    site.add_argument("--documentation", default="", help="path of the documentation on a page")
    compare.add_argument("--csv", help="file for all compared cells")
    compare.add_argument(
        "--tolerance", type=float, default=TOLERANCE, help="difference that is ignored"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
