"""Tables: their files, their cells, and the paper's own tables on a synthetic run."""

import json
import shutil

import pandas as pd
import pytest

from beyond_accuracy import reporting
from beyond_accuracy.published import published_table
from beyond_accuracy.reporting import tables
from beyond_accuracy.reporting.joachims2005.methods import shares_done
from beyond_accuracy.reporting.tables import table_fragment, write_table

from .synthetic_run import METHODS, PAPER, report, write_run


def read(run, table):
    return pd.read_csv(run.results / PAPER / "tables" / f"{table}.csv")


def page(run, table):
    return (run.results / PAPER / "tables" / f"{table}.html").read_text(encoding="utf-8")


def test_three_files_with_escaped_text(tmp_path):
    frame = pd.DataFrame({"name": ["a&b<c", "50 %_"], "value": [1 / 3, 0.5]})
    stem = tmp_path / "paper.v1" / "tables" / "table.1"
    write_table(frame, stem, caption="Less < more & 10 %", notes=["†: a_b ≥ c"])
    read_back = pd.read_csv(f"{stem}.csv", float_precision="round_trip")
    pd.testing.assert_frame_equal(read_back, frame)
    html = (stem.parent / "table.1.html").read_text(encoding="utf-8")
    assert "a&amp;b&lt;c" in html
    assert "<figcaption>Less &lt; more &amp; 10 %</figcaption>" in html
    assert table_fragment(html).strip().startswith('<figure class="table">')
    tex = (stem.parent / "table.1.tex").read_text(encoding="utf-8")
    assert r"a\&b$<$c" in tex
    assert r"50 \%\_" in tex
    assert r"\textsuperscript{\dag}: a\_b $\ge$ c" in tex
    for command in (r"\toprule", r"\midrule", r"\bottomrule", r"\begin{table}", r"\end{table}"):
        assert tex.count(command) == 1


def test_long_tables_may_break_over_pages(tmp_path):
    write_table(pd.DataFrame({"n": range(100)}), tmp_path / "long", caption="Many")
    tex = (tmp_path / "long.tex").read_text(encoding="utf-8")
    assert r"\begin{longtable}" in tex
    assert r"\begin{table}" not in tex
    assert tex.count(r"\caption") == 2  # the second is that of the continued pages


def test_cells_are_set_as_their_styles_say(tmp_path):
    display = pd.DataFrame(
        {"x": ["1", "2"]}, index=pd.MultiIndex.from_tuples([("g", "a"), ("g", "b")])
    )
    styles = pd.DataFrame({"x": ["", "bold"]}, index=display.index)
    write_table(display, tmp_path / "t", caption="c", display=display, cell_styles=styles)
    assert "<strong>2</strong>" in (tmp_path / "t.html").read_text(encoding="utf-8")
    assert "<strong>1</strong>" not in (tmp_path / "t.html").read_text(encoding="utf-8")
    assert r"\textbf{2}" in (tmp_path / "t.tex").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (tables.percent(0.12345), "12.35"),
        (tables.percent(-0.005, sign=True), "−0.50"),
        (tables.percent(0.005, sign=True), "+0.50"),
        (tables.percent(float("nan")), "n/a"),
        (tables.percent_interval(-0.01, 0.02, sign=True), "[−1.0, +2.0]"),
        (tables.percent_interval(float("nan"), 0.02), ""),
        (tables.p_value(0.00001, {"*": 0.05}), "<0.0001*"),
        (tables.p_value(0.5, {"*": 0.05}), "0.5000"),
        (tables.count(12345.0), "12,345"),
        (tables.count(None), ""),
    ],
)
def test_cells(text, expected):
    assert text == expected


def test_table1_of_a_run(reported):
    frame = read(reported, "table1").set_index("data_set")
    assert frame.loc["text", ["n_classes", "n_train", "n_features"]].tolist() == [6, 1000, 50]
    assert frame.loc["text", ["min_positives", "max_positives"]].tolist() == [2, 2048]
    assert frame.filter(like="published_").isna().all(axis=None)
    assert frame.loc["absent", "n_classes"] != frame.loc["absent", "n_classes"]
    html = page(reported, "table1")
    assert "standin†" in html
    assert "the substitute twin stands in for standin: the real one is &lt;private&gt;." in html
    assert "absent is unavailable: no network." in html


