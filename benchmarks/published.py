"""What was measured elsewhere: quoted, in ratios that say so alone."""

from benchmarks.report import Section

_SOURCE = "SVM-perf 3.00, one core of a similar machine, eps = 0.1"
# Seconds of SVM-perf are of its own data of the given shape, not of the data generated here.
_ROWS = (
    ("ijcnn1, C = 499.9", "F1", "94.5", "181 iterations, primal 45154.24, dual 45108.39"),
    ("dense 20,000 × 50, 5 % positives, C_liblinear = 1", "F1", "9.4", ""),
    ("the same", "PRBEP", "2.9", ""),
    ("the same", "Rec@2p", "4.5", "over at most k"),
    ("the same", "ROC area", "0.90", ""),
    ("the same", "error rate", "0.08", ""),
    ("sparse 10,000 × 30,000, 3 % positives", "F1", "0.87", "gap 0.001 %"),
    ("the same", "PRBEP", "0.45", ""),
    ("the same", "Rec@2p", "0.70", "over at most k"),
    ("the same", "ROC area", "0.52", ""),
    ("the same", "error rate", "0.65", ""),
)


def published_section() -> Section:
    """Seconds of SVM-perf, for orientation."""
    return Section(
        "Measured elsewhere, not in this run",
        f"{_SOURCE}. The generated tasks there have the shapes but not the values of those above, "
        "and the machine is another: these numbers, and the ratios to SVM-perf's seconds "
        "elsewhere, are for orientation.",
        ("data", "measure", "seconds", "remarks"),
        _ROWS,
    )
