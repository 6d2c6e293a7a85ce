"""Times of SVM-perf, which were measured elsewhere and are only quoted here."""

from pathlib import Path

import pandas as pd

from benchmarks.fits import MEASURES
from benchmarks.report import Section
from beyond_accuracy.measures import get_measure
from beyond_accuracy_pipeline.papers import cheng2016

_SPEEDUPS = Path(__file__).parent / "published" / "svm_perf_speedups.csv"
_SECONDS = Path(cheng2016.__file__).parent / "measured" / "svm_perf_seconds.csv"


def quoted_section() -> Section:
    """Return SVM-perf's times as a section, with one row per data set."""
    speedups = pd.read_csv(_SPEEDUPS).pivot(
        index="data_set", columns="measure", values="times_as_fast"
    )
    (seconds,) = pd.read_csv(_SECONDS).itertuples()
    return Section(
        "SVM-perf, measured elsewhere",
        "**This run did not measure the numbers of this section.** They say how many times as fast "
        "as SVM-perf 3.00 an earlier version of this package was, side by side in one run on "
        "another machine. Each fit ran to the objective at which SVM-perf stops by its default, "
        "eps = 0.1. C was 1 in LIBLINEAR's convention. The numbers are in "
        f"`benchmarks/published/{_SPEEDUPS.name}`. For F1 on {seconds.data_set}, SVM-perf took "
        f"{seconds.cpu_seconds:g} s and {seconds.iterations} iterations to an objective of "
        f"{seconds.primal:g} (`{_SECONDS.name}`, paper cheng2016).",
        ("data", *(get_measure(name).label for name in MEASURES)),
        [
            (data_set, *(f"{speedups.at[data_set, name]:,g}×" for name in MEASURES))
            for data_set in sorted(speedups.index, key=str.lower)
        ],
    )
