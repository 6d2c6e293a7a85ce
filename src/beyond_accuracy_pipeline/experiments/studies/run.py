"""Run a study and write its results."""

import json
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from beyond_accuracy_pipeline.datasets.prepared import load_prepared
from beyond_accuracy_pipeline.datasets.preprocessing import transform_parts
from beyond_accuracy_pipeline.experiments.methods import Method, with_random_state
from beyond_accuracy_pipeline.experiments.studies.auxiliary_selection import auxiliary_selection
from beyond_accuracy_pipeline.experiments.studies.convergence import convergence, line_search
from beyond_accuracy_pipeline.experiments.studies.multivariate_svm import error_rate, learnable
from beyond_accuracy_pipeline.experiments.studies.simulations import SIMULATIONS
from beyond_accuracy_pipeline.experiments.studies.sweeps import sweep
from beyond_accuracy_pipeline.results.columns import FIT_COLUMNS, STUDY_COLUMNS
from beyond_accuracy_pipeline.results.frames import read_frames, write_study

STUDIES = {
    "oracle_calls_by_C": partial(sweep, values=False),
    "oracle_calls_by_B": partial(sweep, values=False),
    "by_C": sweep,
    "by_B": sweep,
    "by_training_size": sweep,
    "auxiliary_selection": auxiliary_selection,
    "convergence": convergence,
    "line_search": line_search,
    "error_rate": error_rate,
    "learnable": learnable,
    **SIMULATIONS,
}


def run_study(
    study: str,
    settings: Mapping[str, Any],
    *,
    data_set: str,
    seed_and_paper: tuple[int, str],
    prepared: str | Path | None = None,
    fits: Iterable[str | Path] = (),
    keys: Iterable[str] = (),
    rows: str | Path,
    seconds: str | Path,
    earlier: tuple[str | Path, str | Path] | None = None,
) -> None:
    """Run a study, an additional experiment of a paper, and write its rows and times to files.

    - `settings` is the section of the study in the configuration.
    - `data_set` is the name in the paper, even if another data set replaces it.
    - `prepared` is the folder with the arrays of the data set, or None for simulations.
    - `fits` are tables of fits from the main experiment. Selected hyperparameters are read from the
      rows whose fit is in `keys`.
    - `rows` and `seconds` are the output files, with the columns in `STUDY_COLUMNS`.
    - `earlier` has these two files for the first seed. Rows of deterministic methods are copied.
    """
    settings = dict(settings)
    data = None if prepared is None else transform_parts(load_prepared(prepared))
    for role in {"methods", "auxiliaries"} & settings.keys():
        settings[role] = {
            name: with_random_state(classifier, name, *seed_and_paper, data_set)
            for name, classifier in settings[role].items()
        }
    methods, keys = settings.get("methods"), [*keys]
    fits = read_frames([*fits], FIT_COLUMNS).query("fit in @keys and status == 'ok'")
    if methods:
        settings["widths"] = {
            (fit.method, fit.measure): parameters["gamma"]
            for fit in fits.itertuples()
            if "gamma" in (parameters := json.loads(fit.selected))
        }
    if settings.get("selected_by"):
        chosen = fits[fits["method"] == settings["selected_by"]]
        selected = map(json.loads, chosen["selected"])
        settings["selected"] = dict(zip(chosen["task"], selected, strict=True))
    if methods is None or earlier is None:
        tables = STUDIES[study](data, settings, seed_and_paper)
    else:
        order = list(methods)
        random = {name: method for name, method in methods.items() if Method(method).is_random}
        tables = list(STUDIES[study](data, {**settings, "methods": random}, seed_and_paper))
        for index, part in enumerate(("rows", "seconds")):
            frame = read_frames([earlier[index]], STUDY_COLUMNS[study][part])
            reused = frame[~frame["method"].isin(list(random))].to_dict("records")
            table = [*tables[index], *reused]
            tables[index] = sorted(table, key=lambda row: order.index(row["method"]))
    write_study(rows, tables[0], study)
    write_study(seconds, tables[1], study, "seconds")
