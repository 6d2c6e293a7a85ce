"""What cross-fitting of the auxiliaries changes."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from beyond_accuracy.reporting.data_set_names import data_set_label
from beyond_accuracy.reporting.li2013.methods import CROSS_FITTING, measure_label, method_label
from beyond_accuracy.reporting.li2013.values import (
    Intervals,
    at,
    data_notes,
    interval_note,
    of_the_paper,
    paired,
    values_by_task,
)
from beyond_accuracy.reporting.statistics import count_signs, signed_rank_test
from beyond_accuracy.reporting.tables import Table, p_value, percent, percent_interval
from beyond_accuracy.results import PaperResults


def table_cross_fitting(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """CAPO* whose training outputs come from auxiliaries without the case's fold, against CAPO*."""
    values, intervals = values_by_task(results, configuration), Intervals(results)
    proposed, baseline = CROSS_FITTING.methods
    rows, shown = [], {}
    for task in values.index:
        data_set, measure = task
        ours = {method: at(values, task, method) for method in CROSS_FITTING.methods}
        difference = ours[proposed] - ours[baseline]
        low, high = intervals.difference(task, CROSS_FITTING)
        rows.append(
            {
                "data_set": data_set,
                "measure": measure,
                **ours,
                "difference": difference,
                "difference_low": low,
                "difference_high": high,
            }
        )
        interval = percent_interval(low, high, sign=True)
        shown[data_set_label(results, data_set), measure_label(measure)] = {
            method_label(baseline): percent(ours[baseline]),
            method_label(proposed): percent(ours[proposed]),
            "Difference": f"{percent(difference, sign=True)} {interval}".strip(),
        }
    index = pd.MultiIndex.from_tuples(list(shown), names=["Data set", "Measure"])
    data_sets = list(dict.fromkeys(values.index.get_level_values("data_set")))
    return Table(
        frame=pd.DataFrame(rows),
        display=pd.DataFrame(list(shown.values()), index=index),
        caption=(
            "The effect of cross-fitting: CAPO* trained on outputs of auxiliaries that have not "
            "seen the case, and CAPO* trained, as in the paper, on those of auxiliaries that "
            "have; in percent."
        ),
        notes=(
            *_summary(of_the_paper(values), configuration),
            interval_note(configuration),
            *data_notes(results, data_sets),
        ),
    )


def _summary(values: pd.DataFrame, configuration: Mapping[str, Any]) -> tuple[str, ...]:
    both = paired(values, CROSS_FITTING)
    if both.empty:
        return ()
    first, second = both[CROSS_FITTING.proposed], both[CROSS_FITTING.baseline]
    significance = configuration["significance"]
    test = signed_rank_test(first, second, zero_method=significance["zero_method"])
    p = p_value(test.p_value, significance["stars"])
    return (
        f"Over the paper's {len(both)} tasks cross-fitting wins/loses/ties "
        f"{count_signs(first, second)}; mean difference "
        f"{percent((first - second).mean(), sign=True)} points; Wilcoxon's signed-rank test: "
        f"p = {p}.",
    )
