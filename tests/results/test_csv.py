"""CSV files whose texts no spreadsheet interprets as formulas."""

import pandas as pd
import pytest

from beyond_accuracy_pipeline.results.frames import csv_text, write_csv


@pytest.mark.parametrize(
    "text",
    ['=HYPERLINK("http://a")', "@SUM(1)", "+cmd|' /C calc'!A2", "-2+3+cmd|' /C calc'!A2", "\tx"]
    + ["-1\n=2", "-x", " +SUM(1)", "\n-x", "\uff1d1+1", " \uff0bSUM(1)", "\uff20SUM(1)"],
)
def test_formulas_are_texts(tmp_path, text):
    path = tmp_path / "a.csv"
    write_csv(path, pd.DataFrame({"name": [text, "a=b", None], "value": [1.5, -2.0, None]}))
    frame = pd.read_csv(path, keep_default_na=False, dtype=str)
    assert frame["name"].tolist() == [f"'{text}", "a=b", ""]
    assert frame["value"].tolist() == ["1.5", "-2.0", ""]


@pytest.mark.parametrize("text", ["-1", "+1.5", "-.5e-3", "-2E+10", "1-2", " -1", "a\t", ""])
def test_numbers_and_other_texts_are_as_they_were(text):
    assert csv_text(pd.DataFrame({"name": [text, "b"]})).splitlines()[1] in (text, '""')


def test_names_of_columns_are_no_formulas():
    assert csv_text(pd.DataFrame({"=1": [1.0]})) == "'=1\n1.0\n"


def test_a_text_does_not_end_its_line():
    """Python's csv quotes only the line ends that it writes itself."""
    assert csv_text(pd.DataFrame({"a": ["\r=1", "b\r\nc"]})) == 'a\n"\'\n=1"\n"b\nc"\n'
