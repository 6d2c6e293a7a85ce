"""CSV files whose texts no spreadsheet takes for formulas."""

import pandas as pd
import pytest

from beyond_accuracy.results.frames import write_csv


@pytest.mark.parametrize("text", ['=HYPERLINK("http://a")', "@SUM(1)"])
def test_formulas_are_texts(tmp_path, text):
    path = tmp_path / "a.csv"
    write_csv(path, pd.DataFrame({"name": [text, "a=b", None], "value": [1.5, -2.0, None]}))
    frame = pd.read_csv(path, keep_default_na=False, dtype=str)
    assert frame["name"].tolist() == [f"'{text}", "a=b", ""]
    assert frame["value"].tolist() == ["1.5", "-2.0", ""]
