"""Run all benchmarks and write RESULTS.md, or print the results of some."""

import argparse
import sys
from pathlib import Path

from benchmarks.run import BENCHMARKS, run


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
