"""All benchmarks in order, and the report of what they measured."""

import sys
import time
from pathlib import Path

from benchmarks import (
    blocks,
    bundle,
    cross_validation,
    enumeration,
    error_rate,
    inference,
    matrix_products,
    operating_points,
    path_of_c,
    reweighting,
    rivals,
    scaling,
    shared_products,
    svm_perf_rule,
    time_to_primal,
    times_of_fits,
)
from benchmarks.machine import describe_machine
from benchmarks.published import published_section
from benchmarks.report import Target, markdown
from benchmarks.summary import draw, summary_section
from benchmarks.tasks import Sizes, load_tasks

_BENCHMARKS = (
    time_to_primal,
    path_of_c,
    svm_perf_rule,
    times_of_fits,
    enumeration,
    error_rate,
    bundle,
    cross_validation,
    matrix_products,
    shared_products,
    scaling,
    blocks,
    inference,
    reweighting,
    operating_points,
    rivals,
)


def run(scale: str, repetitions: int, folder: Path) -> None:
    """Measure, and write RESULTS.md and its pictures into `folder`."""
    started = time.perf_counter()
    folder.mkdir(parents=True, exist_ok=True)
    sizes = Sizes.of(scale)
    tasks = load_tasks(sizes)
    sections = []
    targets: list[Target] = []
    for benchmark in _BENCHMARKS:
        print(f"{benchmark.__doc__.splitlines()[0]}", file=sys.stderr, flush=True)
        section = benchmark.measure(tasks, sizes, repetitions, folder)
        sections.append(section)
        targets.extend(section.targets)
    sections.append(published_section())
    first_table, ratios = summary_section(sections)
    summary = (first_table, draw(ratios, folder)) if ratios else None
    text = markdown(scale, repetitions, describe_machine(), tasks, targets, sections, summary)
    (folder / "RESULTS.md").write_text(text, encoding="utf-8")
    seconds = time.perf_counter() - started
    print(f"wrote {folder / 'RESULTS.md'} after {seconds:.0f} s", file=sys.stderr)
