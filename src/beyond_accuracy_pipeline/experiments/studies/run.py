"""Run a study and write its results."""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from beyond_accuracy_pipeline.results.columns import FIT_COLUMNS, STUDY_COLUMNS, Rows
from beyond_accuracy_pipeline.results.frames import read_frames, write_study


def load_study(name: str) -> Callable[..., tuple[Rows, Rows]]:
    """Return the function of a study, without importing modules that only other studies need."""
    match name:
        case "oracle_calls_by_C" | "oracle_calls_by_B":
            from beyond_accuracy_pipeline.experiments.studies.sweeps import oracle_calls as study
        case "by_C" | "by_B" | "by_training_size":
            from beyond_accuracy_pipeline.experiments.studies.sweeps import sweep as study
        case "matching_B":
            from beyond_accuracy_pipeline.experiments.studies.matching_penalty import (
                matching_penalty as study,
            )
        case "auxiliary_selection":
            from beyond_accuracy_pipeline.experiments.studies.auxiliary_selection import (
                auxiliary_selection as study,
            )
        case "convergence":
            from beyond_accuracy_pipeline.experiments.studies.convergence import (
                convergence as study,
            )
        case "line_search":
            from beyond_accuracy_pipeline.experiments.studies.convergence import (
                line_search as study,
            )
        case "error_rate":
            from beyond_accuracy_pipeline.experiments.studies.error_rate import error_rate as study
        case "learnable":
            from beyond_accuracy_pipeline.experiments.studies.learnable import learnable as study
        case "independent_labels" | "dependent_labels" | "inference_seconds" | "worst_cases":
            from beyond_accuracy_pipeline.experiments.studies.simulations import SIMULATIONS

            study = SIMULATIONS[name]
        case _:
            raise ValueError(f"no study {name!r}; it is one of {', '.join(STUDY_COLUMNS)}")
    return study


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
    """Run a study and write its rows and times, with the columns in `STUDY_COLUMNS`.

    `data_set` is the paper's name, even if a substitute is used. Studies take selected
    hyperparameters from the tables `fits`, from the fits with the given `keys`. If `earlier` has
    rows and times of the first seed, deterministic methods are taken from it.
    """
    data, settings = None, dict(settings)
    if prepared is not None:
        # Simulations do not need scikit-learn, whose import is slow.
        from beyond_accuracy_pipeline.datasets.prepared import load_prepared
        from beyond_accuracy_pipeline.datasets.preprocessing import transform_parts
        from beyond_accuracy_pipeline.experiments.random_states import with_random_state

        data = transform_parts(load_prepared(prepared))
        for role in {"methods", "auxiliaries"} & settings.keys():
            settings[role] = {
                name: with_random_state(classifier, name, *seed_and_paper, data_set)
                for name, classifier in settings[role].items()
            }
    methods, keys = settings.get("methods"), [*keys]
    fits = read_frames([*fits], FIT_COLUMNS).query("fit in @keys and status == 'ok'")
    if methods:
        settings["widths"] = _chosen_widths(fits)
    if settings.get("selected_by"):
        settings["selected"] = _chosen_parameters(fits, settings["selected_by"])
    if methods is None or earlier is None:
        tables = load_study(study)(data, settings, seed_and_paper)
    else:
        from beyond_accuracy_pipeline.experiments.methods import Method

        drawn = {name: own for name, own in methods.items() if Method(own).is_random}
        tables = load_study(study)(data, {**settings, "methods": drawn}, seed_and_paper)
        kept = [name for name in methods if name not in drawn]
        parts = zip(tables, earlier, ("rows", "seconds"), strict=True)
        tables = [
            _sort_by_method([*own, *_rows_of(kept, file, STUDY_COLUMNS[study][part])], methods)
            for own, file, part in parts
        ]
    write_study(rows, tables[0], study)
    write_study(seconds, tables[1], study, "seconds")


def _rows_of(methods, file, columns) -> Rows:
    return read_frames([file], columns).query("method in @methods").to_dict("records")


def _sort_by_method(rows, methods) -> Rows:
    places = {method: place for place, method in enumerate(methods)}
    return sorted(rows, key=lambda row: places[row["method"]])


def _chosen_parameters(fits, method) -> dict[str, dict[str, Any]]:
    """Return the selected hyperparameters of a method in a table of fits, by task."""
    own = fits.query("method == @method")
    return dict(zip(own["task"], own["selected"].map(json.loads), strict=True))


def _chosen_widths(fits) -> dict[tuple[str, str], float]:
    """Return the selected kernel width by (method, measure), for methods with a kernel."""
    return {
        (fit.method, fit.measure): parameters["gamma"]
        for fit in fits.itertuples()
        if "gamma" in (parameters := json.loads(fit.selected))
    }
