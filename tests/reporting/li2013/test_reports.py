"""Tables, figures and page of the paper on classifier adaptation."""

import os
import shutil
from pathlib import Path

import nbformat
import numpy as np
import pandas as pd
import pytest
from nbclient import NotebookClient
from scipy.stats import false_discovery_control, wilcoxon

from beyond_accuracy import reporting
from beyond_accuracy.datasets.prepared import load_prepared
from beyond_accuracy.measures import get_measure
from beyond_accuracy.published import published_table
from beyond_accuracy.reporting.bootstrap import resample_counts
from beyond_accuracy.reporting.comparison import Pair
from beyond_accuracy.reporting.intervals import positive_examples
from beyond_accuracy.reporting.li2013 import DEFINITION
from beyond_accuracy.reporting.li2013.methods import COLLECTIONS, COMPARISONS, METHOD_LABELS
from beyond_accuracy.reporting.li2013.signed_ranks import compare_pairs
from beyond_accuracy.reporting.li2013.table_differences import place
from beyond_accuracy.reporting.results import PaperResults

from .synthetic_capo_run import PAPER, Run

TASK = ["data_set", "measure"]


@pytest.fixture(scope="module")
def reported(tmp_path_factory):
    run = Run(tmp_path_factory.mktemp("capo"))
    for place_, method in enumerate(METHOD_LABELS):
        for step, data_set in enumerate(COLLECTIONS):
            run.values[data_set, "f1", method] = 0.4 + 0.02 * place_ + 0.05 * (step * place_ % 4)
            run.seconds[data_set, "f1", method] = 0.5 * (place_ + 1)
    run.failed.add(("splice", "svmlight_rbf"))
    run.left_out.add(("reuters-money-fx", "capo_rbfn"))
    run.grid_limits["ijcnn1", "f1", "capo_rbfn"] = "C = 10000, upper end"
    run.calls["usps-01234", "f1", "svmperf_linear", 10.0] = 500
    return run.write().report()


def table(run, name):
    return pd.read_csv(run.results / PAPER / "tables" / f"{name}.csv")


def page(run, name):
    return (run.results / PAPER / "tables" / f"{name}.html").read_text(encoding="utf-8")


def published(name):
    rows = pd.DataFrame(published_table(PAPER, name)).replace({"": np.nan})
    return rows.astype({"value": float} if "value" in rows else {"cpu_seconds": float})


def test_every_table_figure_and_claim_of_the_configuration_is_defined(reported):
    configuration = reported.configuration
    assert set(configuration["tables"]) == set(DEFINITION.tables)
    assert (
        set(configuration["figures"]) == set(DEFINITION.figures) == set(DEFINITION.figure_captions)
    )
    assert {claim["function"] for claim in configuration["claims"]} == set(DEFINITION.claims)
    assert set(DEFINITION.timed) <= {*DEFINITION.tables, *DEFINITION.figures, *DEFINITION.claims}
    for figure in configuration["figures"]:
        text = (reported.results / PAPER / "figures" / f"{figure}.svg").read_text()
        assert "<svg" in text


def test_table1_names_the_test_image_that_is_missing(reported):
    rows = table(reported, "table1").set_index("data_set")
    assert rows.loc["mitfaces", "n_test"] == 24_044
    assert rows.loc["mitfaces", "published_n_test"] == 24_045
    assert "mitfaces: the paper has 24,045 test examples, the files at hand have 24,044" in page(
        reported, "table1"
    )
    assert rows.loc["splice", "positives_train"] == pytest.approx(1 / 3)
    assert pd.isna(rows.loc["clouds", "published_n_train"])


def test_table2_stands_beside_all_published_values(reported):
    rows = table(reported, "table2").set_index([*TASK, "method"])
    known = published("table2")
    assert len(known) == 160
    for row in known.itertuples():
        ours = rows.loc[(row.data_set, row.measure, row.method)]
        assert ours["published"] == pytest.approx(row.value, nan_ok=True)
        auxiliary = float(row.auxiliary_value) if isinstance(row.auxiliary_value, str) else np.nan
        assert ours["published_auxiliary"] == pytest.approx(auxiliary, nan_ok=True)
    assert rows["not_published"].sum() == known["value"].isna().sum() == 35
    assert not rows.query("data_set == 'clouds'")["not_published"].any()


