"""The layout of a run's results: where files are, what is in them, how they are written and read.

Both sides stand on it: the jobs that write results, and the reports that are made from them.
"""

from beyond_accuracy.results.frames import (
    FIT_COLUMNS,
    MEASUREMENT_COLUMNS,
    SECONDS_COLUMNS,
    read_frames,
    write_frame,
)
from beyond_accuracy.results.paper_results import PaperResults
from beyond_accuracy.results.scores import Scores, read_scores, write_scores

__all__ = [
    "FIT_COLUMNS",
    "MEASUREMENT_COLUMNS",
    "SECONDS_COLUMNS",
    "PaperResults",
    "Scores",
    "read_frames",
    "read_scores",
    "write_frame",
    "write_scores",
]
