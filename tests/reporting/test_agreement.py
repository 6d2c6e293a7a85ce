"""Published cells next to ours, on measurements written for these tests."""

import pandas as pd
import pytest

from beyond_accuracy_pipeline.papers import load_paper
from beyond_accuracy_pipeline.reporting import Report
from beyond_accuracy_pipeline.reporting.agreement import agreement, distances
from beyond_accuracy_pipeline.reporting.conclusion import distance_table
from beyond_accuracy_pipeline.reporting.site.overview import agreement_by_paper
from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.results.frames import write_frame
from beyond_accuracy_pipeline.results.paper_results import PaperResults

MEASURED = [
    ("scene", "gfm", "pcc", "hamming_loss", 1, 0.12),
    ("scene", "gfm", "pcc", "hamming_loss", 2, 0.14),
    ("scene", "marginal_threshold", "br", "hamming_loss", 1, 0.3),
    ("scene", "marginal_threshold", "br", "hamming_loss", 2, 0.3),
]
INTERVALS = [
    ("scene", "hamming_loss", "pcc", "", "gfm", 1, 0.12, 0.10, 0.14),
    ("scene", "hamming_loss", "pcc", "", "gfm", 2, 0.14, 0.12, 0.16),
    ("scene", "hamming_loss", "br", "", "marginal_threshold", 1, 0.3, 0.29, 0.31),
    ("scene", "hamming_loss", "br", "", "marginal_threshold", 2, 0.3, 0.29, 0.31),
]
CHANGED = {"why": "", "changes": {"methods": {"br": {"parameters": {"other": 1}}}}}


@pytest.fixture
def report(tmp_path):
    own = {"reading": "headline", "paper": "dembczynski2011"}
    columns = ["data_set", "task", "method", "measure", "state", "value"]
    measurements = pd.DataFrame(MEASURED, columns=columns)
    measurements = measurements.assign(fold=0, status="ok", reason="", **own)
    columns = ["data_set", "measure", "method", "baseline", "group", "state"]
    columns += ["estimate", "low", "high"]
    intervals = pd.DataFrame(INTERVALS, columns=columns).assign(**own)
    configuration = {
        "data_sets": ["scene"],
        "methods_selected": ["pcc", "br"],
        "methods": {"pcc": {}, "br": {}},
        "measures": ["hamming_loss"],
        "states": 2,
        "deviations": [{"data_set": "scene", "method": "br", "reason": "Other trees."}],
    }
    results = PaperResults(tmp_path, "dembczynski2011", configuration)
    write_frame(results.path(layout.MEASUREMENTS), measurements)
    write_frame(results.path(layout.INTERVALS), intervals)
    record = {"data_set": "scene", "status": "ok", "n_test_found": 1196, "n_train_found": 1211}
    pd.DataFrame([record]).to_csv(tmp_path / layout.DATA_SETS, index=False)
    return Report(results, load_paper("dembczynski2011"))


def test_every_published_cell_stands_beside_ours(report):
    table = agreement(report)
    assert len(table) == sum(len(own.dropna()) for own in report.all_published().values())
    cells = table.set_index(["data_set", "quantity", "method", "task"])
    inside = cells.loc[("scene", "hamming_loss", "pcc", "gfm")]
    numbers = ["published", "ours", "low", "high", "least_of_states", "most_of_states"]
    assert inside[numbers].tolist() == pytest.approx([0.1341, 0.13, 0.11, 0.15, 0.12, 0.14])
    assert inside["inside"]
    assert inside["difference"] == pytest.approx(-0.0041)
    outside = cells.loc[("scene", "hamming_loss", "br", "marginal_threshold")]
    assert outside[["inside", "met_under", "reason"]].tolist() == [False, "", "Other trees."]
    seconds = cells.loc[("scene", "inference_seconds", "br", "marginal_threshold")]
    assert seconds["reason"].startswith("Seconds differ from run to run")
    sizes = cells.loc["scene"].xs("", level="method")["inside"].droplevel("task")
    assert sizes["n_train"]
    assert not sizes["n_test"]
    assert table["ours"].notna().sum() == 4
    assert cells.loc["yeast-multilabel"]["reason"].eq("This run does not use the data set.").all()
    assert table.loc[table["ours"].isna(), "reason"].ne("").all()