def test_table2_marks_the_filled_cells_and_those_that_failed(reported):
    rows = table(reported, "table2").set_index([*TASK, "method"])
    assert (rows.loc[("splice", slice(None), "svmlight_rbf"), "status"] == "timeout").all()
    text = page(reported, "table2")
    # The four cells of the cost model on splice have published values.
    assert "35 of these 35 cells have one here" in text
    assert "timeout: budget of 5 operations" in text
    assert "kernel error" in text
    assert rows["kernel_error"].notna().sum() == 2 * 4 * 6 - 4
    left_out = rows["left_out"].dropna()
    assert {key[::2] for key in left_out.index} == {("reuters-money-fx", "capo_rbfn")}
    assert "¶ an auxiliary predicts one class only" in text
    ours = rows.loc[("mitfaces", "f1", "capo_cvm")]
    auxiliary = reported.values["mitfaces", "f1", "core_vector_machine"]
    assert ours["auxiliary_value"] == pytest.approx(auxiliary)
    assert f"({100 * auxiliary:.2f})" in text


def test_table2_marks_the_grids_that_ended_at_their_limit(reported):
    rows = table(reported, "table2").set_index([*TASK, "method"])
    limited = rows["grid_limit"].dropna()
    assert limited.to_dict() == {("ijcnn1", "f1", "capo_rbfn"): "C = 10000, upper end"}
    text = page(reported, "table2")
    value = rows.loc[("ijcnn1", "f1", "capo_rbfn"), "value"]
    assert f"{100 * value:.2f}# [" in text
    assert text.count("# [") == 1
    assert "# a grid ended at its limit of growth" in text
    source = (reported.results / PAPER / "tables" / "table2.tex").read_text(encoding="utf-8")
    assert r"\# [" in source


def test_without_a_grid_at_its_limit_table2_does_not_speak_of_one(reported, monkeypatch):
    fits = PaperResults(reported.results, PAPER).fits.assign(grid_limit="")
    monkeypatch.setattr(PaperResults, "fits", fits)
    results = PaperResults(reported.results, PAPER)
    found = DEFINITION.tables["table2"](results, reported.configuration)
    assert not any("grid ended" in note for note in found.notes)
    assert not found.display.map(lambda cell: "#" in cell).any(axis=None)


@pytest.mark.parametrize(
    ("name", "columns"),
    [
        ("table2", {"auxiliary_low": "low", "auxiliary_high": "high"}),
        ("table5", {f"capo_5cvm_{end}": end for end in ("low", "high")}),
        ("table5", {f"weighted_ensemble_5cvm_{end}": end for end in ("low", "high")}),
    ],
)
def test_intervals_of_values_are_in_the_files(reported, name, columns):
    intervals = PaperResults(reported.results, PAPER).intervals.set_index([*TASK, "method"])
    auxiliaries = {"capo_cvm": "core_vector_machine", "capo_c45": "c45", "capo_rbfn": "rbf_network"}
    checked = 0
    for row in table(reported, name).to_dict("records"):
        method = auxiliaries.get(row.get("method"))
        for column, end in columns.items():
            if name == "table5":
                method = column.removesuffix(f"_{end}")
            if method is None:
                assert pd.isna(row[column])
                continue
            expected = intervals.loc[(row["data_set"], row["measure"], method), end]
            assert row[column] == pytest.approx(expected)
            checked += 1
    assert checked == 2 * 24 * (3 if name == "table2" else 1)


def test_table5_shows_its_intervals(reported):
    row = table(reported, "table5").set_index(TASK).loc[("splice", "roc_area")]
    for method in ("capo_5cvm", "weighted_ensemble_5cvm"):
        value, low, high = (100 * row[f"{method}{end}"] for end in ("", "_low", "_high"))
        assert f"{value:.2f} [{low:.1f}, {high:.1f}]" in page(reported, "table5")


