"""A run compared with the reference: changed cells and verdicts, and parts left out."""

import json
import re
import shutil
from dataclasses import replace

import pandas as pd
import pytest

from beyond_accuracy_pipeline.papers import load_paper, paper_ids, saved_report
from beyond_accuracy_pipeline.reporting.agreement import read_agreement
from beyond_accuracy_pipeline.reporting.claims import read_claims
from beyond_accuracy_pipeline.reporting.page_tables import (
    median_and_range,
    p_value,
    points,
    signed_points,
)
from beyond_accuracy_pipeline.reporting.pages import PAGES, paper_pages
from beyond_accuracy_pipeline.reporting.readme import readme
from beyond_accuracy_pipeline.reporting.reference import (
    configuration_digest,
    remade_table,
    write_reference,
)
from beyond_accuracy_pipeline.reporting.reference_comparison import (
    compare_with_reference,
    judged_seeds,
)
from beyond_accuracy_pipeline.reporting.reference_values import PageError, Reference
from beyond_accuracy_pipeline.reporting.table_files import write_numbers
from beyond_accuracy_pipeline.results.checksums import Checksums
from beyond_accuracy_pipeline.results.damage import DamagedFile
from beyond_accuracy_pipeline.results.fits import fit_jobs
from beyond_accuracy_pipeline.workflow.reference import main

PAPER = "joachims2005"
# The tables of this paper take a fifth of the time.
SMALL_PAPER = "dembczynski2011"
ARENA = "arena_multilabel"
# An arena makes no claims.
PAPERS = [paper for paper in paper_ids() if load_paper(paper).claims]
CELL = {
    "data_set": "reuters21578-modapte",
    "method": "multivariate_svm",
    "measure": "f1",
    "state": 1,
}


@pytest.fixture
def reference(repository):
    return repository / "reference"


@pytest.fixture
def run(reference, tmp_path):
    """Return a run with the results of the reference."""
    return shutil.copytree(reference, tmp_path / "results")


@pytest.fixture
def old(reference, tmp_path):
    """Return a reference that may be replaced."""
    return shutil.copytree(reference, tmp_path / "old")


def leave_alone(paper, run, *more):
    """Remove all other papers from a run, and from its common files the rows of all but `paper`."""
    for other in {*paper_ids()} - {paper, *more}:
        shutil.rmtree(run / other)
    for file in ("claims.csv", "agreement.csv"):
        frame = pd.read_csv(run / file, dtype=str, keep_default_na=False)
        frame.query("paper == @paper").to_csv(run / file, index=False)


def change(run, column, function):
    """Change a column of the headline's `CELL`, which is an average over ninety classes."""
    path = run / PAPER / "measurements.parquet"
    frame = pd.read_parquet(path)
    own = (frame[list(CELL)] == list(CELL.values())).all(axis=1) & (frame["reading"] == "headline")
    frame.loc[own, column] = function(frame.loc[own, column])
    frame.to_parquet(path, index=False)
    return frame.loc[own, "value"]


def configure(run, **changes):
    path = run / PAPER / "configuration.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def judge_otherwise(run, paper, claims, verdict):
    path = run / paper / "claims.csv"
    frame = pd.read_csv(path)
    frame.loc[frame["id"].isin(claims), "verdict"] = verdict
    frame.to_csv(path, index=False)


def compared(run, reference, paper=PAPER):
    return compare_with_reference(run, reference, {paper: load_paper(paper)})


def moved(comparison):
    return comparison.cells[comparison.cells["outcome"] != "same"]


def test_the_reference_holds_beside_itself(run, reference, capsys):
    assert main(["compare", "--results", str(run), "--reference", str(reference)]) == 0
    printed = capsys.readouterr().out
    assert re.search(
        r"^[\d,]+ cells of (all \d+ seeds of )?the reference.*: none differs\.$", printed, re.M
    )
    assert "verdicts: none changed." in printed


