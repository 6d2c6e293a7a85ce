"""Readings and states: which fits are made, and which ones are read."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.results.columns import FIT_COLUMNS
from beyond_accuracy_pipeline.results.frames import write_frame
from beyond_accuracy_pipeline.results.paper_results import PaperResults
from beyond_accuracy_pipeline.results.scores import TRUE_LABELS, Scores, write_scores
from beyond_accuracy_pipeline.results.variants import (
    HEADLINE,
    MEDIAN,
    Variant,
    laid_over,
    measures_by_fits,
    variants,
)
from beyond_accuracy_pipeline.workflow.plan import Plan

PAPER = {
    "protocol": "binary",
    "data_sets": ["one", "two"],
    "measures": ["f1", "prbep"],
    "methods_selected": ["a", "b", "fixed"],
    "methods": {
        "a": {"parameters": {"tol": 1, "C": 2}, "job": "shared"},
        "b": {"parameters": {}, "job": "shared"},
        "fixed": {"parameters": {}, "stochastic": False},
    },
    "readings": {
        "strict": {"why": "", "changes": {"methods": {"a": {"parameters": {"tol": 3}}}}},
        "prbep_only": {
            "why": "",
            "changes": {"methods": {"a": {"measure_parameters": {"prbep": {"C": 5}}}}},
        },
        "stemmed": {"why": "", "changes": {}, "data_sets": {"two": "two-stemmed"}},
        "folds": {"why": "", "changes": {"selection": {"folds": 2}}},
    },
    "states": 2,
}


def written(folder, paper):
    """Results whose `objective` counts the files, and whose scores are that number."""
    for number, ((data_set, job), methods) in enumerate(layout.fit_jobs(paper).items()):
        rows, scores = [], {}
        for method, measures in methods.items():
            for measure in measures:
                row = {"data_set": data_set, "method": method, "measure": measure, "task": "t"}
                rows.append(row | {"objective": number, "fallback": False, "fold": 0})
            arrays = {measure: np.full((1, 3), number) for measure in measures}
            scores[method] = Scores(("t",), arrays | {TRUE_LABELS: np.full((1, 3), number)})
        names = {"paper": "paper", "data_set": data_set, "job": job}
        frame = pd.DataFrame(rows, columns=list(FIT_COLUMNS)).astype(FIT_COLUMNS)
        write_frame(folder / layout.FITS.format(**names), frame)
        write_scores(folder / layout.SCORES.format(**names), scores)
    return PaperResults(folder, "paper", paper)


@pytest.fixture
def results(tmp_path):
    return written(tmp_path, PAPER)


def test_what_a_reading_does_not_change_is_fitted_once():
    jobs = layout.fit_jobs(PAPER)
    both, prbep = ["f1", "prbep"], ["prbep"]
    assert jobs["one", "shared"] == {"a": both, "b": both}
    assert jobs["one", "strict@1"] == {"a": both}
    assert jobs["one", "prbep_only@1"] == {"a": prbep}
    assert jobs["one", "headline@2"] == {"a": both, "b": both}
    assert jobs["two-stemmed", "stemmed@1"] == {"a": both, "b": both, "fixed": both}
    assert ("one", "stemmed@1") not in jobs
    assert jobs["one", "folds@1"] == {"a": both, "b": both, "fixed": both}
    # Nothing random, no further state; and readings are run in the first.
    assert jobs["two", "headline@2"] == {"a": both, "b": both}
    assert {job for _, job in jobs if job.endswith("@2")} == {"headline@2"}


def test_a_reading_of_every_state_is_fitted_in_all_that_its_fits_depend_on():
    own = {"prbep_only": {"every_state": True, "job": "few"}}
    paper = laid_over(PAPER, {"readings": own})
    jobs = layout.fit_jobs(paper)
    assert jobs["one", "few"] == {"a@prbep_only": ["prbep"]}
    assert jobs["one", "prbep_only@2"] == {"a": ["prbep"]}
    assert [each.state for each in variants(paper) if each.reading == "prbep_only"] == [1, 2]
    names = [job for job in layout.fit_jobs(PAPER) if job not in jobs]
    assert {job for _, job in names} == {"prbep_only@1"}


def test_every_variant_finds_one_fit_of_each_method_and_measure(results):
    for variant in variants(PAPER):
        fits = results.under(variant).fits
        pairs = fits[["data_set", "method", "measure"]]
        assert len(pairs) == 12
        assert not pairs.duplicated().any()
        assert set(pairs["data_set"]) == {"one", "two"}


def test_a_variant_reads_its_own_fits_and_else_the_headlines(results):
    def source(variant, data_set, method, measure):
        fits = results.under(variant).fits.set_index(["data_set", "method", "measure"])
        scores = results.under(variant).scores(data_set, method)
        number = fits.loc[(data_set, method, measure), "objective"]
        assert (scores.row(measure, "t") == number).all()
        return [*layout.fit_jobs(PAPER)][int(number)]

    strict, prbep_only = Variant("strict"), Variant("prbep_only")
    assert source(Variant(), "one", "a", "f1") == ("one", "shared")
    assert source(Variant(state=2), "one", "a", "f1") == ("one", "headline@2")
    assert source(Variant(state=2), "one", "fixed", "f1") == ("one", "fixed")
    assert source(strict, "one", "a", "f1") == ("one", "strict@1")
    assert source(strict, "one", "b", "f1") == ("one", "shared")
    assert source(prbep_only, "one", "a", "f1") == ("one", "shared")
    assert source(prbep_only, "one", "a", "prbep") == ("one", "prbep_only@1")
    assert source(Variant("stemmed"), "two", "b", "f1") == ("two-stemmed", "stemmed@1")
    assert source(Variant("stemmed"), "one", "b", "f1") == ("one", "shared")


def test_readings_of_one_job_are_told_apart(tmp_path, results):
    """A job has the fits of a method under several readings, each with its own configuration."""
    one_job = {name: {"job": "few"} for name in ("strict", "prbep_only")}
    paper = laid_over(PAPER, {"readings": one_job})
    jobs = layout.fit_jobs(paper)
    assert jobs["one", "few"] == {"a@strict": ["f1", "prbep"], "a@prbep_only": ["prbep"]}
    assert ("one", "strict@1") not in jobs
    together = written(tmp_path / "together", paper)
    for variant in variants(paper):
        own, apart = together.under(variant), results.under(variant)
        keys = ["data_set", "method", "measure"]
        pd.testing.assert_frame_equal(own.fits[keys], apart.fits[keys])
        number = [*jobs].index(("one", "few"))
        changed = own.fits.query("data_set == 'one' and objective == @number")
        expected = {"strict": ["f1", "prbep"], "prbep_only": ["prbep"]}.get(variant.reading, [])
        assert changed["measure"].tolist() == expected
        for measure in expected:
            assert (own.scores("one", "a").row(measure, "t") == number).all()
    wildcards = SimpleNamespace(paper="paper", data_set="one", job="few")
    plan = Plan({"papers": ["paper"], "paper": paper, "seed": 5})
    methods = plan.fit_methods(wildcards)
    assert methods["a@strict"]["parameters"] == {"tol": 3, "C": 2}
    assert methods["a@prbep_only"]["measures"] == ["prbep"]
    assert plan.fit_settings(wildcards) == {"protocol": "binary", "measures": ["f1", "prbep"]}
    assert plan.fit_seed(wildcards) == 5


def test_mappings_are_merged_and_all_else_is_replaced():
    base = {"a": {"x": 1, "y": [1, 2]}, "b": 3}
    assert laid_over(base, {"a": {"y": [5]}, "b": {"c": 1}}) == {
        "a": {"x": 1, "y": [5]},
        "b": {"c": 1},
    }
    assert base == {"a": {"x": 1, "y": [1, 2]}, "b": 3}


def test_medians_over_states_are_those_of_the_files_of_all_states(results):
    rows = pd.DataFrame(
        [("one", "t", "a", "f1", state, value) for state, value in enumerate((0.1, 0.9, 0.2), 1)],
        columns=["data_set", "task", "method", "measure", "state", "value"],
    ).assign(paper="paper", fold=0, status="ok", reason="", reading=HEADLINE)
    path = results.path(layout.MEASUREMENTS)
    write_frame(path, pd.concat([rows, rows.assign(reading="strict", value=0.7)]))
    assert results.measurements["value"].tolist() == [0.1]
    medians = results.under(Variant(state=MEDIAN))
    assert medians.measurements["value"].tolist() == [0.2]
    assert medians.fits.equals(results.fits)
    assert results.under(Variant("strict", MEDIAN)).measurements["value"].tolist() == [0.7]


def test_ends_of_intervals_are_medians_so_that_each_holds_the_median(results):
    bounds = {1: (0.1, 0.3), 2: (0.7, 1.0), 3: (0.2, 0.5)}
    rows = pd.DataFrame(
        [("one", "f1", "a", "", "all", state, (low + high) / 2, low, high)
         for state, (low, high) in bounds.items()],
        columns=["data_set", "measure", "method", "baseline", "group", "state", "estimate", "low",
                 "high"],
    ).assign(reading=HEADLINE)  # fmt: skip
    # Another state may lack a group.
    more = rows[:1].assign(group="3–9", estimate=0.5, low=0.4, high=0.6)
    write_frame(results.path(layout.INTERVALS), pd.concat([rows, more]))
    numbers = ["estimate", "low", "high"]
    assert results.intervals.loc[0, numbers].tolist() == [0.2, 0.1, 0.3]
    medians = results.under(Variant(state=MEDIAN)).intervals[numbers].to_numpy()
    np.testing.assert_allclose(medians, [[0.35, 0.2, 0.5], [0.5, 0.4, 0.6]])


def test_a_variant_of_what_could_not_be_had_has_no_scores(results):
    for job in ("shared", "prbep_only@1"):
        path = results.path(layout.SCORES, data_set="one", job=job)
        write_scores(path, {"a": Scores(), "b": Scores()})
    assert results.under(Variant("prbep_only")).scores("one", "a") == Scores()


def test_how_an_auxiliary_is_scored_changes_no_fit_of_what_adapts_it():
    paper = {
        **PAPER,
        "methods": {"aux": {"parameters": {}}, "capo": {"parameters": {}, "auxiliaries": ["aux"]}},
        "methods_selected": ["aux", "capo"],
        "readings": {
            "signs": {"why": "", "changes": {"methods": {"aux": {"score_signs": True}}}},
            "strict": {"why": "", "changes": {"methods": {"aux": {"parameters": {"tol": 3}}}}},
        },
    }
    served = {
        (reading, method): set(measures_by_fits(paper, Variant(reading), "one", method))
        for reading in ("signs", "strict")
        for method in ("aux", "capo")
    }
    assert served["signs", "aux"] == {Variant("signs")}
    assert served["signs", "capo"] == {Variant(HEADLINE)}
    assert served["strict", "capo"] == served["strict", "aux"] == {Variant("strict")}
