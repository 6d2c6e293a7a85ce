"""Tables by declaration: the displayed form of a data frame."""

import pandas as pd
import pytest

from beyond_accuracy_pipeline.reporting import formats
from beyond_accuracy_pipeline.reporting.tables import Across, Column, Table, display, largest

FRAME = pd.DataFrame(
    {
        "data_set": ["a", "a", "b"],
        "method": ["m", "n", "m"],
        "value": [0.5, 0.25, float("nan")],
        "low": [0.4, 0.2, float("nan")],
        "high": [0.6, 0.3, float("nan")],
        "status": ["ok", "ok", "timeout"],
        "stopped": [False, True, False],
        "_best": [True, False, False],
        "published": [0.51, float("nan"), float("nan")],
    }
)
VALUE = Column(
    "ours",
    "value",
    formats.percent,
    ("low", "high"),
    marks={"stopped": "§"},
    bold="_best",
    status="status",
)
PUBLISHED = Column("published", "published", formats.if_known(formats.percent))
DATA_SET = Column("Data set", "data_set", str.upper)


def table(columns, **changes):
    return Table(FRAME, [DATA_SET], columns, "caption", **changes)


def test_columns_show_rows_of_the_frame():
    cells, styles = display(table([Column("Method", "method"), VALUE]))
    assert cells.index.tolist() == ["A", "B"]
    # Among rows with the same index, the first is shown.
    assert cells.loc["A"].tolist() == ["m", "50.00 [40.0, 60.0]"]
    assert cells.loc["B", "ours"] == "timeout"
    assert styles.loc["A", "ours"] == "bold"


def test_a_column_of_the_frame_goes_across():
    cells, styles = display(table([Across("method", str.upper, [VALUE])]))
    assert cells.columns.tolist() == ["M", "N"]
    assert cells.loc["A", "N"] == "25.00§ [20.0, 30.0]"
    assert cells.loc["B", "N"] == ""
    assert styles.loc["A"].tolist() == ["bold", ""]


def test_two_rows_for_one_cell_are_refused():
    frame = pd.concat([FRAME.assign(measure="f1"), FRAME.assign(measure="roc_area")])
    two = Table(frame, [DATA_SET], [Across("method", str.upper, [VALUE])], "caption")
    with pytest.raises(ValueError, match=r"one cell \(data_set=a, method=m\); add .* to `index`"):
        display(two)
    apart = Table(frame, [DATA_SET, Column("Measure", "measure")], two.columns, "caption")
    assert len(display(apart)[0]) == 4


def test_lines_without_text_are_left_out():
    cells, _ = display(table([Across("method", str, [VALUE, PUBLISHED])]))
    assert cells.index.tolist() == [("A", "ours"), ("A", "published"), ("B", "ours")]
    assert cells.loc[("A", "published")].tolist() == ["51.00", ""]


def test_titles_of_two_levels_and_a_foot():
    columns = [Column("Size\tours", "method"), Column("Size\tpublished", "method")]
    cells, _ = display(table(columns, foot={"Wins": {"Size\tours": "3"}}))
    assert cells.columns.tolist() == [("Size", "ours"), ("Size", "published")]
    assert cells.loc["Wins"].tolist() == ["3", ""]


def test_columns_with_an_underscore_are_shown_alone():
    assert "_best" not in table([VALUE]).numbers
    assert list(table([VALUE]).numbers) == list(FRAME)[:-2] + ["published"]


def test_a_table_without_rows_has_its_headings():
    empty = Table(FRAME.iloc[:0], [DATA_SET, Column("Method", "method")], [VALUE], "caption")
    cells, _ = display(empty)
    assert cells.shape == (0, 1)
    assert cells.columns.tolist() == ["ours"]


def test_largest_of_a_group_with_ties_and_gaps():
    frame = pd.DataFrame({"g": list("aaabb"), "x": [1.0, 2.0, 2.0, float("nan"), 0.0]})
    assert largest(frame, "x", ["g"]).tolist() == [False, True, True, False, True]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (formats.percent(0.12345), "12.35"),
        (formats.percent_change(-0.005), "−0.50"),
        (formats.percent(float("nan")), "n/a"),
        (formats.percent_interval(-0.01, 0.02, sign=True), "[−1.0, +2.0]"),
        (formats.percent_interval(float("nan"), 0.02), ""),
        (formats.p_value({"*": 0.05})(0.00001), "<0.0001*"),
        (formats.p_value({"*": 0.05, "**": 0.01})(0.01), "0.0100**"),
        (formats.p_value({"*": 0.05})(0.5), "0.5000"),
        (formats.count(12345.0), "12,345"),
        (formats.count(None), ""),
        (formats.slashed(3, 2.0, 1), "3/2/1"),
        (formats.slashed(3, float("nan")), "n/a"),
        (formats.scientific(0.00012), "1.2e−04"),
        (formats.decimals(1)(1234.56), "1,234.6"),
        (formats.significant(12345.678), "12,346"),
        (formats.significant(123.456), "123.5"),
        (formats.significant(-0.0123), "−0.0123"),
        (formats.significant(float("inf")), "inf"),
        (formats.brief(-0.02807), "−0.0281"),
        (formats.brief(0.00005562), "0.0000556"),
        (formats.brief(11.69), "11.7"),
        (formats.brief(1234.5), "1234"),
        (formats.brief(0.0), "0"),
        (formats.change(-29499.0, 30999.0), "−29,499"),
        (formats.change(0.012, 0.5), "+0.0120"),
        (formats.change(-12.34567, 153.0), "−12.35"),
        (formats.change(float("nan"), 0.5), "n/a"),
        (formats.change(-1e-9, 0.5), "0.0000"),
        (formats.percent_change(0.01), "+1.00"),
        (formats.decimals(2)(-1234.5), "−1,234.50"),
    ],
)
def test_numbers_are_written_for_readers(text, expected):
    assert text == expected
