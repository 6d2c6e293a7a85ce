"""Tables, figures, intervals, page and notebook of the multi-label paper on a synthetic run."""

from pathlib import Path

import nbformat
import numpy as np
import pandas as pd
import pytest
from nbclient import NotebookClient

from beyond_accuracy import reporting
from beyond_accuracy.measures.multilabel import f_beta_of_instances, get_multilabel_measure
from beyond_accuracy.published import published_table
from beyond_accuracy.reporting.dembczynski2011 import DEFINITION
from beyond_accuracy.reporting.dembczynski2011.intervals import resampled_label_measure

from .synthetic_label_run import PAPER, report, write_label_run

NOTEBOOK = Path(__file__).parents[3] / "notebooks" / f"{PAPER}.ipynb"
MEASURES = ("hamming_loss", "subset_zero_one_loss", "f1_macro", "f0.5_micro", "f2_instance")


def table(run, name):
    return pd.read_csv(run.results / PAPER / "tables" / f"{name}.csv")


def page(run, name):
    return (run.results / PAPER / "tables" / f"{name}.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("measure", MEASURES)
def test_resampled_measures_are_those_of_repeated_examples(measure):
    rng = np.random.default_rng(2)
    truth, prediction = (rng.random((2, 12, 4)) < 0.4).astype(np.uint8)
    truth[:3] = prediction[:2] = 0
    counts = rng.multinomial(12, np.full(12, 1 / 12), size=5).T.astype(np.int16)
    found = resampled_label_measure(measure, truth, prediction)(counts)
    for column, value in enumerate(found):
        rows = np.repeat(np.arange(12), counts[:, column])
        expected = get_multilabel_measure(measure)(truth[rows], prediction[rows])
        assert value == pytest.approx(expected, abs=1e-12)


def test_a_measure_that_cannot_be_resampled():
    with pytest.raises(ValueError, match="'roc_area'"):
        resampled_label_measure("roc_area", [[1, 0]], [[1, 0]])


def test_intervals_hold_their_estimates(label_run):
    rows = pd.read_parquet(label_run.results / PAPER / "intervals.parquet")
    assert (rows["low"] <= rows["estimate"]).mean() > 0.95
    assert (rows["high"] >= rows["estimate"]).mean() > 0.95
    assert set(rows["data_set"]) == {"scene", "yeast-multilabel", "enron"}
    one = rows[(rows["method"] == "pcc") & (rows["measure"] == "f1_instance")]
    decisions = label_run.configuration["methods"]["pcc"]["inference"]
    assert len(one) == 3 * len(decisions) - sum("exact" in each for each in decisions)


def test_table1_stands_beside_the_published_values(label_run):
    frame = table(label_run, "table1")
    assert len(frame) == 4 * 8 * 4
    printed = {
        (row["data_set"], row["measure"], row["model"], row["inference"]): row["value"]
        for row in published_table(PAPER, "table1")
    }
    scene = frame[frame["data_set"] == "scene"]
    for row in scene.itertuples():
        expected = float(printed["scene", row.measure, row.model, row.inference])
        assert row.published == expected
        assert row.difference == pytest.approx(row.value - expected)
    yeast = frame[frame["data_set"] == "yeast-multilabel"]
    assert yeast["published"].notna().all()
    missing = frame[frame["data_set"] == "mediamill"]
    assert missing["value"].isna().all()
    assert missing["published"].notna().sum() == 4 * 6
    assert "of 24 F-measures are within ±0.02 of the published value" in page(label_run, "table1")
    assert "mediamill is unavailable: no network" in page(label_run, "table1")


def test_agreement_is_counted(label_run):
    frame = table(label_run, "table1")
    compared = frame[(frame["measure"] == "f1_instance") & frame["difference"].notna()]
    near = int((compared["difference"].abs() <= 0.02).sum())
    assert f"{near} of 24" in page(label_run, "table1")
    assert page(label_run, "table1").count("§") == 24 - near + 1


def test_readings_stand_beside_the_published_values(label_run):
    frame = table(label_run, "table_readings")
    # Two readings of five rows, two measures; mediamill was fitted with one reading only.
    assert len(frame) == 3 * 5 * 2 * 2
    assert "mediamill" not in page(label_run, "table_readings")
    assert set(frame["data_set"]) == {"scene", "yeast-multilabel", "enron"}
    keys = ["data_set", "model", "inference", "measure"]
    ours = table(label_run, "table1").set_index(keys).sort_index()
    readings = {name: rows.set_index(keys) for name, rows in frame.groupby("reading")}
    same = ours.loc[readings["standardized"].index]
    columns = ["value", "low", "high", "published", "difference"]
    pd.testing.assert_frame_equal(readings["standardized"][columns], same[columns])
    unscaled = readings["unscaled"]
    assert (unscaled["published"] == same["published"]).all()
    scores = np.load(label_run.results / PAPER / "scores" / "enron" / "pcc_unscaled.npz")
    for measure in ("f1_instance", "hamming_loss"):
        row = unscaled.loc["enron", "pcc", "gfm", measure]
        expected = get_multilabel_measure(measure)(scores["y_test"], scores["prediction.gfm"])
        assert row["value"] == pytest.approx(expected)
        assert row["low"] < row["value"] < row["high"]
        assert row["value"] != same.loc["enron", "pcc", "gfm", measure]["value"]


def test_readings_are_counted_and_what_stays_unexplained_is_said(label_run):
    text = page(label_run, "table_readings")
    frame = table(label_run, "table_readings")
    compared = frame[frame["measure"] == "f1_instance"]
    near = (compared["difference"].abs() <= 0.02).groupby(compared["reading"]).sum()
    assert f"{near['standardized']} of 15 standardized, {near['unscaled']} of 15 unscaled" in text
    printed = compared.assign(
        inside=compared["published"].between(compared["low"], compared["high"])
    )
    explained = printed.groupby(["data_set", "model", "inference"])["inside"].any()
    assert not explained["scene", "br", "meuf"]
    assert "scene BR MEUF, F-measure 64.68" in text
    assert text.count(", F-measure ") == (~explained).sum()
    assert "R = 100 the printed values of BR on scene come out to all four digits" in text


def test_nothing_is_called_unexplained_that_agrees(tmp_path):
    # With this share the F-measure of the drawn predictions is near the printed one.
    share = {("scene", "br_unscaled", "marginal_threshold"): 0.27}
    for wrong, unexplained in (({}, True), (share, False)):
        run = write_label_run(tmp_path, wrong, labels={"scene": 4}, data_sets=["scene"])
        run.configuration.update(tables=["table_readings"], figures=[], claims=[])
        report(run)
        frame = (
            table(run, "table_readings").set_index(["model", "inference", "measure"]).sort_index()
        )
        rows = frame.loc["br", "marginal_threshold", "f1_instance"]
        assert rows["published"].between(rows["low"], rows["high"]).any() != unexplained
        assert ("scene BR H, F-measure" in page(run, "table_readings")) == unexplained


def test_readings_of_a_substitute_are_not_compared(tmp_path):
    run = write_label_run(tmp_path, labels={"scene": 4}, data_sets=["scene"])
    path = run.results / "data_sets.csv"
    records = pd.read_csv(path, keep_default_na=False)
    records["substitute_for"] = "scene"
    records["used"] = "scene-small"
    records.to_csv(path, index=False)
    run.configuration.update(tables=["table_readings"], figures=[], claims=[])
    report(run)
    assert table(run, "table_readings")["published"].isna().all()
    assert "Unexplained" not in page(run, "table_readings")
    assert "of the published value" not in page(run, "table_readings")


def test_misprints_are_named(label_run):
    text = page(label_run, "table_data_sets")
    assert "scene: the paper prints 1,169, most likely a misprint" in text
    assert "mediamill: the paper prints 30,999, most likely a misprint" in text
    frame = table(label_run, "table_data_sets").set_index("data_set")
    assert frame.loc["enron", "published_n_classes"] == 53
    assert frame.loc["enron", "n_classes"] == 6


def test_seconds_add_up(label_run):
    frame = table(label_run, "table1_seconds").set_index(["data_set", "model", "inference"])
    row = frame.loc["enron", "pcc", "gfm"]
    assert row["seconds"] == pytest.approx(0.502)
    assert row["published"] == 194.889
    assert "388" not in page(label_run, "table1_seconds")
    assert "390" in page(label_run, "table1_seconds")


def test_significance_is_over_the_same_examples(label_run):
    frame = table(label_run, "table_significance")
    row = frame[(frame["data_set"] == "scene") & (frame["second"] == "pcc/meuf")].iloc[0]
    scores = np.load(label_run.results / PAPER / "scores" / "scene" / "pcc.npz")
    values = [
        f_beta_of_instances(scores["y_test"], scores[f"prediction.{name}"])
        for name in ("gfm", "meuf")
    ]
    assert row["difference"] == pytest.approx(values[0].mean() - values[1].mean())
    assert row["wins"] == (values[0] > values[1]).sum()
    assert row[["wins", "losses", "ties"]].sum() == 60
    assert (frame["p_holm"] >= frame["p_value"]).all()


def test_exact_rows_where_there_are_few_labels(label_run):
    frame = table(label_run, "table_exact").set_index(["data_set", "inference"])
    assert set(frame.index.get_level_values(0)) == {"scene", "yeast-multilabel"}
    row = frame.loc["scene", "gfm_threshold"]
    assert row["sampled"] > row["exact"]
    assert row["examples_that_differ"] > 0
    assert "enron is left out: too many labels." in page(label_run, "table_exact")


def test_other_tables(label_run):
    frame = table(label_run, "table_f_beta")
    assert len(frame) == 4 * 3 * 3
    frame = table(label_run, "table_calibration")
    assert len(frame) == 3 * 6
    assert (frame["excess"] - (frame["expected"] - frame["achieved"])).abs().max() < 1e-12
    assert (frame["low"] < frame["excess"]).all()
    frame = table(label_run, "table_gradient_boosting")
    assert set(frame["model"]) == {"pcc", "br", "pcc_gradient_boosting", "br_gradient_boosting"}


def test_figures_and_page(label_run):
    folder = label_run.results / PAPER / "figures"
    for figure in label_run.configuration["figures"]:
        assert "<svg" in (folder / f"{figure}.svg").read_text()
        assert figure in DEFINITION.figure_captions
    site = (label_run.results / "index.html").read_text()
    timing = (label_run.results / "timing.html").read_text()
    assert "figure1_right.svg" in site
    assert "Seconds of inference on the whole test part" in timing
    assert "Seconds of inference on the whole test part" not in site


def test_a_run_without_any_data(tmp_path):
    run = write_label_run(tmp_path, labels={"scene": 0}, data_sets=["scene"], studies={})
    report(run)
    assert "scene is unavailable" in page(run, "table1")
    assert table(run, "table_exact").empty
    assert table(run, "table_readings").empty


def test_names_of_tables_and_figures_are_those_of_the_configuration(label_run):
    assert set(DEFINITION.tables) == set(label_run.configuration["tables"])
    assert set(DEFINITION.figures) == set(label_run.configuration["figures"])


def test_same_bytes_twice(label_run, tmp_path):
    for name in ("figure1_left", "figure_calibration"):
        reporting.build_figure(
            label_run.results, PAPER, name, label_run.configuration, tmp_path / name
        )
        for suffix in (".svg", ".png"):
            first = label_run.results / PAPER / "figures" / f"{name}{suffix}"
            assert first.read_bytes() == (tmp_path / f"{name}{suffix}").read_bytes()


def test_notebook_runs_on_the_results(label_run, monkeypatch):
    monkeypatch.setenv("RESULTS", str(label_run.results))
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not [output for output in outputs if output.get("name") == "stderr"], outputs
    pictures = [output for output in outputs if "image/png" in output.get("data", {})]
    assert len(pictures) >= 5