def test_the_largest_of_each_row_is_bold(reported):
    rows = table(reported, "table2")
    text = page(reported, "table2")
    best = rows.loc[rows.groupby(TASK)["value"].idxmax()]
    for row in best.itertuples():
        assert f"<strong>{100 * row.value:.2f}" in text
    best = rows.loc[rows.dropna(subset="published").groupby(TASK)["published"].idxmax()]
    for row in best.itertuples():
        assert f"<strong>{100 * row.published:.2f}" in text


def test_intervals_are_quantiles_of_resampled_values(reported):
    results = PaperResults(reported.results, PAPER)
    data_set, measure = "splice", "roc_area"
    prepared = load_prepared(reported.root / "resources" / "prepared" / data_set)
    positive = positive_examples(prepared, "class")
    seed = [3, *PAPER.encode(), 0, *data_set.encode()]
    counts = np.hstack(list(resample_counts(len(positive), 40, seed)))
    score = get_measure(measure).score
    resampled = {
        method: [
            score(positive, results.scores(data_set, method).row(measure, "class"), column)
            for column in counts.T
        ]
        for method in ("capo_star", "svmperf_linear")
    }
    intervals = results.intervals.set_index([*TASK, "method"])
    expected = np.quantile(resampled["capo_star"], [0.025, 0.975])
    found = intervals.loc[(data_set, measure, "capo_star"), ["low", "high"]]
    assert found.to_numpy(float) == pytest.approx(expected)
    difference = np.subtract(*(resampled[key] for key in resampled))
    expected = np.quantile(difference, [0.025, 0.975])
    found = intervals.loc[(data_set, measure, "capo_star less svmperf_linear"), ["low", "high"]]
    assert found.to_numpy(float) == pytest.approx(expected)
    # The method that timed out on splice has none there.
    on_splice = results.intervals.query("data_set == 'splice'")["method"]
    assert not on_splice.str.contains("svmlight_rbf").any()
    assert len(set(results.intervals["method"])) == len(METHOD_LABELS) + len(COMPARISONS)


def test_table3_adds_up_the_folds_and_leaves_the_auxiliaries_out(reported):
    rows = table(reported, "table3").set_index([*TASK, "method"])
    ours = rows.loc[("ijcnn1", "f1", "svmperf_linear")]
    expected = reported.seconds["ijcnn1", "f1", "svmperf_linear"]
    assert ours["cpu_seconds"] == pytest.approx(expected)
    assert ours["published_cpu_seconds"] == 12_281.3
    assert ours["times_as_fast"] == pytest.approx(12_281.3 / expected)
    star = rows.loc[("ijcnn1", "f1", "capo_star"), "cpu_seconds"]
    assert star == pytest.approx(reported.seconds["ijcnn1", "f1", "capo_star"])
    both = rows.loc[("mitfaces", "all_four", "svmlight_linear")]
    assert both["published_cpu_seconds"] == 6114.7
    assert both["cpu_seconds"] == pytest.approx(
        reported.seconds["mitfaces", "f1", "svmlight_linear"] + 3.0
    )
    known = published("table3").set_index([*TASK, "method"])["cpu_seconds"]
    assert set(known.index) <= set(rows.index)
    assert rows["not_published"].sum() == known.isna().sum()


def test_table4_has_one_fit_of_each_auxiliary(reported):
    rows = table(reported, "table4").set_index(["data_set", "method"])
    ours = rows.loc[("reuters-money-fx", "c45")]
    assert ours["published_cpu_seconds"] == 1689.7
    seconds = reported.seconds["reuters-money-fx", "f1", "c45"]
    assert ours["cpu_seconds"] == pytest.approx(seconds / 10)
    assert len(rows) == 3 * 6