@pytest.mark.parametrize(("shift", "outcome"), [(1e-11, None), (1e-3, "inside"), (0.1, "outside")])
def test_a_cell_that_moved_is_inside_its_interval_or_not(run, reference, shift, outcome):
    values = change(run, "value", lambda own: own + shift)
    comparison = compared(run, reference)
    assert comparison.holds == (outcome != "outside")
    if outcome is None:
        assert moved(comparison).empty
        return
    cell = moved(comparison).squeeze()
    assert cell["outcome"] == outcome
    assert cell["run"] == pytest.approx(values.mean(), abs=1e-14)
    assert cell["difference"] == pytest.approx(shift, abs=1e-14)
    intervals = pd.read_parquet(reference / PAPER / "intervals.parquet")
    own = intervals.query(
        "data_set == @CELL['data_set'] and method == @CELL['method'] and measure == 'f1'"
        " and group == 'all' and baseline == '' and reading == 'headline' and state == 1"
    ).squeeze()
    assert (cell["low"], cell["high"]) == (own["low"], own["high"])


def test_a_cell_that_failed_is_no_cell_that_is_the_same(run, reference):
    change(run, "status", lambda own: "timeout")
    comparison = compared(run, reference)
    assert moved(comparison)["outcome"].tolist() == ["status"]
    assert not comparison.holds


def test_results_on_other_data_are_not_compared(run, reference):
    change(run, "value", lambda own: own + 0.1)
    path = run / PAPER / "claims.csv"
    pd.read_csv(path).assign(verdict="not testable").to_csv(path, index=False)
    assert not compared(run, reference).holds
    path = run / "data_sets.csv"
    frame = pd.read_csv(path, index_col="data_set", dtype="string")
    frame.loc[CELL["data_set"], "sha256_arrays"] = "0" * 64
    frame.to_csv(path)
    comparison = compared(run, reference)
    own = comparison.cells["data_set"] == CELL["data_set"]
    assert set(comparison.cells.loc[own, "outcome"]) == {"other data"}
    assert set(comparison.cells.loc[~own, "outcome"]) == {"same"}
    assert comparison.holds


def test_cells_may_be_absent_only_where_the_configuration_is_another(run, reference):
    path = run / PAPER / "measurements.parquet"
    pd.read_parquet(path).query("method != 'multivariate_svm'").to_parquet(path, index=False)
    comparison = compared(run, reference)
    assert set(moved(comparison)["outcome"]) == {"absent"}
    assert not comparison.holds
    configure(run, measures=["f1"])
    comparison = compared(run, reference)
    assert comparison.other_configurations == [PAPER]
    assert comparison.holds
    assert f"The configuration is not the reference's: {PAPER}" in str(comparison)


def test_a_verdict_that_changed(run, reference, capsys):
    leave_alone(PAPER, run)
    judge_otherwise(run, PAPER, ["f1-reuters"], "not testable")
    assert main(["compare", "--results", str(run), "--reference", str(reference)]) == 1
    printed = capsys.readouterr().out
    assert "verdicts: 1 changed." in printed
    assert re.search(rf"{PAPER} +f1-reuters +reproduced +not testable", printed)


def test_a_run_without_a_reading_is_compared_in_the_others(run, reference):
    configure(run, readings_selected=[])
    for name in ("measurements", "intervals"):
        path = run / PAPER / f"{name}.parquet"
        pd.read_parquet(path).query("reading == 'headline'").to_parquet(path, index=False)
    comparison = compared(run, reference)
    assert set(comparison.cells["outcome"]) == {"same"}
    assert comparison.other_configurations == []
    assert comparison.holds


@pytest.fixture
def run_of_one_seed(run):
    """Return a run of one paper that has only the first seed of the reference."""
    leave_alone(PAPER, run)
    configure(run, states=1)
    for name in ("measurements", "intervals"):
        path = run / PAPER / f"{name}.parquet"
        pd.read_parquet(path).query("state == 1").to_parquet(path, index=False)
    path = run / PAPER / "claims.csv"
    claims = pd.read_csv(path)
    claims.assign(verdict=claims["first_state"], states="1 of 1").to_csv(path, index=False)
    return run


