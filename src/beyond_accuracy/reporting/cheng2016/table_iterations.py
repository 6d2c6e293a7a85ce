"""Iterations to the same gap of the same objective, with and without line search."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from beyond_accuracy.reporting.cheng2016.convergence import final_rows
from beyond_accuracy.reporting.data_set_names import data_set_label, data_set_notes
from beyond_accuracy.reporting.tables import UNAVAILABLE, Table, count
from beyond_accuracy.results import PaperResults


def table_iterations(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """Iterations of BM-ls-CS and BM-nls-CS, their ratio, and LIBLINEAR's rounds, by C."""
    settings = configuration["convergence"]
    data_sets = results.data_set_names(configuration["data_sets"])
    final = final_rows(results, settings["tol"])
    rows, shown = [], {}
    for data_set in data_sets:
        for C in settings["C"]:
            found = {
                method: final.get((data_set, C, method))
                for method in ("bm_ls_cs", "bm_nls_cs", "svm_cs")
            }
            counts = {key: None if one is None else one.iterations for key, one in found.items()}
            with_search, without = counts["bm_ls_cs"], counts["bm_nls_cs"]
            ratio = without / with_search if with_search and without else None
            gaps = {
                f"{key}_relative_gap": None if one is None else one.relative_gap
                for key, one in found.items()
            }
            rows.append({"data_set": data_set, "C": C, **counts, "ratio": ratio, **gaps})
            shown[data_set_label(results, data_set), f"C = {C:g}"] = {
                "BM-ls-CS": _text(found["bm_ls_cs"]),
                "BM-nls-CS": _text(found["bm_nls_cs"]),
                "BM-nls-CS / BM-ls-CS": UNAVAILABLE if ratio is None else f"{ratio:.1f}",
                "LIBLINEAR's rounds": _text(found["svm_cs"]),
            }
    display = pd.DataFrame.from_dict(shown, orient="index")
    display.index = pd.MultiIndex.from_tuples(list(shown), names=["Data set", "C"])
    frame = pd.DataFrame(rows)
    integers = dict.fromkeys(["bm_ls_cs", "bm_nls_cs", "svm_cs"], "Int64")
    return Table(
        frame=frame.astype(integers),
        display=display,
        caption=(
            f"Iterations to a relative gap of {settings['tol']:g} of the same objective, with "
            f"the costs of the target t = {settings['t']:g} and mu = {settings['mu']:g}; C is "
            "LIBLINEAR's."
        ),
        notes=(
            "LIBLINEAR's rounds: the first of "
            f"{', '.join(map(str, settings['liblinear_rounds']))} after which its objective, "
            "recomputed, is within the gap of a certified lower bound.",
            "> : the gap was not reached.",
            *data_set_notes(results, data_sets),
        ),
    )


def _text(found) -> str:
    if found is None:
        return UNAVAILABLE
    return count(found.iterations) if found.converged else f"> {count(found.iterations)}"
