"""Cells are medians over seeds, with their range."""

from dataclasses import replace
from types import SimpleNamespace

import pandas as pd
import pytest

from beyond_accuracy_pipeline.reporting.formats import percent, stars, win_counts
from beyond_accuracy_pipeline.reporting.states import table_over_states
from beyond_accuracy_pipeline.reporting.tables import Column, Table, display, with_derived

VALUES = {1: [0.5, 0.25], 2: [0.7, 0.25], 3: [0.6, 0.25], "median": [0.6, 0.25]}


def report(state="median", states=3):
    return SimpleNamespace(
        state=state,
        results=SimpleNamespace(whole={"states": states, "readings": {"other": {}}}),
        medians=lambda: report(states=states),
        under=lambda variant: report(variant.state, states),
    )


def function(own):
    rows = zip(["b", "a"], VALUES[own.state], strict=True)
    frame = pd.DataFrame(rows, columns=["method", "value"]).assign(data_set="digits")
    if own.state == 2:
        # Another seed may give another order.
        frame = frame.iloc[::-1]
    value = Column("Value", "value", percent)
    return Table(frame, [Column("Method", "method")], [value], "A caption.")


def test_ranges_stand_beside_medians_where_states_differ():
    table = table_over_states(report(), function)
    cells, _ = display(table)
    assert cells["Value"].tolist() == ["60.00 {50.00–70.00}", "25.00"]
    row = table.numbers.set_index("method").loc["b"]
    assert (row["value_least_of_states"], row["value_most_of_states"]) == (0.5, 0.7)
    assert "3 seeds" in table.notes[-1]


@pytest.mark.parametrize("own", [report(states=1), report(1, states=None)])
def test_one_state_has_no_range(own):
    table = table_over_states(own, function)
    assert table.numbers.columns.tolist() == ["method", "value", "data_set"]
    assert table.notes == ()


def test_ends_of_intervals_are_medians_and_what_is_printed_has_no_range():
    ends = {1: (0.4, 0.8), 2: (0.6, 0.9), 3: (0.5, 0.7)}

    def with_interval(own):
        low, high = ends[own.state]
        frame = function(own).frame[lambda frame: frame["method"] == "b"]
        frame = frame.assign(low=low, high=high, published=0.55)
        value = Column("Value", "value", percent, interval=("low", "high"))
        shown = [value, Column("Published", "published", percent)]
        return Table(frame, [Column("Method", "method")], shown, "")

    table = table_over_states(report(), with_interval)
    [row] = table.numbers.to_dict("records")
    assert (row["low"], row["high"], row["published"]) == (0.5, 0.8, 0.55)
    ranges = {name for name in row if name.endswith("_states")}
    assert ranges == {"value_least_of_states", "value_most_of_states"}
    assert display(table)[0].loc["b", "Published"] == "55.00"


def test_counts_are_medians_and_looks_those_of_most_states():
    of_state = {1: (7, True, "*"), 2: (4, False, ""), 3: (6, False, ""), 4: (9, True, "**")}

    def counted(own):
        wins, best, stars = of_state[own.state]
        frame = pd.DataFrame({"method": ["b"], "wins": [wins], "best": [best], "stars": [stars]})
        shown = Column("Wins", ("wins", "stars"), lambda wins, stars: f"{wins}{stars}")
        looks = Column("Looks", "wins", bold="best", marks={"best": "†"})
        return Table(frame, [Column("Method", "method")], [shown, looks], "")

    table = table_over_states(report(), counted)
    [row] = table.numbers.to_dict("records")
    assert (row["wins"], row["best"], row["stars"]) == (6, False, "")
    assert display(table)[0].loc["b", "Wins"] == "6 {4–7}"
    # In a tie the first look counts; an even number of counts has the mean of the middle two.
    [row] = table_over_states(report(states=4), counted).numbers.to_dict("records")
    assert (row["wins"], row["best"], row["stars"]) == (6.5, True, "")