def test_a_run_of_one_seed_is_compared_in_it_alone(run_of_one_seed, reference, capsys):
    claims = pd.read_csv(reference / PAPER / "claims.csv")
    assert (claims["verdict"] != claims["first_state"]).any()
    folders = ["--results", str(run_of_one_seed), "--reference", str(reference)]
    assert main(["compare", *folders]) == 0
    states = json.loads((reference / PAPER / "configuration.json").read_text())["states"]
    assert re.fullmatch(
        rf"[1-9]\d* cells of seed 1 of the reference's {states} seeds: none differs.\n"
        rf"{len(claims)} verdicts: none changed.\n",
        capsys.readouterr().out,
    )
    change(run_of_one_seed, "value", lambda own: own + 0.1)
    assert main(["compare", *folders]) == 1
    found = "1 differ (1 outside their 95 % intervals)"
    assert f"of the reference's {states} seeds: {found}." in capsys.readouterr().out


def test_a_verdict_in_the_first_seed_may_not_change(run_of_one_seed, reference):
    path = run_of_one_seed / PAPER / "claims.csv"
    pd.read_csv(path).assign(first_state="undecided").to_csv(path, index=False)
    comparison = compared(run_of_one_seed, reference)
    assert set(comparison.changed_verdicts["seeds"]) == {"first"}
    assert not comparison.holds


def test_a_reference_of_fewer_seeds_is_compared_in_those(run_of_one_seed, reference):
    comparison = compared(reference, run_of_one_seed)
    assert set(comparison.cells["state"]) == {1}
    assert comparison.seeds == {PAPER: "the reference's seed"}
    assert comparison.holds


@pytest.mark.parametrize("fewer", [True, False])
def test_a_verdict_on_pooled_seeds_may_be_another_in_fewer(run, reference, fewer):
    paper, claim = "dembczynski2011", "independent-labels"
    path = run / paper / "configuration.json"
    configuration = json.loads(path.read_text())
    n_states = 1 if fewer else configuration["states"]
    path.write_text(json.dumps(configuration | {"states": n_states}))
    judge_otherwise(run, paper, [claim], "undecided")
    comparison = compared(run, reference, paper)
    verdicts = comparison.verdicts.set_index("id")
    assert verdicts.loc[claim, "outcome"] == ("other seeds" if fewer else "changed")
    assert comparison.holds == fewer


def test_a_claim_that_the_run_cannot_test_is_not_compared(run, reference):
    """A plain run lacks the readings of the reference."""
    judge_otherwise(run, PAPER, ["most-improve"], "not testable")
    configure(run, readings_selected=[])
    comparison = compared(run, reference)
    assert comparison.verdicts.set_index("id").loc["most-improve", "outcome"] == "not testable"
    assert comparison.holds


def test_verdicts_on_seconds_are_left_out(run, reference):
    paper = "cheng2016"
    timed = {
        claim["id"]
        for claim in json.loads((run / paper / "configuration.json").read_text())["claims"]
        if claim.get("function") in load_paper(paper).timed
    }
    assert timed
    judge_otherwise(run, paper, timed, "undecided")
    comparison = compared(run, reference, paper)
    assert not timed & set(comparison.verdicts["id"])
    assert comparison.holds


def test_nothing_to_compare_is_an_error(tmp_path, reference, capsys):
    assert main(["compare", "--results", str(tmp_path), "--reference", str(reference)]) == 2
    assert f"{tmp_path}: has measurements of none of the papers" in capsys.readouterr().err


@pytest.mark.parametrize(("others", "status"), [((), 2), ((SMALL_PAPER,), 0)])
def test_a_paper_without_data_fails_only_a_run_of_it_alone(run, reference, capsys, others, status):
    leave_alone(PAPER, run, *others)
    path = run / "data_sets.csv"
    frame = pd.read_csv(path, index_col="data_set", dtype="string")
    used = pd.read_parquet(run / PAPER / "measurements.parquet")["data_set"].unique()
    frame.loc[used, "status"] = "unavailable"
    frame.to_csv(path)
    assert main(["compare", "--results", str(run), "--reference", str(reference)]) == status
    printed = capsys.readouterr()
    assert f"No cell could be compared of: {PAPER}." in printed.out
    if not others:
        assert "0 cells of" in printed.out
        assert PAPER in printed.err
        assert "data_sets.csv" in printed.err


