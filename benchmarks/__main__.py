"""Run all benchmarks and write RESULTS.md, or print the results of some."""

import argparse
import sys
import time
from pathlib import Path

from benchmarks import (
    blocks,
    cross_validation,
    enumeration,
    error_rate,
    fits,
    hinge,
    inference,
    reweighting,
    rivals,
    scaling,
)
from benchmarks.report import describe_machine, markdown
from benchmarks.summary import draw, summary_section
from benchmarks.svm_perf import quoted_section
from benchmarks.tasks import Sizes, load_tasks

BENCHMARKS = {
    module.__name__.rpartition(".")[2]: module
    for module in (
        fits,
        enumeration,
        error_rate,
        hinge,
        cross_validation,
        scaling,
        blocks,
        inference,
        reweighting,
        rivals,
    )
}


def run(scale: str, repetitions: int, folder: Path, only=()) -> None:
    """Measure, and write RESULTS.md and its pictures into `folder`.

    If `only` names some of `BENCHMARKS`, their sections are printed instead.
    """
    started = time.perf_counter()
    folder.mkdir(parents=True, exist_ok=True)
    sizes = Sizes.of(scale)
    tasks = load_tasks(sizes)
    sections = []
    for name in only or BENCHMARKS:
        print(BENCHMARKS[name].__doc__.splitlines()[0], file=sys.stderr, flush=True)
        sections.append(BENCHMARKS[name].measure(tasks, sizes, repetitions, folder))
        seconds = time.perf_counter() - started
        print(f"  {name}: ends {seconds:.0f} s after the start", file=sys.stderr, flush=True)
    if only:
        print("\n\n".join(map(str, sections)))
        return
    first_table, ratios = summary_section(sections)
    summary = (first_table, draw(ratios, folder)) if ratios else None
    machine, quoted = describe_machine(), quoted_section()
    text = markdown(scale, repetitions, machine, tasks, quoted, sections, summary)
    (folder / "RESULTS.md").write_text(text, encoding="utf-8")
    print(f"wrote {folder / 'RESULTS.md'}", file=sys.stderr)


def main(argv=None) -> int:
    """Parse the arguments, run, and write the report into `--output`."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "only",
        nargs="*",
        metavar="NAME",
        help=f"print only the results of these: {', '.join(BENCHMARKS)}",
    )
    size = parser.add_mutually_exclusive_group()
    size.add_argument(
        "--quick", action="store_true", help="tiny data: shows that everything runs, no more"
    )
    size.add_argument(
        "--full", action="store_true", help="scaling up to 10 million rows (2 GB, some minutes)"
    )
    parser.add_argument("--repetitions", type=int, default=3, help="medians are over so many runs")
    parser.add_argument(
        "--output",
        type=Path,
        default=Path(__file__).parent,
        metavar="FOLDER",
        help="where to write RESULTS.md and its pictures (default: the folder of the benchmarks)",
    )
    arguments = parser.parse_args(argv)
    if arguments.repetitions < 1:
        parser.error(f"--repetitions must be at least 1, found {arguments.repetitions}")
    if unknown := sorted(set(arguments.only) - set(BENCHMARKS)):
        parser.error(f"no benchmark {unknown[0]!r}; there are {', '.join(BENCHMARKS)}")
    scale = "quick" if arguments.quick else "full" if arguments.full else "default"
    run(scale, arguments.repetitions, arguments.output, arguments.only)
    return 0


if __name__ == "__main__":
    sys.exit(main())
