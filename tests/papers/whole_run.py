"""A synthetic run of any paper, with the studies that its configuration declares."""

from pathlib import Path
from typing import Any

from beyond_accuracy_pipeline.results.frames import write_study
from beyond_accuracy_pipeline.results.layout import study_data_sets, study_file

from . import cheng_run
from .li2013 import capo_run
from .simulations import write_simulations
from .synthetic import SyntheticRun, paper_configuration, synthetic_run

# Data sets of each paper, with one class against the rest if the paper has such tasks.
OWN = {
    "arena": ("vehicle", "page-blocks"),
    "arena_multiclass": ("cmc", "glass"),
    "arena_multilabel": ("scene", "enron"),
    "cheng2016": ("a3a", "letter"),
    "dembczynski2011": ("scene", "enron"),
    "deng2006": ("cmc", "flags"),
    "joachims2005": ("reuters21578-modapte", "covertype"),
    "li2013": ("reuters-money-fx", "usps-01234"),
}
# Smaller settings than the whole arena's.
SMALLER = {
    "arena": {
        "states": 2,
        "methods_selected": ["lr", "lr_tuned", "lr_f", "hgb", "multivariate_svm", "capo_hgb"],
    }
}
SINGLE_TASKS = ("cheng2016", "li2013")


def _write_error_rates(run: SyntheticRun) -> None:
    """Write two classes per data set, with one different prediction."""
    for data_set in study_data_sets(run.configuration, "error_rate"):
        rows = [
            {"data_set": data_set, "task": f"class {index}", "n_test": 50, "n_different": index}
            for index in range(2)
        ]
        path = study_file(run.folder, run.paper, "error_rate", data_set)
        write_study(path, rows, "error_rate")


STUDIES = {
    "cheng2016": cheng_run.write_studies,
    "dembczynski2011": write_simulations,
    "joachims2005": _write_error_rates,
    "li2013": capo_run.write_whole,
}


def whole_run(folder: Path, paper: str, **changes: Any) -> SyntheticRun:
    """Return a written run of the data sets `OWN`, with changes of the configuration."""
    smaller = {"data_sets": list(OWN[paper])} | SMALLER.get(paper, {})
    configuration = paper_configuration(paper, **smaller | changes)
    n_classes = dict.fromkeys(configuration["data_sets"], 1 if paper in SINGLE_TASKS else 4)
    run = synthetic_run(folder, paper, configuration=configuration, n_classes=n_classes)
    if paper in STUDIES:
        STUDIES[paper](run)
    run.report().results.write_configuration()
    return run
