"""BM-ls-CS against every other method: over the data sets, and on each of them."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from beyond_accuracy.reporting.cheng2016.methods import (
    COLLECTIONS,
    FURTHER_PAIRS,
    MEASURE,
    PAIR,
    PROPOSED,
    method_label,
    values_by_method,
)
from beyond_accuracy.reporting.data_set_names import data_set_label, data_set_notes
from beyond_accuracy.reporting.intervals_table import IntervalLookup, difference_name
from beyond_accuracy.reporting.statistics import count_signs, holm, signed_rank_test
from beyond_accuracy.reporting.tables import (
    UNAVAILABLE,
    Table,
    p_value,
    percent,
    percent_interval,
    star_note,
)
from beyond_accuracy.results import PaperResults


def table_comparisons(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """Differences of F1 with paired bootstrap intervals; Wilcoxon's test over the data sets."""
    significance = configuration["significance"]
    values = values_by_method(results, configuration)
    own = [name for name in values.index if name in COLLECTIONS]
    intervals = IntervalLookup(results.intervals)
    rows, tests, most = [], {}, 0
    for pair in (PAIR, *FURTHER_PAIRS):
        if not {*pair.methods} <= {*values.columns}:
            continue
        both = values.loc[own, list(pair.methods)].dropna()
        proposed, baseline = both[pair.proposed], both[pair.baseline]
        test = signed_rank_test(proposed, baseline, zero_method=significance["zero_method"])
        tests[pair.baseline] = (test, count_signs(proposed, baseline))
        most = max(most, test.n_nonzero)
        for data_set in values.index:
            low, high = intervals(data_set, MEASURE, difference_name(PAIR, pair))
            difference = values.at[data_set, pair.proposed] - values.at[data_set, pair.baseline]
            rows.append(
                {
                    "method": pair.baseline,
                    "data_set": data_set,
                    "difference": difference,
                    "difference_low": low,
                    "difference_high": high,
                }
            )
    corrected = dict(zip(tests, holm([test.p_value for test, _ in tests.values()]), strict=True))
    columns = ["method", "data_set", "difference", "difference_low", "difference_high"]
    frame = pd.DataFrame(rows, columns=columns)
    for name, part in (
        ("p_value", {method: test.p_value for method, (test, _) in tests.items()}),
        ("p_value_holm", corrected),
        ("wins", {method: signs.wins for method, (_, signs) in tests.items()}),
        ("losses", {method: signs.losses for method, (_, signs) in tests.items()}),
        ("ties", {method: signs.ties for method, (_, signs) in tests.items()}),
    ):
        frame[name] = frame["method"].map(part)
    data_sets = list(values.index)
    return Table(
        frame=frame,
        display=_display(results, frame, significance["stars"]),
        caption=(
            f"F1 of {method_label(PROPOSED)} less that of each other method, in percentage points, "
            "with paired bootstrap intervals; wins, losses and the signed-rank test over the "
            "paper's own data sets."
        ),
        notes=(
            "Two-tailed Wilcoxon signed-rank test over data sets, zero differences: "
            f"{significance['zero_method']!r}; {star_note(significance['stars'])}. Holm's "
            "correction is over the rows of this table.",
            _what_it_can_show(most),
            "A bootstrap interval is about the test examples of one data set: the fits are the "
            "same in all resamples, so that it says nothing of other training sets.",
            *data_set_notes(results, data_sets),
        ),
    )


def _what_it_can_show(n_pairs: int) -> str:
    if n_pairs == 0:
        return "No two methods differ on any data set: the test has nothing to show."
    least = 2.0**-n_pairs * 2
    return (
        f"With at most {n_pairs} data sets on which two methods differ the test's p-value cannot "
        f"be below {min(least, 1.0):.4g}, reached when one method wins on all of them; six data "
        "sets allow 0.03125, which Holm's correction for several methods lifts above 0.05. The "
        "test can show no more than a method that wins everywhere."
    )


def _display(results: PaperResults, frame: pd.DataFrame, levels: Mapping[str, float]):
    shown: dict[str, dict[str, str]] = {}
    for row in frame.to_dict("records"):
        cells = shown.setdefault(method_label(row["method"]), {})
        interval = percent_interval(row["difference_low"], row["difference_high"], sign=True)
        change = percent(row["difference"], sign=True)
        cells[data_set_label(results, row["data_set"])] = f"{change} {interval}".strip()
    for method, rows in frame.groupby("method", sort=False):
        cells, row = shown[method_label(method)], rows.iloc[0]
        known = row["wins"] + row["losses"] + row["ties"] > 0
        signs = f"{row['wins']}/{row['losses']}/{row['ties']}"
        cells["Wins/losses/ties"] = signs if known else UNAVAILABLE
        cells["Wilcoxon p"] = p_value(row["p_value"], levels)
        cells["Wilcoxon p, Holm"] = p_value(row["p_value_holm"], levels)
    return pd.DataFrame.from_dict(shown, orient="index")