def test_table2_agrees_with_the_measurements(reported):
    frame = read(reported, "table2").set_index(["data_set", "measure"])
    measurements = pd.read_parquet(reported.results / PAPER / "measurements.parquet")
    wide = measurements.pivot_table(
        index=["data_set", "measure", "task"], columns="method", values="value"
    ).dropna()
    averages = wide.groupby(["data_set", "measure"]).mean()
    for key, row in averages.iterrows():
        for method in METHODS:
            assert frame.loc[key, method] == pytest.approx(row[method])
        change = wide.loc[key, METHODS[0]] - wide.loc[key, METHODS[1]]
        assert frame.loc[key, "difference"] == pytest.approx(change.mean())
        counts = frame.loc[key, ["wins", "losses", "ties"]].tolist()
        assert counts == [(change > 0).sum(), (change < 0).sum(), (change == 0).sum()]
        assert frame.loc[key, "p_value"] <= frame.loc[key, "p_value_holm"] <= 1
    assert (frame.loc["failing", "n_tasks"] == 3).all()
    assert (frame.loc["failing", "n_excluded"] == 1).all()
    assert (frame.loc["failing", "reason"] == "no positive in test").all()
    assert (frame.loc["absent", "n_tasks"] == 0).all()
    assert frame.filter(like="published_").isna().all(axis=None)


def with_data_set_called(run, name, new_name):
    """Give one data set of a run another name in all its results."""
    folder = run.results / PAPER
    for kind in ("scores", "fits", "seconds"):
        if (folder / kind / name).is_dir():
            (folder / kind / name).rename(folder / kind / new_name)
    tables = [folder / "measurements.parquet", *folder.glob(f"*/{new_name}/*.parquet")]
    for path in tables:
        frame = pd.read_parquet(path)
        frame["data_set"] = frame["data_set"].replace(name, new_name)
        frame.to_parquet(path, index=False)
    records = pd.read_csv(run.results / "data_sets.csv")
    records["data_set"] = records["data_set"].replace(name, new_name)
    records.to_csv(run.results / "data_sets.csv", index=False)
    chosen = run.configuration["data_sets"]
    run.configuration["data_sets"] = [new_name if each == name else each for each in chosen]


def test_what_is_not_of_the_paper_is_marked_and_corrected_apart(reported, tmp_path):
    run = write_run(tmp_path)
    with_data_set_called(run, "text", "optdigits")
    with_data_set_called(run, "standin", "covertype")
    tables_shown = ("table1", "table2", "table2_per_class", "table_methods", "table_iterations")
    for table in tables_shown:
        write_table_of(run, reported, table)
    frame = read(run, "table2")
    ours = frame["data_set"].isin(["optdigits", "covertype"])
    assert frame["of_the_paper"].tolist() == ours.tolist()
    for family in (ours, ~ours & (frame["n_tasks"] > 0)):
        p = frame.loc[family, "p_value"].to_numpy()
        # Holm by its definition: the k-th smallest times the number that are not smaller.
        expected = [
            min(1, max((p >= other).sum() * other for other in p[p <= value])) for value in p
        ]
        assert frame.loc[family, "p_value_holm"].tolist() == pytest.approx(expected)
    for table in tables_shown:
        html = page(run, table)
        assert "failing¶" in html, table
        assert "optdigits¶" not in html, table
        assert "covertype†<" in html, table
        assert "not one of the paper&#39;s collections" in html, table
    assert r"failing\textsuperscript{\P}" in (
        run.results / PAPER / "tables" / "table2.tex"
    ).read_text(encoding="utf-8")


def test_only_significant_improvements_are_bold(reported, tmp_path):
    configuration = reported.configuration | {
        "significance": {"stars": {"*": 0.1}, "zero_method": "wilcox"}
    }
    reporting.build_table(reported.results, PAPER, "table2", configuration, tmp_path / "table2")
    frame = pd.read_csv(tmp_path / "table2.csv")
    significant = frame["p_value"] <= 0.1
    assert 0 < significant.sum() < len(frame)
    html = (tmp_path / "table2.html").read_text(encoding="utf-8")
    assert html.count("<strong>") == significant.sum()
    for row in frame[significant].itertuples():
        assert f"<strong>{tables.percent(row.difference, sign=True)}*" in html


def write_table_of(run, reported, table):
    """Write one table alone, with the intervals of a run whose scores are the same."""
    intervals = f"{PAPER}/intervals.parquet"
    shutil.copyfile(reported.results / intervals, run.results / intervals)
    stem = run.results / PAPER / "tables" / table
    reporting.build_table(run.results, PAPER, table, run.configuration, stem)


def test_table2_says_which_grids_ended_at_their_limit(reported, tmp_path):
    run = write_run(tmp_path)
    path = run.results / PAPER / "fits" / "text" / "cost_model_svm.parquet"
    fits = pd.read_parquet(path)
    fits.loc[fits["measure"] == "roc_area", "grid_limit"] = "C = 9.5e-07, lower end"
    fits.to_parquet(path)
    write_table_of(run, reported, "table2")
    limit = "SVM with cost model on text, ROC area: C = 9.5e-07, lower end."
    assert limit in page(run, "table2")
    assert "max_extensions" not in page(reported, "table2")