def test_table5_stands_beside_the_published_values(reported):
    rows = table(reported, "table5").set_index(TASK)
    for row in published("table5").itertuples():
        found = rows.loc[(row.data_set, row.measure), f"published_{row.method}"]
        assert found == pytest.approx(row.value)
    difference = rows["capo_5cvm"] - rows["weighted_ensemble_5cvm"]
    assert rows["difference"].to_numpy() == pytest.approx(difference.to_numpy())
    assert "16/1/3 in the paper" in page(reported, "table5")


def test_signed_rank_tests_are_scipy_s(reported):
    values = PaperResults(reported.results, PAPER).measurements
    values = values[values["data_set"].isin(COLLECTIONS)]
    values = values.pivot(index=TASK, columns="method", values="value")
    rows = table(reported, "table_tests")
    ours = rows[rows["source"] == "ours"]
    for row in ours.itertuples():
        difference = (values[row.proposed] - values[row.baseline]).dropna().round(12)
        assert row.n_tasks == len(difference)
        assert (row.wins, row.losses) == ((difference > 0).sum(), (difference < 0).sum())
        expected = wilcoxon(difference[difference != 0]).pvalue
        assert row.p_value == pytest.approx(expected)
    assert ours.query("baseline == 'svmlight_rbf'")["n_tasks"].unique().tolist() == [16]
    least = ours["p_value"].min()
    assert ours["p_holm"].min() == pytest.approx(min(1.0, len(ours) * least))
    # Holm's is at least as strict as what controls the false discoveries.
    discoveries = false_discovery_control(ours["p_value"])
    assert (ours["p_holm"] >= discoveries - 1e-12).all()


def test_tests_of_the_published_values_rest_on_the_printed_cells(reported):
    rows = table(reported, "table_tests")
    theirs = rows[rows["source"] == "published"].set_index(["proposed", "baseline"])
    known = published("table2").pivot(index=TASK, columns="method", values="value")
    both = known[["capo_star", "svmperf_linear"]].dropna()
    row = theirs.loc[("capo_star", "svmperf_linear")]
    assert row["n_tasks"] == len(both) == 20
    expected = wilcoxon((both["capo_star"] - both["svmperf_linear"]).round(12)).pvalue
    assert row["p_value"] == pytest.approx(expected)
    assert theirs.loc[("capo_star", "svmperf_rbf"), "n_tasks"] == 5
    assert theirs.loc[("capo_5cvm", "weighted_ensemble_5cvm"), "wins"] == 16


def test_the_least_p_value_of_five_data_sets(reported):
    rows = table(reported, "table_tests_by_measure")
    # Ties are dropped: only pairs that differ have a sign to vary.
    differing = rows["n_tasks"] - rows["ties"]
    assert (rows.loc[(rows["n_tasks"] == 5) & (differing == 5), "least_p"] == 0.0625).all()
    assert set(differing) > {0, 5}
    for n, least in rows[differing > 0].groupby(differing)["least_p"]:
        assert least.to_numpy() == pytest.approx(wilcoxon(np.arange(1.0, n + 1)).pvalue)
    known = rows.dropna(subset="p_value")
    assert (known["p_value"] >= known["least_p"] - 1e-12).all()
    text = page(reported, "table_tests_by_measure")
    assert "cannot be below 0.0625" in text
    assert "The p-values shown are not adjusted for the number of tests" in text
    assert "not adjusted" not in page(reported, "table_tests")


def test_ties_raise_the_least_p_value():
    index = pd.MultiIndex.from_product([["a", "b", "c", "d", "e"], ["f1"]], names=TASK)
    second = np.array([0.1, 0.2, 0.3, 0.4, 0.5])
    values = pd.DataFrame({"two_ties": second + [0, 0, 0.01, 0.02, 0.03], "alike": second,
                           "absent": np.nan, "second": second}, index=index)  # fmt: skip
    pairs = [Pair(name, "second") for name in ("two_ties", "alike", "absent")]
    two_ties, alike, absent = compare_pairs(values, pairs, "wilcox")
    # Three pairs differ, all to one side: 2 of 8 outcomes are as extreme.
    assert two_ties.p_value == two_ties.least_p == 0.25
    assert alike.p_value == alike.least_p == 1.0
    assert np.isnan(absent.least_p)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.8, "above"), (0.80004, "above"), (0.77, "within"), (0.7699, "below"), (np.nan, "")],
)
def test_places(value, expected):
    assert place(value, 0.8) == expected