def test_only_a_reference_is_replaced(run, tmp_path, capsys):
    own = tmp_path / "own"
    own.mkdir()
    (own / "thesis.txt").write_text("mine")
    assert main(["write", "--results", str(run), "--reference", str(own)]) == 2
    assert "holds files and no reference.json" in capsys.readouterr().err
    assert (own / "thesis.txt").read_text() == "mine"


def test_an_incomplete_run_replaces_nothing(run, old):
    (run / "li2013" / "claims.csv").unlink()
    with pytest.raises(FileNotFoundError, match=r"li2013/claims\.csv"):
        write_reference(run, old, {name: load_paper(name) for name in PAPERS})
    assert (old / "li2013" / "claims.csv").is_file()


def test_results_of_an_earlier_run_do_not_become_the_reference(run, old, capsys):
    claims = pd.read_csv(run / "claims.csv", dtype=str, keep_default_na=False)
    claims.query("paper == @PAPER").to_csv(run / "claims.csv", index=False)
    before = (old / "reference.json").read_bytes()
    assert main(["write", "--results", str(run), "--reference", str(old)]) == 2
    error = capsys.readouterr().err
    assert "claims.csv: no claims of cheng2016, dembczynski2011" in error
    assert PAPER not in error
    assert "arena" not in error
    assert (old / "reference.json").read_bytes() == before


def test_the_committed_reference_is_whole_and_small(reference):
    manifest = json.loads((reference / "reference.json").read_text())
    assert sorted(manifest) == sorted(paper_ids())
    for paper, run in manifest.items():
        assert configuration_digest(reference, paper) == run["configuration"]
    assert sum(path.stat().st_size for path in reference.rglob("*") if path.is_file()) < 10e6


def test_readme_and_pages_show_the_reference(repository, reference, tmp_path):
    """`make documents` changes nothing, so no number in the pages is typed in or out of date."""
    pages = [page.format(paper=paper) for page in PAGES.values() for paper in (*PAPERS, "arena")]
    (tmp_path / "docs/results/details").mkdir(parents=True)
    for page in pages:
        shutil.copyfile(repository / page, tmp_path / page)
    assert main(["documents", "--reference", str(reference), "--documents", str(tmp_path)]) == 0
    for file in ["README.md", *pages]:
        assert (tmp_path / file).read_text() == (repository / file).read_text(), file


def test_the_readme_shows_changed_results(run):
    definitions = {name: load_paper(name) for name in paper_ids()}
    claims = pd.read_csv(run / "claims.csv", dtype=str, keep_default_na=False)
    claims.loc[claims["paper"] == PAPER, "verdict"] = "undecided"
    own = claims["id"] == "f1-reuters"
    numbers = json.loads(claims.loc[own, "numbers"].iloc[0])
    proposed = next(name for name in numbers if name.startswith("F1: multivariate_svm"))
    claims.loc[own, "numbers"] = json.dumps(numbers | {proposed: 0.7})
    claims.to_csv(run / "claims.csv", index=False)
    table = run / "arena/tables/table_recommendation.csv"
    frame = pd.read_csv(table)
    frame.loc[frame["when"] == "dense features", "recommended"] = "lr"
    frame.to_csv(table, index=False)
    text = readme(run, definitions)
    assert "|**Undecided** (" in text
    assert "on Reuters F1 is 70.00 %" in text
    assert f"|0|0|{(claims['paper'] == PAPER).sum()}|0|" in text
    assert "Dense features (17 data sets): logistic regression for F1" in text
    (run / "agreement.csv").unlink()
    with pytest.raises(FileNotFoundError, match="agreement.csv"):
        readme(run, definitions)