def test_medians_between_two_numbers_are_shown_as_they_are(reported, tmp_path):
    run = write_run(tmp_path)
    for path in (run.results / PAPER / "fits" / "failing").glob("*.parquet"):
        fits = pd.read_parquet(path)
        fits["n_train_positives"] = fits["task"].map(
            {"class 0": 1, "class 1": 18, "class 2": 19, "class 3": 1200}
        )
        fits.to_parquet(path)
    write_table_of(run, reported, "table1")
    assert "1 / 18.5 / 1,200" in page(run, "table1")
    # Two rows of short headings: no column is as wide as a sentence.
    tex = (run.results / PAPER / "tables" / "table1.tex").read_text(encoding="utf-8")
    assert r"& ours &" in tex


def test_table2_shows_what_it_is_made_of(reported):
    html = page(reported, "table2")
    row = read(reported, "table2").iloc[0]
    cell = f"{100 * row['multivariate_svm']:.2f} [{100 * row['multivariate_svm_low']:.1f}, "
    assert cell in html
    for text in ("3 of 4", "standin†", "<th rowspan", "zero differences: &#39;wilcox&#39;"):
        assert text in html


def test_per_class_table_has_every_class_and_its_flags(reported):
    frame = read(reported, "table2_per_class")
    assert len(frame) == 4 * (6 + 4 + 3)
    first = frame.iloc[0]
    assert (first["data_set"], first["task"], first["n_train_positives"]) == (
        "text",
        "class 5",
        2048,
    )
    assert json.loads(first["multivariate_svm_selected"]) == {"C": 1.0}
    failed = frame[frame["multivariate_svm_status"] == "failed"]
    assert set(failed["task"]) == {"class 1"}
    assert failed["multivariate_svm"].isna().all()
    assert failed["cost_model_svm"].notna().all()
    html = page(reported, "table2_per_class")
    cells = html.split("</table>")[0]
    # Both methods and four measures of one class each.
    assert cells.count("‡") == cells.count("§") == 8
    assert "failed: no positive in test" in html


def test_iterations_by_hand(reported):
    frame = read(reported, "table_iterations").set_index(["data_set", "measure"])
    row = frame.loc[("text", "f1")]
    assert row[["n_fits", "median", "quantile_90", "maximum"]].tolist() == [6, 35, 55, 60]
    assert frame.loc[("absent", "f1"), "n_fits"] == 0
    assert "counted as the solver runs" in page(reported, "table_iterations")


def test_fits_that_were_stopped_are_not_done():
    iterations = pd.DataFrame(
        {"iterations": [30.0, 500.0, 20.0, 500.0], "sufficed": [True, False, True, True]}
    )
    assert shares_done(iterations).to_dict() == {20: 0.25, 30: 0.5, 500: 0.75}
    assert shares_done(iterations.iloc[[1]]).empty


def test_reports_are_the_same_on_every_run(reported, tmp_path):
    again = write_run(tmp_path)
    report(again)
    files = [
        path.relative_to(reported.results)
        for path in reported.results.rglob("*")
        if path.is_file() and path.suffix != ".npz"
    ]
    assert len(files) > 25
    for file in files:
        assert (again.results / file).read_bytes() == (reported.results / file).read_bytes(), file


def test_unknown_tables_and_papers_are_named(run, tmp_path):
    arguments = {
        "results_folder": run.results,
        "paper_configuration": run.configuration,
        "stem": tmp_path / "t",
    }
    with pytest.raises(ValueError, match=r"found 'tabel1'; valid: .*Did you mean 'table1'"):
        reporting.build_table(paper=PAPER, table="tabel1", **arguments)
    with pytest.raises(ValueError, match="joachims2006"):
        reporting.build_table(paper="joachims2006", table="table1", **arguments)


def test_published_numbers():
    rows = published_table("li2013", "table2")
    by_key = {(row["data_set"], row["measure"], row["method"]): row["value"] for row in rows}
    assert by_key["ijcnn1", "roc_area", "capo_cvm"] == "0.9607"
    assert by_key["ijcnn1", "f1", "svmperf_rbf"] == ""
    assert published_table("joachims2005", "table2") is None


def test_table2_counts_fits_that_did_not_converge(reported, tmp_path):
    run = write_run(tmp_path)
    path = run.results / PAPER / "fits" / "text" / "cost_model_svm.parquet"
    fits = pd.read_parquet(path)
    fits.loc[[0, 2], "converged"] = False
    fits.to_parquet(path)
    write_table_of(run, reported, "table2")
    ok = sum(
        (pd.read_parquet(each)["status"] == "ok").sum()
        for each in (run.results / PAPER / "fits").glob("*/cost_model_svm.parquet")
    )
    assert f"SVM with cost model 2 of {ok}" in page(run, "table2")
