"""Tables that the paper has no room for: the classes behind Table 2, and the iterations."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from beyond_accuracy.measures import get_measure
from beyond_accuracy.reporting.joachims2005.methods import (
    METHOD_LABELS,
    PAIR,
    collection_label,
    collection_notes,
    cutting_plane_iterations,
)
from beyond_accuracy.reporting.results import PaperResults
from beyond_accuracy.reporting.tables import UNAVAILABLE, Table, count, percent

FALLBACK_MARK = "‡"
DEGENERATE_MARK = "§"
FIT_COLUMNS = ("selected", "fallback", "converged", "degenerate", "n_iter", "dual_gap")


def table2_per_class(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """The value of every class behind the macro-averages, failures and fallbacks marked."""
    keys = ["data_set", "task", "measure"]
    measurements = results.measurements[results.measurements["task"].fillna("") != ""]
    fits = results.fits[results.fits["task"].fillna("") != ""]
    values = measurements.merge(
        fits[[*keys, "method", "n_train_positives", "n_test_positives", *FIT_COLUMNS]],
        on=[*keys, "method"],
        how="left",
        validate="many_to_one",
    )
    columns = ["value", "status", "reason", *FIT_COLUMNS]
    wide = values.pivot(index=keys, columns="method", values=columns)
    # Every column is there, also when no data set is.
    wide = wide.reindex(columns=pd.MultiIndex.from_product([columns, PAIR.methods]))
    wide.columns = [
        method if column == "value" else f"{method}_{column}" for column, method in wide.columns
    ]
    counts = values.groupby(keys)[["n_train_positives", "n_test_positives"]].max().astype("Int64")
    frame = _in_order(counts.join(wide).reset_index(), results, configuration)
    data_sets = results.data_set_names(configuration["data_sets"])
    failures = frame[[f"{method}_reason" for method in PAIR.methods]].stack()
    notes = [
        f"{FALLBACK_MARK} too few positives for a holdout: most often selected values.",
        f"{DEGENERATE_MARK} the optimum is w = 0: the ranking of the test examples is arbitrary.",
    ]
    notes += [f"failed: {reason}" for reason in failures[failures != ""].unique()]
    return Table(
        frame=frame,
        display=_per_class_display(frame, results),
        caption=(
            "The classes behind Table 2, in percent: "
            f"{METHOD_LABELS[PAIR.proposed]} / {METHOD_LABELS[PAIR.baseline]}, "
            "and the number of positive training and test examples."
        ),
        notes=(*notes, *collection_notes(results, data_sets)),
    )


def _in_order(
    frame: pd.DataFrame, results: PaperResults, configuration: Mapping[str, Any]
) -> pd.DataFrame:
    """Order by the configuration's data sets, rarest class last, the configuration's measures."""
    ranks = {
        "data_set": {name: i for i, name in enumerate(configuration["data_sets"])},
        "measure": {name: i for i, name in enumerate(configuration["measures"])},
    }
    chosen = frame[frame["data_set"].isin(ranks["data_set"])]
    chosen = chosen[chosen["measure"].isin(ranks["measure"])]
    order = pd.DataFrame(
        {
            "data_set": chosen["data_set"].map(ranks["data_set"]),
            "positives": -chosen["n_train_positives"],
            "task": chosen["task"],
            "measure": chosen["measure"].map(ranks["measure"]),
        }
    )
    return chosen.loc[order.sort_values(list(order.columns)).index].reset_index(drop=True)


def _per_class_display(frame: pd.DataFrame, results: PaperResults) -> pd.DataFrame:
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for row in frame.to_dict("records"):
        key = (collection_label(results, row["data_set"]), row["task"])
        cells = rows.setdefault(
            key,
            {
                "Train": count(row["n_train_positives"]),
                "Test": count(row["n_test_positives"]),
            },
        )
        texts = []
        for method in PAIR.methods:
            if row[f"{method}_status"] != "ok":
                texts.append(str(row[f"{method}_status"]))
                continue
            texts.append(percent(row[method]) + _marks(row, method))
        cells[get_measure(row["measure"]).label] = " / ".join(texts)
    display = pd.DataFrame.from_dict(rows, orient="index")
    display.index = pd.MultiIndex.from_tuples(list(rows), names=["Collection", "Class"])
    return display


def _marks(row: Mapping[str, Any], method: str) -> str:
    marks = {"fallback": FALLBACK_MARK, "degenerate": DEGENERATE_MARK}
    return "".join(mark for name, mark in marks.items() if row[f"{method}_{name}"] is True)


def table_iterations(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """Iterations (cutting planes) of the multivariate SVM's final fits."""
    fits = cutting_plane_iterations(results.fits)
    rows, shown = [], {}
    data_sets = results.data_set_names(configuration["data_sets"])
    for data_set in data_sets:
        for measure in configuration["measures"]:
            chosen = fits[(fits["data_set"] == data_set) & (fits["measure"] == measure)]
            summary = {
                "n_fits": len(chosen),
                "median": chosen["iterations"].median(),
                "quantile_90": chosen["iterations"].quantile(0.9),
                "maximum": chosen["iterations"].max(),
                "n_not_converged": int((~chosen["sufficed"]).sum()),
                "median_with_line_search": chosen["n_iter"].median(),
                "largest_dual_gap": chosen["dual_gap"].max(),
            }
            rows.append({"data_set": data_set, "measure": measure, **summary})
            shown[collection_label(results, data_set), get_measure(measure).label] = {
                "Fits": count(summary["n_fits"]),
                "Median": _iterations(summary["median"]),
                "90 %": _iterations(summary["quantile_90"]),
                "Most": _iterations(summary["maximum"]),
                "Not converged": count(summary["n_not_converged"]),
                "Median of the solver": _iterations(summary["median_with_line_search"]),
                "Largest relative duality gap": _gap(summary["largest_dual_gap"]),
            }
    display = pd.DataFrame.from_dict(shown, orient="index")
    display.index = pd.MultiIndex.from_tuples(list(shown), names=["Collection", "Measure"])
    plain = fits["n_iter_without_line_search"].notna().any()
    counted = (
        ("without line search and to SVM-perf's tolerance of 0.1 points, as in the paper")
        if plain
        else "as the solver runs"
    )
    return Table(
        frame=pd.DataFrame(rows),
        display=display,
        caption=(
            "Iterations (one cutting plane each) of the multivariate SVM's fits on the whole "
            f"training set, counted {counted}."
        ),
        notes=(
            "Median of the solver and duality gap: the fits behind Table 2 as they were run.",
            *collection_notes(results, data_sets),
        ),
    )


def _iterations(value: float) -> str:
    return UNAVAILABLE if pd.isna(value) else f"{value:,.0f}"


def _gap(value: float) -> str:
    return UNAVAILABLE if pd.isna(value) else f"{value:.1e}".replace("-", "−")