@pytest.mark.parametrize(
    "arena",
    [
        "arena_multiclass",
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("arena", "arena_multilabel")),
    ],
)
def test_the_pages_recommend_what_the_reference_does(arena, reference, tmp_path):
    """The reference has its rows in another order than a run, which must not matter."""
    report = saved_report(reference, arena)
    for name in ("table_recommendation", "table_pairs"):
        write_numbers(remade_table(report, name).numbers, tmp_path / name)
        own = (tmp_path / f"{name}.csv").read_bytes()
        assert own == (reference / arena / "tables" / f"{name}.csv").read_bytes()


@pytest.mark.parametrize(
    ("form", "value", "least", "most", "beyond", "text"),
    [
        (points, 0.5894, 0.5671, 0.6102, 0, "58.9 {56.7, 61.0}"),
        (points, 0.5894, 0.5671, 0.6102, 0.05, "58.9"),
        (signed_points, -0.003, -0.0101, 0.00001, 0, "−0.3 {−1.0, 0.0}"),
        (p_value, float("nan"), None, None, 0, "–"),
        (p_value, 0.00002, 0.00001, 0.0123, 0, "<0.0001 {<0.0001, 0.012}"),
    ],
)
def test_numbers_of_pages(form, value, least, most, beyond, text):
    row = {"value": value}
    if least is not None:
        row |= {"value_least_of_states": least, "value_most_of_states": most}
    assert median_and_range(row, "value", form, beyond) == text


def test_the_reference_says_in_how_many_seeds_it_judges_each_claim(reference, tmp_path):
    seeds = judged_seeds(reference, PAPER)
    configuration = saved_report(reference, PAPER).configuration
    assert set(seeds) <= {claim["id"] for claim in configuration["claims"]}
    assert seeds["f1-reuters"] == configuration["states"]
    assert judged_seeds(tmp_path, PAPER) == {}


def test_a_page_names_a_table_that_is_not_there(reference):
    claims = read_claims(reference / "claims.csv")
    cells = read_agreement(reference / "agreement.csv")
    report = saved_report(reference, PAPER)
    report = replace(report, paper=replace(report.paper, page_tables=()))
    with pytest.raises(PageError, match="page.md.jinja:.* no table 'page_table'; valid near it"):
        paper_pages(report, claims, cells, Reference(reference))


@pytest.fixture
def arena_run(reference, tmp_path):
    """Return a run that has only an arena, without figures and with one table."""
    run = tmp_path / "arenas"
    shutil.copytree(reference / ARENA, run / ARENA)
    configuration = json.loads((run / ARENA / "configuration.json").read_text())
    configuration |= {"figures": [], "tables": ["table_recommendation"], "states": 1}
    (run / ARENA / "configuration.json").write_text(json.dumps(configuration))
    for file in ("claims.csv", "agreement.csv"):
        pd.read_csv(reference / file).head(0).to_csv(run / file, index=False)
    records = pd.read_csv(reference / "data_sets.csv", dtype=str, keep_default_na=False)
    records.iloc[:2].assign(data_set=["new", "scene"]).to_csv(run / "data_sets.csv", index=False)
    (run / "pages").mkdir()
    (run / "pages/run.json").write_text('{"Date": "2026-11-25 12:00 UTC"}')
    return run


def test_a_run_of_an_arena_leaves_the_rest_of_the_reference(arena_run, reference, old):
    assert main(["write", "--results", str(arena_run), "--reference", str(old)]) == 0
    others = {*paper_ids()} - {ARENA}
    for path in (path for paper in others for path in (reference / paper).rglob("*.*")):
        assert (old / path.relative_to(reference)).read_bytes() == path.read_bytes()
    before, after = (json.loads((at / "reference.json").read_text()) for at in (reference, old))
    assert {*after} == {*before}
    assert all(after[paper] == before[paper] for paper in others)
    assert after[ARENA]["run"] == {"Date": "2026-11-25 12:00 UTC"}
    names = [set(pd.read_csv(at / "data_sets.csv")["data_set"]) for at in (reference, old)]
    assert names[1] - names[0] == {"new"}
    assert main(["compare", "--results", str(arena_run), "--reference", str(old)]) == 0


