"""Table 5: CAPO with five core vector machines against their weighted ensemble."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from beyond_accuracy.reporting.comparison import Pair
from beyond_accuracy.reporting.data_set_names import data_set_label
from beyond_accuracy.reporting.li2013.methods import ENSEMBLE, FIVE, measure_label, method_label
from beyond_accuracy.reporting.li2013.values import (
    Intervals,
    at,
    data_notes,
    interval_note,
    of_the_paper,
    paired,
    published_values,
    values_by_task,
)
from beyond_accuracy.reporting.statistics import count_signs
from beyond_accuracy.reporting.tables import Table, percent, percent_interval
from beyond_accuracy.results import PaperResults

PAIR = Pair(FIVE, ENSEMBLE)


def table5(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """Both methods, their difference with its interval, and the published values."""
    values, published = values_by_task(results, configuration), published_values("table5")
    intervals = Intervals(results)
    rows, shown, styles = [], {}, {}
    for task in values.index:
        data_set, measure = task
        ours = {method: at(values, task, method) for method in PAIR.methods}
        known = {method: at(published, task, method) for method in PAIR.methods}
        bounds = {method: intervals(task, method) for method in PAIR.methods}
        low, high = intervals.difference(task, PAIR)
        difference = ours[FIVE] - ours[ENSEMBLE]
        rows.append(
            {
                "data_set": data_set,
                "measure": measure,
                **{
                    f"{method}{end}": number
                    for method, value in ours.items()
                    for end, number in zip(
                        ("", "_low", "_high"), (value, *bounds[method]), strict=True
                    )
                },
                "difference": difference,
                "difference_low": low,
                "difference_high": high,
                **{f"published_{method}": value for method, value in known.items()},
                "published_difference": known[FIVE] - known[ENSEMBLE],
            }
        )
        key = (data_set_label(results, data_set), measure_label(measure))
        interval = percent_interval(low, high, sign=True)
        shown[key] = {
            **{
                method_label(
                    method
                ): f"{percent(value)} {percent_interval(*bounds[method])}".strip()
                for method, value in ours.items()
            },
            "Difference": f"{percent(difference, sign=True)} {interval}".strip(),
            **{
                f"Published: {method_label(method)}": _known(value)
                for method, value in known.items()
            },
        }
        best = max(ours.values())
        styles[key] = {
            method_label(method): "bold" for method, value in ours.items() if value == best
        }
    index = pd.MultiIndex.from_tuples(list(shown), names=["Data set", "Measure"])
    display = pd.DataFrame(list(shown.values()), index=index)
    shape = pd.DataFrame(list(styles.values()), index=index, columns=display.columns).fillna("")
    data_sets = list(dict.fromkeys(values.index.get_level_values("data_set")))
    return Table(
        frame=pd.DataFrame(rows),
        display=display,
        cell_styles=shape,
        caption=(
            "Table 5. CAPO with five core vector machines (RBF, polynomial, Laplacian, inverse "
            "distance and inverse square distance kernels) and their weighted ensemble, which "
            "has no delta function; values and differences in percent."
        ),
        notes=(
            f"Wins/losses/ties of CAPO on the paper's data sets: {_signs(of_the_paper(values))} "
            f"here, {_signs(published)} in the paper.",
            interval_note(configuration),
            *data_notes(results, data_sets),
        ),
    )


def _signs(values: pd.DataFrame) -> str:
    both = paired(values, PAIR)
    return str(count_signs(both[FIVE], both[ENSEMBLE]))


def _known(value: float) -> str:
    return "" if pd.isna(value) else percent(value)