def test_sizes_are_counted_apart(report):
    """Two of 120 published values are measured: one is 0.0041 away and inside, one 0.1977 away."""
    [row] = agreement_by_paper(agreement(report), [report])
    counts = {"n_values": 120, "within": [1, 1, 1, 1], "compared": 2, "inside": 1}
    counts |= {"sizes": 2, "same_sizes": 1, "substitutes": 0}
    assert {name: row[name] for name in counts} == counts
    assert row["cells"] == ["120", "1 %", "1 %", "1 %", "1 %", "1 of 2"]


def test_values_on_substitutes_are_compared_and_marked(report):
    record = {"data_set": "scene", "status": "ok", "substitute_for": "scene", "used": "twin"}
    pd.DataFrame([record]).to_csv(report.results.path(layout.DATA_SETS), index=False)
    cells = agreement(report).set_index(["quantity", "method", "task"]).sort_index()
    cell = cells.loc[("hamming_loss", "pcc", "gfm")].query("data_set == 'scene'").iloc[0]
    assert cell["inside"]
    assert cell["substitute"]
    assert "twin stands in" in cell["reason"]
    counts = distances(cells.reset_index())
    # Of the printed values, 32 are on scene.
    assert (counts["compared"], counts["inside"], counts["substitutes"]) == (2, 1, 32)
    assert distance_table(cells.reset_index())[1][0] == "120 (32 on substitutes)"


def test_it_says_where_a_value_outside_is_met(report):
    """The printed 0.1023 lies between the seeds' values, and in the interval of one reading."""
    whole = {**report.results.whole, "readings": dict.fromkeys(("met", "not_met"), CHANGED)}
    own = {"paper": "dembczynski2011", "data_set": "scene", "method": "br"}
    own |= {"measure": "hamming_loss", "task": "marginal_threshold", "fold": 0, "status": "ok"}
    states = [("headline", 1, 0.3), ("headline", 2, 0.09), ("met", 1, 0.1), ("not_met", 1, 0.2)]
    columns = ["reading", "state", "value"]
    frame = pd.DataFrame(states, columns=columns).assign(reason="", **own)
    write_frame(report.results.path(layout.MEASUREMENTS), frame)
    bounds = frame.rename(columns={"task": "group", "value": "estimate"}).assign(baseline="")
    bounds = bounds.assign(low=bounds["estimate"] - 0.01, high=bounds["estimate"] + 0.01)
    bounds = bounds.drop(columns=["fold", "status", "reason"])
    write_frame(report.results.path(layout.INTERVALS), bounds)
    results = PaperResults(report.results.folder, "dembczynski2011", whole)
    cells = agreement(Report(results, report.paper)).set_index(["quantity", "method", "task"])
    cell = cells.sort_index().loc[("hamming_loss", "br", "marginal_threshold")].iloc[0]
    assert not cell["inside"]
    assert cell["met_under"] == "the range of the seeds; the reading met"
    # The reason gives causes only, not the place where the value is met.
    assert cell["reason"] == "Other trees."


def test_distances_are_counted_over_all_values():
    """A difference of exactly a limit counts, also after rounding; our value may be missing."""
    rows = [
        ("m", "f1", 0.5, 0.505, 0.4, 0.6),
        ("m", "f1", 0.8, 0.81, 0.805, 0.9),
        ("m", "f1", 0.3, 0.3301, 0.2, 0.4),
        ("m", "f1", 0.7, None, None, None),
        # Seconds, sizes, and costs above 1 do not count.
        ("m", "inference_seconds", 0.5, 0.5, None, None),
        ("", "n_train", 1.0, 1.0, None, None),
        ("m", "average_cost", 1.4, 1.4, None, None),
    ]
    columns = ["method", "quantity", "published", "ours", "low", "high"]
    counts = distances(pd.DataFrame(rows, columns=columns).assign(substitute=False))
    assert counts["n_values"] == 4
    assert counts["within"] == [1, 2, 2, 2]
    assert (counts["inside"], counts["compared"]) == (2, 3)
