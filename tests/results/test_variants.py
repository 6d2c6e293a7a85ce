"""Fits by key: fits that readings and seeds share, and fits that each variant reads."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.results.columns import FIT_COLUMNS
from beyond_accuracy_pipeline.results.fits import fit_jobs, manifest
from beyond_accuracy_pipeline.results.frames import write_frame
from beyond_accuracy_pipeline.results.paper_results import PaperResults
from beyond_accuracy_pipeline.results.scores import TRUE_LABELS, Scores, write_scores
from beyond_accuracy_pipeline.results.variants import HEADLINE, MEDIAN, Variant, laid_over, variants
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
    """Write results in which every `objective` and score is the number of its file."""
    for number, ((data_set, job), fits) in enumerate(fit_jobs(paper).items()):
        rows, scores = [], {}
        for key, fit in fits.items():
            for measure in fit.measures:
                row = {"data_set": data_set, "method": fit.method, "measure": measure, "task": "t"}
                rows.append(row | {"fit": key, "objective": number, "fallback": False, "fold": 0})
            arrays = {measure: np.full((1, 3), number) for measure in fit.measures}
            scores[key] = Scores(("t",), arrays | {TRUE_LABELS: np.full((1, 3), number)})
        names = {"paper": "paper", "data_set": data_set, "job": job}
        frame = pd.DataFrame(rows, columns=list(FIT_COLUMNS)).astype(FIT_COLUMNS)
        write_frame(folder / layout.FITS.format(**names), frame)
        write_scores(folder / layout.SCORES.format(**names), scores)
    return PaperResults(folder, "paper", paper)


@pytest.fixture
def results(tmp_path):
    return written(tmp_path, PAPER)


def made(paper):
    """Return the measures of the fits per (data set, job), by method and reading."""
    return {
        place: {(fit.method, fit.variant.reading): "+".join(fit.measures) for fit in fits.values()}
        for place, fits in fit_jobs(paper).items()
    }


def of(reading, *methods, measures="f1+prbep"):
    return {(method, reading): measures for method in methods}


def test_what_a_reading_does_not_change_is_fitted_once():
    jobs = made(PAPER)
    assert jobs["one", "shared"] == of(HEADLINE, "a", "b")
    assert jobs["one", "strict/state1"] == of("strict", "a")
    assert jobs["one", "prbep_only/state1"] == of("prbep_only", "a", measures="prbep")
    assert jobs["one", "headline/state2"] == of(HEADLINE, "a", "b")
    assert jobs["two-stemmed", "stemmed/state1"] == of("stemmed", "a", "b", "fixed")
    assert ("one", "stemmed/state1") not in jobs
    assert jobs["one", "folds/state1"] == of("folds", "a", "b", "fixed")
    # A method without randomness has no further seed, and readings use the first seed only.
    assert jobs["two", "headline/state2"] == of(HEADLINE, "a", "b")
    assert {job for _, job in jobs if job.endswith("state2")} == {"headline/state2"}


def test_readings_that_change_the_same_share_their_fits():
    again = laid_over(PAPER, {"readings": {"strict_again": PAPER["readings"]["strict"]}})
    assert made(again) == made(PAPER)
    fits = manifest(again)
    for method in ("a", "b"):
        place = "one", method
        assert fits[Variant("strict_again"), *place] == fits[Variant("strict"), *place]


@pytest.mark.parametrize(
    "changes",
    [
        {"methods": {"a": {"parameters": {"C": 3}}}},
        {"methods": {"a": {"tune_threshold": True}}},
        {"selection": {"folds": 4}},
        {"methods": {"a": {"measure_parameters": {"f1": {"C": 9}, "prbep": {"C": 9}}}}},
    ],
)
def test_a_key_changes_with_what_the_fit_depends_on(changes):
    def key(paper):
        (fit,) = manifest(paper)[Variant(), "one", "a"]
        return fit.key

    assert key(laid_over(PAPER, changes)) != key(PAPER)
    unrelated = {
        "bootstrap": {"level": 0.9},
        "methods": {"a": {"job": "other", "oversample": None}},
    }
    assert key(laid_over(PAPER, unrelated)) == key(PAPER)


def test_fewer_measures_have_the_same_keys_and_more_measures_others():
    def keys(paper, reading=HEADLINE):
        return [fit.key for fit in manifest(paper)[Variant(reading), "one", "a"]]

    fewer = {**PAPER, "measures": ["prbep"]}
    assert keys(fewer) == keys(PAPER)
    more = {"more": {"changes": {"measures": ["f1", "prbep", "roc_area"]}}}
    paper = laid_over(PAPER, {"readings": more})
    first, added = keys(paper, "more")
    assert first == keys(PAPER)[0] != added


def test_a_reading_of_every_state_is_fitted_in_all_that_its_fits_depend_on():
    own = {"prbep_only": {"every_state": True, "job": "few"}}
    paper = laid_over(PAPER, {"readings": own})
    jobs = made(paper)
    assert jobs["one", "few"] == of("prbep_only", "a", measures="prbep")
    assert jobs["one", "prbep_only/state2"] == of("prbep_only", "a", measures="prbep")
    assert [each.state for each in variants(paper) if each.reading == "prbep_only"] == [1, 2]
    assert {job for _, job in made(PAPER).keys() - jobs.keys()} == {"prbep_only/state1"}


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
        return [*fit_jobs(PAPER)][int(number)]

    strict, prbep_only = Variant("strict"), Variant("prbep_only")
    assert source(Variant(), "one", "a", "f1") == ("one", "shared")
    assert source(Variant(state=2), "one", "a", "f1") == ("one", "headline/state2")
    assert source(Variant(state=2), "one", "fixed", "f1") == ("one", "fixed")
    assert source(strict, "one", "a", "f1") == ("one", "strict/state1")
    assert source(strict, "one", "b", "f1") == ("one", "shared")
    assert source(prbep_only, "one", "a", "f1") == ("one", "shared")
    assert source(prbep_only, "one", "a", "prbep") == ("one", "prbep_only/state1")
    assert source(Variant("stemmed"), "two", "b", "f1") == ("two-stemmed", "stemmed/state1")
    assert source(Variant("stemmed"), "one", "b", "f1") == ("one", "shared")


def test_readings_of_one_job_are_told_apart(tmp_path, results):
    """A job holds fits of a method under several readings, each with its configuration."""
    one_job = {name: {"job": "few"} for name in ("strict", "prbep_only")}
    paper = laid_over(PAPER, {"readings": one_job})
    jobs = made(paper)
    assert jobs["one", "few"] == of("strict", "a") | of("prbep_only", "a", measures="prbep")
    assert ("one", "strict/state1") not in jobs
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
    strict, prbep_only = plan.fit_methods(wildcards).values()
    assert strict == {"parameters": {"tol": 3, "C": 2}, "name": "a"}
    assert (prbep_only["name"], prbep_only["measures"]) == ("a", ["prbep"])
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
    # Another seed may lack a group.
    more = rows[:1].assign(group="3–9", estimate=0.5, low=0.4, high=0.6)
    write_frame(results.path(layout.INTERVALS), pd.concat([rows, more]))
    numbers = ["estimate", "low", "high"]
    assert results.intervals.loc[0, numbers].tolist() == [0.2, 0.1, 0.3]
    medians = results.under(Variant(state=MEDIAN)).intervals[numbers].to_numpy()
    np.testing.assert_allclose(medians, [[0.35, 0.2, 0.5], [0.5, 0.4, 0.6]])


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
        (variant.reading, method): [fit.variant.reading for fit in fits]
        for (variant, data_set, method), fits in manifest(paper).items()
        if data_set == "one" and variant.state == 1
    }
    assert served["signs", "aux"] == ["signs"]
    assert served["signs", "capo"] == [HEADLINE]
    assert served["strict", "capo"] == served["strict", "aux"] == ["strict"]


def test_a_fit_of_another_configuration_is_named(tmp_path):
    results = written(tmp_path, PAPER)
    paper = laid_over(PAPER, {"methods": {"a": {"parameters": {"C": 7}}}})
    changed = PaperResults(results.folder, "paper", paper)
    (fit,) = changed.measures_by_fit("one", "a")
    with pytest.raises(ValueError, match=rf"shared\.parquet: damaged .*no fit {fit.key} of a"):
        changed.fits  # noqa: B018
    with pytest.raises(ValueError, match=rf"shared\.npz: damaged .*instead of {fit.key}"):
        changed.scores("one", "a")
