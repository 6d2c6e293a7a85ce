"""Tidy measurements: the value of every measure from the stored test scores."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from beyond_accuracy.datasets.prepared import load_prepared
from beyond_accuracy.experiments.class_measurements import TRUE_CLASSES, class_values
from beyond_accuracy.experiments.label_measurements import TRUE_LABELS, label_values
from beyond_accuracy.experiments.store import read_scores, write_table
from beyond_accuracy.experiments.tasks import binary_tasks
from beyond_accuracy.measures import get_measure

COLUMNS = [
    "paper",
    "data_set",
    "task",
    "method",
    "measure",
    "fold",
    "value",
    "status",
    "reason",
]


def collect_measurements(
    prepared_folders: Sequence, scores: Sequence, fits: Sequence, output
) -> None:
    """Measure the test scores of a paper's fits; `scores` and `fits` go in pairs.

    Rows of fits that are not "ok" keep their status and reason, with a missing value.
    """
    folders = {Path(folder).name: folder for folder in prepared_folders}
    frames = []
    tests = {}
    for score_file, fit_file in zip(scores, fits, strict=True):
        frame = pd.read_parquet(fit_file)
        data_set = frame["data_set"].iloc[0]
        names, arrays = read_scores(score_file)
        if TRUE_LABELS in arrays:
            frame["value"] = label_values(frame, arrays)
            frames.append(frame[COLUMNS])
            continue
        if TRUE_CLASSES in arrays:
            frame["value"] = class_values(frame, names, arrays)
            frames.append(frame[COLUMNS])
            continue
        if data_set not in tests and (frame["status"] == "ok").any():
            data = load_prepared(folders[data_set])
            tests[data_set] = {task.name: task.test for task in binary_tasks(data)}
        place = {name: i for i, name in enumerate(names)}
        frame["value"] = [
            get_measure(row.measure).score(
                tests[data_set][row.task], arrays[row.measure][place[row.task]]
            )
            if row.status == "ok"
            else np.nan
            for row in frame.itertuples()
        ]
        frames.append(frame[COLUMNS])
    write_table(output, pd.concat(frames, ignore_index=True))
