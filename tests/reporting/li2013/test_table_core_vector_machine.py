"""The table of the two readings of the core vector machine."""

import numpy as np
import pandas as pd
import pytest

from beyond_accuracy.published import published_table
from beyond_accuracy.reporting.intervals import write_intervals
from beyond_accuracy.reporting.li2013 import DEFINITION
from beyond_accuracy.reporting.li2013.methods import COLLECTIONS, MEASURES
from beyond_accuracy.reporting.results import PaperResults

from .synthetic_capo_run import PAPER, Run

TASKS = [(data_set, measure) for data_set in COLLECTIONS for measure in MEASURES]
METHODS = (
    "core_vector_machine",
    "core_vector_machine_identified",
    "capo_star",
    "capo_star_identified",
)
PRINTED = {
    (row["data_set"], row["measure"], row["method"]): row
    for row in published_table(PAPER, "table2")
}


@pytest.fixture
def run(tmp_path):
    """As stated 0.05 below the published values, the identified one as published."""
    run = Run(tmp_path)
    for task in TASKS:
        raw = float(PRINTED[*task, "capo_cvm"]["auxiliary_value"])
        star = float(PRINTED[*task, "capo_star"]["value"])
        for method, value in zip(METHODS, (raw - 0.02, raw, star - 0.05, star), strict=True):
            run.values[*task, method] = value
    return run


def made(run, parameters=None):
    run.write()
    row = {"data_set": "splice", "measure": "f1", "method": METHODS[3], "group": "all"}
    row |= {"n_tasks": 1, "estimate": 0.5, "low": 0.25, "high": 0.75, "n_resamples": 9}
    rows = [row] if row["method"] in run.methods else []
    write_intervals(rows, run.results / PAPER / "intervals.parquet")
    configuration = run.configuration
    for method, C in (parameters or {METHODS[0]: 3.0, METHODS[1]: 7.0}).items():
        configuration["methods"][method] = {"parameters": {"C": C, "epsilon": 0.25}}
    table = DEFINITION.tables["table_core_vector_machine"]
    return table(PaperResults(run.results, PAPER), configuration)


def test_a_row_for_each_task_with_both_readings_and_the_published_values(run):
    rows = made(run).frame.set_index(["data_set", "measure"])
    assert len(rows) == len(TASKS) + len(MEASURES)
    for task in TASKS:
        row = rows.loc[task]
        assert row["published_core_vector_machine"] == float(
            PRINTED[*task, "capo_cvm"]["auxiliary_value"]
        )
        assert row["published_capo_star"] == float(PRINTED[*task, "capo_star"]["value"])
        assert [row[method] for method in METHODS] == [run.values[*task, name] for name in METHODS]
    clouds = rows.loc["clouds"]
    assert clouds[["published_core_vector_machine", "published_capo_star"]].isna().all(axis=None)
    assert clouds[list(METHODS)].notna().all(axis=None)


def test_intervals_are_shown_and_in_the_file(run):
    table = made(run)
    row = table.frame.set_index(["data_set", "measure"]).loc[("splice", "f1")]
    assert (row["capo_star_identified_low"], row["capo_star_identified_high"]) == (0.25, 0.75)
    assert np.isnan(row["capo_star_low"])
    shown = table.display.loc[("splice", "F1")]
    # The paper prints 95.12 for CAPO* and 89.43 for its core vector machine.
    assert shown["CAPO*"].tolist() == ["90.12", "95.12 [25.0, 75.0]", "95.12"]
    assert shown["CVM"].tolist() == ["87.43", "89.43", "89.43"]
    assert list(shown["CVM"].index) == ["As stated", "Identified", "Published"]
    assert table.display.loc[("clouds", "F1"), ("CAPO*", "Published")] == ""


def test_the_notes_count_the_cells_that_are_near(run):
    # Near as stated on two tasks, on one of which the identified one is not, as on a third.
    for task in TASKS[:2]:
        run.values[*task, "capo_star"] += 0.02
    for task in TASKS[1:3]:
        run.values[*task, "capo_star_identified"] -= 0.031
    notes = " ".join(made(run).notes)
    assert (
        "within 0.03 of the published one or above it: as stated: 2 of 20, identified: 18 of 20, "
        "at least one of the two: 19 of 20." in notes
    )
    assert "as stated: 2.00 points on 20 tasks, identified: 0.00 points on 20 tasks" in notes


def test_the_parameters_are_those_of_the_configuration(run):
    notes = " ".join(made(run, {METHODS[0]: 3.0, METHODS[1]: 7.0}).notes)
    assert "text (C = 3, epsilon = 0.25)" in notes
    assert "by itself (C = 7, epsilon = 0.25)" in notes


def test_without_the_identified_one_its_cells_are_not_available(run):
    run.methods = tuple(name for name in run.methods if not name.endswith("_identified"))
    table = made(run, {METHODS[0]: 3.0})
    assert (
        table.frame[["core_vector_machine_identified", "capo_star_identified"]]
        .isna()
        .all(axis=None)
    )
    identified = table.display.xs("Identified", axis=1, level=1)
    assert identified.eq("n/a").all(axis=None)
    notes = " ".join(table.notes)
    assert "as stated: 0 of 20." in notes
    assert "at least one" not in notes


def test_without_any_results_the_table_says_nothing_of_them(tmp_path):
    run = Run(tmp_path, data_sets=("clouds",), absent=("splice",))
    table = made(run)
    assert pd.isna(table.frame.set_index("data_set").loc["splice", "capo_star"]).all()
    assert not any("Values of CAPO*" in note or "Mean" in note for note in table.notes)
