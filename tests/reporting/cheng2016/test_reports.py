"""Tables, figures and page of the paper on cost-sensitive SVMs."""

import os
import shutil
from pathlib import Path

import nbformat
import pandas as pd
import pytest
from nbclient import NotebookClient
from scipy.stats import wilcoxon

from beyond_accuracy import reporting
from beyond_accuracy.published import published_table
from beyond_accuracy.reporting.cheng2016 import DEFINITION
from beyond_accuracy.reporting.cheng2016.methods import METHOD_LABELS

from .synthetic_svm_run import PAPER, Run


@pytest.fixture(scope="module")
def reported(tmp_path_factory):
    run = Run(tmp_path_factory.mktemp("svm"))
    for place, method in enumerate(METHOD_LABELS):
        for step, data_set in enumerate(run.data_sets):
            run.f1[data_set, method] = 0.4 + 0.05 * place + 0.03 * (step * place % 4)
            run.seconds[data_set, method] = 0.1 * (place + 1)
    run.failed.add(("letter", "lr_tuned"))
    run.degenerate.add(("satimage", "svm_perf"))
    return run.write().report()


def table(run, name):
    return pd.read_csv(run.results / PAPER / "tables" / f"{name}.csv")


def page(run, name):
    return (run.results / PAPER / "tables" / f"{name}.html").read_text(encoding="utf-8")


def test_every_table_and_figure_of_the_configuration_is_defined(reported):
    configuration = reported.configuration
    assert set(configuration["tables"]) == set(DEFINITION.tables)
    assert (
        set(configuration["figures"]) == set(DEFINITION.figures) == set(DEFINITION.figure_captions)
    )
    for figure in configuration["figures"]:
        folder = reported.results / PAPER / "figures"
        assert "<svg" in (folder / f"{figure}.svg").read_text()


def test_table2_gives_the_share_of_the_rarer_class(reported):
    rows = table(reported, "table2").set_index("data_set")
    assert rows.loc["a3a", "minority_train"] == pytest.approx(1 / 3)
    assert rows.loc["letter", "minority_test"] == pytest.approx(0.25)
    assert rows.loc["acoustic", "status"] == "unavailable"
    assert pd.isna(rows.loc["acoustic", "n_train"])


def test_table3_stands_beside_the_published_values(reported):
    rows = table(reported, "table3").set_index(["data_set", "method"])
    known = [row for row in published_table(PAPER, "table3") if row["measure"] == "f1_percent"]
    assert len(known) == 2
    for row in known:
        ours = rows.loc[row["data_set"], row["method"]]
        assert ours["published_f1"] == pytest.approx(float(row["value"]) / 100)
    assert rows["published_f1"].notna().sum() == len(known)
    assert rows.loc[("letter", "lr_tuned"), "status"] == "failed"
    assert pd.isna(rows.loc[("letter", "lr_tuned"), "f1"])
    text = page(reported, "table3")
    assert "98.70" in text
    assert "failed: too few positives" in text
    assert rows["degenerate"].sum() == 1
    assert "§ the optimum is w = 0" in text
    assert "news20-resplit stands in for news20" in text


def test_intervals_hold_their_estimates(reported):
    rows = table(reported, "table3").dropna(subset="f1")
    assert (rows["f1_low"] <= rows["f1"] + 0.02).all()
    assert (rows["f1"] - 0.02 <= rows["f1_high"]).all()
    differences = table(reported, "table_comparisons").dropna(subset="difference")
    assert (differences["difference_low"] <= differences["difference"] + 0.02).all()
    assert (differences["difference"] - 0.02 <= differences["difference_high"]).all()


def test_seconds_are_medians_of_the_repetitions_and_sums_of_the_folds(reported):
    rows = table(reported, "table3_seconds").set_index(["data_set", "method"])
    expected = reported.seconds["a3a", "lr_f"]
    assert rows.loc[("a3a", "lr_f"), "fit_seconds"] == pytest.approx(expected)
    assert rows.loc[("a3a", "lr_f"), "select_seconds"] == pytest.approx(6 * expected)
    assert rows.loc[("a3a", "lr_f"), "predict_seconds"] == pytest.approx(0.25)
    ratio = expected / reported.seconds["a3a", "bm_ls_cs"]
    assert rows.loc[("a3a", "lr_f"), "fit_relative_to_bm_ls_cs"] == pytest.approx(ratio)
    assert rows.loc[("news20", "svm_cs"), "published_seconds"] == 0.21
    assert rows.loc["acoustic", "fit_seconds"].isna().all()