def test_the_lowest_is_that_of_the_numbers_shown():
    """A method that is lowest for most seeds need not be lowest in the table."""
    of_state = {1: [0.1, 0.3], 2: [0.5, 0.3], 3: [0.5, 0.9], 4: [0.1, 0.3], 5: [0.5, 0.9]}
    among = {"lowest": lambda frame: frame["value"] == frame["value"].min()}

    def compared(own):
        frame = pd.DataFrame({"method": ["a", "b"], "value": of_state[own.state]})
        value = Column("Value", "value", percent, underline="lowest")
        index = [Column("Method", "method")]
        return Table(frame.assign(**among), index, [value], "", among=among)

    first = [compared(report(state)).frame["lowest"].iloc[0] for state in of_state]
    assert first == [True, False, True, True, True]
    cells, styles = display(table_over_states(report(states=5), compared))
    assert cells["Value"].tolist() == ["50.00 {10.00–50.00}", "30.00 {30.00–90.00}"]
    assert styles["Value"].tolist() == ["", "underline"]


def test_rows_that_cannot_be_told_apart_have_no_range():
    def alike(own):
        table = function(own)
        return Table(table.frame.assign(method="b"), table.index, table.columns, "")

    assert "value_least_of_states" not in table_over_states(report(), alike).numbers


def test_each_count_has_its_median_and_range_and_stars_are_those_of_the_p_value_shown():
    """The medians of wins, losses, ties and p-value come from different seeds."""
    counts = {1: (4, 3, 0), 2: (2, 1, 4), 3: (3, 4, 0), 4: (1, 6, 0), 5: (3, 2, 2)}
    p_values = {1: 0.004, 2: 0.6, 3: 0.03, 4: 0.005, 5: 0.2}
    derived = {"stars": lambda row: stars(row["p"], {"*": 0.05, "**": 0.01})}

    def counted(own):
        wins, losses, ties = counts[own.state]
        p = p_values[own.state]
        frame = pd.DataFrame({"method": ["b"], "wins": [wins], "losses": losses, "ties": ties})
        frame = with_derived(frame.assign(p=p, value=p - 0.1), derived)
        shown = [
            Column("Wins", ("wins", "losses", "ties"), win_counts),
            Column("Value", "value", percent, stars="stars", bold="stars"),
        ]
        return Table(frame, [Column("Method", "method")], shown, "", derived=derived)

    table = table_over_states(report(states=5), counted)
    cells, styles = display(table)
    assert cells.loc["b", "Wins"] == "3/3/0 {1–4/1–6/0–4}"
    assert cells.loc["b", "Value"] == "-7.00 {-9.60–50.00}*".replace("-", "−")
    assert styles.loc["b", "Value"] == "bold"


def test_notes_and_feet_of_the_first_state_say_so():
    def noted(own):
        table = function(own)
        foot = {"Won": {"Value": str(own.state)}, "Of": {"Value": "2"}}
        return replace(table, notes=["Always.", f"p = {own.state}."], foot=foot)

    table = table_over_states(report(), noted)
    assert table.notes[:2] == ["Always.", "First seed: p = 1."]
    assert list(table.foot) == ["Won, first seed", "Of"]


def test_what_holds_of_any_state_and_its_note_are_shown():
    """Limits and unfinished fits of single seeds must be shown, too."""
    limits = {1: "", 2: "C = 8, upper end", 3: "", 4: "C = 1, lower end"}

    def limited(own):
        limit = limits[own.state]
        frame = pd.DataFrame({"method": ["b", "c"], "value": 0.1 * own.state, "limit": [limit, ""]})
        frame["late"] = frame["usual"] = [own.state == 3, False]
        marks = {"limit": "#", "late": "‡", "usual": "†"}
        shown = [Column("Value", "value", percent, marks=marks)]
        notes = [f"{own.state} fits.", *(["# the limit."] if limit else [])]
        return Table(
            frame, [Column("Method", "method")], shown, "", notes, of_any={"limit", "late"}
        )

    table = table_over_states(report(states=4), limited)
    assert table.frame["limit"].tolist() == ["C = 8, upper end; C = 1, lower end", ""]
    assert table.frame[["late", "usual"]].values.tolist() == [[True, False], [False, False]]
    assert display(table)[0].loc["b", "Value"] == "25.00 {10.00–40.00}#‡"
    assert table.notes[:2] == ["First seed: 1 fits.", "Seeds 2, 4: # the limit."]
    assert len(table.notes) == 3