def test_of_very_many_fits_those_of_the_first_state_are_kept(run, tmp_path, monkeypatch):
    n_fits = len(pd.read_parquet(run / PAPER / "fits.parquet"))
    monkeypatch.setattr("beyond_accuracy_pipeline.reporting.reference._MOST_FITS", n_fits - 1)
    before = {path.name for path in (run / PAPER / "tables").glob("*.shown.json")}
    for path in (run / PAPER / "tables").glob("*.csv"):
        shown = path.with_suffix(".shown.json")
        if not shown.exists():
            shutil.copyfile(run / "li2013/tables/table3.shown.json", shown)
    old = tmp_path / "old"
    write_reference(run, old, {name: load_paper(name) for name in (PAPER, "cheng2016")})
    whole, kept = (pd.read_parquet(at / PAPER / "fits.parquet") for at in (run, old))
    configuration = json.loads((run / PAPER / "configuration.json").read_text(encoding="utf-8"))
    fits = [fit for job in fit_jobs(configuration).values() for fit in job.values()]
    first = whole["fit"].isin({fit.key for fit in fits if fit.variant.state == 1})
    assert 0 < first.sum() < len(whole)
    pd.testing.assert_frame_equal(kept.reset_index(drop=True), whole[first].reset_index(drop=True))
    assert len(pd.read_parquet(old / "cheng2016" / "fits.parquet")) == len(
        pd.read_parquet(run / "cheng2016" / "fits.parquet")
    )
    report = saved_report(old, PAPER)
    assert len(report.results.fits)
    # Tables that need fits of other seeds cannot be remade, so their displayed form is kept.
    assert {path.name for path in (old / PAPER / "tables").glob("*.shown.json")} > before


def test_a_run_of_one_paper_replaces_it_alone(run, reference, old):
    (old / SMALL_PAPER / "stale.csv").write_text("")
    leave_alone(SMALL_PAPER, run)
    claims = pd.read_csv(run / "claims.csv", dtype=str, keep_default_na=False)
    claims.iloc[:2].assign(verdict="undecided").to_csv(run / "claims.csv", index=False)
    assert main(["write", "--results", str(run), "--reference", str(old)]) == 0
    for file in ("claims.csv", "agreement.csv"):
        own, before, after = (
            pd.read_csv(at / file, dtype=str, keep_default_na=False) for at in (run, reference, old)
        )
        expected = pd.concat([own, before.query("paper != @SMALL_PAPER")]).sort_values(
            "paper", kind="stable", ignore_index=True
        )
        pd.testing.assert_frame_equal(after, expected)
    files = [{path.relative_to(at) for path in at.rglob("*")} for at in (reference, old)]
    assert files[0] == files[1]
    before, after = (json.loads((at / "reference.json").read_text()) for at in (reference, old))
    assert {name: after[name] for name in before if name != SMALL_PAPER} == {
        name: run for name, run in before.items() if name != SMALL_PAPER
    }


@pytest.mark.parametrize("file", ["claims.csv", f"{SMALL_PAPER}/claims.csv"])
def test_a_verdict_changed_by_hand_does_not_enter_the_reference(
    run, reference, tmp_path, monkeypatch, capsys, file
):
    monkeypatch.chdir(tmp_path)
    leave_alone(SMALL_PAPER, run)
    Checksums((run,)).store([run / file])
    written = ["write", "--results", str(run), "--reference", str(tmp_path / "mine")]
    assert main(written) == 0
    changed = run / file
    changed.write_text(changed.read_text().replace("not reproduced", "reproduced", 1))
    before = (tmp_path / "mine" / file).read_bytes()
    for arguments in (
        written,
        ["compare", "--results", str(run), "--reference", str(reference)],
    ):
        assert main(arguments) == 2
        error = capsys.readouterr().err
        assert f"{changed}: damaged (the sha256 is not the one that was stored" in error
        assert "Remove the file and run snakemake again" in error
    assert (tmp_path / "mine" / file).read_bytes() == before
    assert changed.is_file()
    with pytest.raises(DamagedFile, match="the sha256 is not"):
        saved_report(run, SMALL_PAPER)
