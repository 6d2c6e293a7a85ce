"""Wilcoxon's signed-rank tests over all tasks, and over the data sets for each measure."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from beyond_accuracy.reporting.comparison import Pair
from beyond_accuracy.reporting.li2013.methods import (
    ENSEMBLE,
    TESTED_PAIRS,
    measure_label,
    method_label,
)
from beyond_accuracy.reporting.li2013.signed_ranks import PairTest, compare_pairs
from beyond_accuracy.reporting.li2013.values import (
    data_notes,
    of_the_paper,
    published_values,
    values_by_task,
)
from beyond_accuracy.reporting.tables import UNAVAILABLE, Table, p_value, star_note
from beyond_accuracy.results import PaperResults

ALL = "all"
SOURCES = ("ours", "published")
UNADJUSTED = (
    "The p-values shown are not adjusted for the number of tests; the column p_holm of the CSV "
    "file has Holm's."
)
DEPENDENT = (
    "The tasks are few data sets, each of them once a measure: they are not independent, so that "
    "p-values over all tasks are too small. Those for each measure, over at most five data sets, "
    "cannot be below 0.0625, and Holm's correction leaves none of them below 0.05: no test for "
    "one measure can be significant."
)


def table_tests(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """Each CAPO against its auxiliaries and the rivals over the paper's tasks."""
    rows, shown, n_tasks = [], {}, {}
    for source, values in _sources(results, configuration).items():
        tests = compare_pairs(values, TESTED_PAIRS, _zero_method(configuration))
        n_tasks[source] = max((test.n_tasks for test in tests), default=0)
        for test in tests:
            rows.append({"source": source, "measure": ALL, **test.row()})
            cells = shown.setdefault(_name(test.pair), {})
            cells |= {(source, name): text for name, text in _cells(test, configuration).items()}
    display = _frame(shown)
    return Table(
        frame=pd.DataFrame(rows),
        display=display,
        caption=(
            "Wilcoxon's signed-rank tests of each CAPO against what it adapts and against the "
            f"rivals: over {n_tasks['ours']} tasks here and up to {n_tasks['published']} that "
            "the paper prints."
        ),
        notes=(*_notes(configuration), *data_notes(results, _data_sets(results, configuration))),
    )


def table_tests_by_measure(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """The same for each measure by itself, over data sets."""
    rows, shown = [], {}
    for source, values in _sources(results, configuration).items():
        for measure in configuration["measures"]:
            chosen = values[values.index.get_level_values("measure") == measure]
            for test in compare_pairs(chosen, TESTED_PAIRS, _zero_method(configuration)):
                rows.append({"source": source, "measure": measure, **test.row()})
                cells = shown.setdefault(_name(test.pair), {})
                text = UNAVAILABLE
                if test.n_tasks:
                    p = p_value(test.p_value, configuration["significance"]["stars"])
                    text = f"{test.counts}, {p}"
                cells[source, measure_label(measure)] = text
    return Table(
        frame=pd.DataFrame(rows),
        display=_frame(shown),
        caption=(
            "Wins/losses/ties over the data sets and the p-value of Wilcoxon's signed-rank test, "
            "for each measure by itself."
        ),
        notes=(
            UNADJUSTED,
            *_notes(configuration),
            *data_notes(results, _data_sets(results, configuration)),
        ),
    )


def _sources(results, configuration) -> dict[str, pd.DataFrame]:
    values = of_the_paper(values_by_task(results, configuration))
    published = published_values().join(published_values("table5"))
    return dict(zip(SOURCES, (values, published), strict=True))


def _cells(test: PairTest, configuration: Mapping[str, Any]) -> dict[str, str]:
    levels = configuration["significance"]["stars"]
    known = test.n_tasks > 0
    return {
        "Tasks": str(test.n_tasks),
        "Wins/losses/ties": str(test.counts) if known else UNAVAILABLE,
        "p": p_value(test.p_value, levels),
        "p, Holm": p_value(test.p_holm, levels),
    }


def _frame(shown: Mapping[tuple[str, str], Mapping[tuple[str, str], str]]) -> pd.DataFrame:
    display = pd.DataFrame(
        list(shown.values()),
        index=pd.MultiIndex.from_tuples(list(shown), names=["CAPO", "against"]),
    )
    display.columns = pd.MultiIndex.from_tuples(
        [(source.capitalize(), name) for source, name in display.columns]
    )
    return display


def _name(pair: Pair) -> tuple[str, str]:
    return method_label(pair.proposed), method_label(pair.baseline)


def _notes(configuration: Mapping[str, Any]) -> tuple[str, ...]:
    significance = configuration["significance"]
    return (
        "Two-tailed; zero differences: "
        f"{significance['zero_method']!r}; {star_note(significance['stars'])}. Holm's correction "
        "is over all rows of one source (and measure). Cells that the paper marks N/A are left "
        "out of its tests, so that these rest on fewer tasks. The auxiliaries' PRBEP and ROC area "
        "are of their real-valued outputs. The last row is of Table 5: "
        f"the {method_label(ENSEMBLE).partition(',')[0].lower()} has no delta function.",
        DEPENDENT,
    )


def _zero_method(configuration: Mapping[str, Any]):
    return configuration["significance"]["zero_method"]


def _data_sets(results: PaperResults, configuration: Mapping[str, Any]) -> list[str]:
    return results.data_set_names(configuration["data_sets"])
