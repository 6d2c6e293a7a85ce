"""Run the benchmarks in order and write their report."""

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
from benchmarks.machine import describe_machine
from benchmarks.report import markdown
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