def test_comparisons_are_over_the_paper_s_data_sets(reported):
    values = table(reported, "table3").pivot(index="data_set", columns="method", values="f1")
    rows = table(reported, "table_comparisons")
    for method, part in rows.groupby("method"):
        both = values.loc[part["data_set"], ["bm_ls_cs", method]].dropna()
        difference = (both["bm_ls_cs"] - both[method]).round(12)
        expected = wilcoxon(difference).pvalue
        assert part["p_value"].iloc[0] == pytest.approx(expected), method
        assert part["wins"].iloc[0] == (difference > 0).sum()
    assert "cannot be below 0.125" in page(reported, "table_comparisons")


def test_iterations_and_their_ratio(reported):
    rows = table(reported, "table_iterations")
    known = rows[rows["data_set"] != "acoustic"]
    assert (known["bm_ls_cs"] == 5).all()
    assert (known["bm_nls_cs"] == 60).all()
    assert (known["ratio"] == 12).all()
    assert rows[rows["data_set"] == "acoustic"]["ratio"].isna().all()
    assert "&gt; 3" in page(reported, "table_iterations")


def test_what_holds_seconds_is_on_its_own_page(reported):
    index = (reported.results / "index.html").read_text(encoding="utf-8")
    timing = (reported.results / "timing.html").read_text(encoding="utf-8")
    timed = {"fastest-but-on-news20", "bm-nls-faster-than-svm-perf", "speed-ups-of-hundreds"}
    for claim in reported.configuration["claims"]:
        here, there = (f'id="claim-{PAPER}-{claim["id"]}"' in text for text in (index, timing))
        assert (here, there) == ((False, True) if claim["id"] in timed else (True, False))
    assert "Table 3, second part" in timing
    assert "Table 3, second part" not in index
    assert "3 claims about seconds" in index


def test_same_bytes_twice(reported, tmp_path):
    copy = Run(tmp_path)
    shutil.copytree(reported.root, tmp_path, dirs_exist_ok=True)
    copy.data_sets = reported.data_sets
    copy.report()
    for file in sorted((reported.results / PAPER).rglob("*.*")):
        again = tmp_path / "results" / PAPER / file.relative_to(reported.results / PAPER)
        assert again.read_bytes() == file.read_bytes(), file.name


def test_a_run_without_any_data(tmp_path):
    run = Run(tmp_path, data_sets=()).write().report()
    claims = pd.read_csv(run.results / "claims.csv")
    assert set(claims["verdict"]) == {"not testable"}
    for name in run.configuration["tables"]:
        assert os.path.getsize(run.results / PAPER / "tables" / f"{name}.csv") > 0


def test_missing_convergence_runs_are_named(tmp_path):
    run = Run(tmp_path).write()
    shutil.rmtree(run.results / PAPER / "studies")
    with pytest.raises(FileNotFoundError, match="Run snakemake to make it"):
        reporting.build_table(
            run.results, PAPER, "table_iterations", run.configuration, tmp_path / "table"
        )


def test_notebook_runs_on_the_results(reported, monkeypatch):
    monkeypatch.setenv("RESULTS", str(reported.results))
    path = Path(__file__).parents[3] / "notebooks" / f"{PAPER}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not [output for output in outputs if output.get("name") == "stderr"], outputs
    assert len([one for one in outputs if "image/png" in one.get("data", {})]) == 5


def test_seconds_name_where_svm_cs_stops_in_the_selection(reported):
    text = page(reported, "table3_seconds")
    assert "tolerance 0.1, and after 1,000 rounds" in text
    assert "All final fits stop" in text
    assert "did not reach the gap asked for" in page(reported, "table3")