def test_differences_from_the_published_values(reported):
    rows = table(reported, "table_differences").set_index(TASK)
    f1 = rows.loc[("mitfaces", "f1")]
    assert f1["published"] == 0.4514
    assert f1["value"] == pytest.approx(reported.values["mitfaces", "f1", "capo_star"])
    near = (rows["place"].isin(["above", "within"])).sum()
    assert f"{near} of 20 are within 0.03" in page(reported, "table_differences")
    outside = rows["differs"].notna() & (rows.index.get_level_values(0) != "clouds")
    assert (
        (rows["high"] < rows["published"]) | (rows["low"] > rows["published"])
    ).eq(outside).all()  # fmt: skip


def test_cross_fitting_and_matching_B(reported):
    rows = table(reported, "table_cross_fitting")
    assert len(rows) == 24
    change = rows["capo_star_cross_fit"] - rows["capo_star"]
    assert rows["difference"].to_numpy() == pytest.approx(change.to_numpy())
    assert "Over the paper's 20 tasks" in page(reported, "table_cross_fitting").replace(
        "&#39;", "'"
    )
    assert table(reported, "table_matching_B")["matching_B"].isna().sum() == 20
    assert "none: no B between 1e-6 and 1e6 does, 20 of 60 cases" in page(
        reported, "table_matching_B"
    )


def test_what_holds_seconds_is_on_its_own_page(reported):
    index = (reported.results / "index.html").read_text(encoding="utf-8")
    timing = (reported.results / "timing.html").read_text(encoding="utf-8")
    timed = {"faster-than-linear-svm-perf", "scales-in-training-size"}
    for claim in reported.configuration["claims"]:
        here, there = (f'id="claim-{PAPER}-{claim["id"]}"' in text for text in (index, timing))
        assert (here, there) == ((False, True) if claim["id"] in timed else (True, False))
    for name in ("Table 3.", "Table 4."):
        assert name in timing
        assert name not in index


def test_same_bytes_twice(reported, tmp_path):
    copy = Run(tmp_path)
    shutil.copytree(reported.results, copy.results)
    common = {
        "results_folder": copy.results,
        "paper": PAPER,
        "paper_configuration": copy.configuration,
    }
    folder = copy.results / PAPER
    for name in copy.configuration["tables"]:
        reporting.build_table(**common, table=name, stem=folder / "tables" / name)
    for name in ("figure2", "figure5"):
        reporting.build_figure(**common, figure=name, stem=folder / "figures" / name)
    reporting.build_claims(**common, output=folder / "claims.csv")
    for file in sorted((reported.results / PAPER).rglob("*.*")):
        again = folder / file.relative_to(reported.results / PAPER)
        assert again.read_bytes() == file.read_bytes(), file.name


def test_a_run_without_the_paper_s_data_sets(tmp_path):
    run = Run(tmp_path, data_sets=("clouds",), absent=("splice",)).write().report()
    claims = pd.read_csv(run.results / "claims.csv")
    assert set(claims["verdict"]) == {"not testable"}
    assert claims["note"].str.contains("splice: no network").any()
    for name in run.configuration["tables"]:
        assert os.path.getsize(run.results / PAPER / "tables" / f"{name}.csv") > 0


def test_missing_sweeps_are_named(tmp_path, reported):
    with pytest.raises(FileNotFoundError, match="by_C.*Run snakemake to make it"):
        DEFINITION.figures["figure3"](PaperResults(tmp_path, PAPER), reported.configuration)


def test_notebook_runs_on_the_results(reported, monkeypatch):
    monkeypatch.setenv("RESULTS", str(reported.results))
    path = Path(__file__).parents[3] / "notebooks" / f"{PAPER}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not [output for output in outputs if output.get("name") == "stderr"], outputs
    assert len([one for one in outputs if "image/png" in one.get("data", {})]) >= 9
