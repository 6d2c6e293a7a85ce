"""Which files and settings the rules get."""

from types import SimpleNamespace

import pytest

from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.workflow.plan import Plan

FOREST = "sklearn.ensemble.RandomForestClassifier"
PAPER = {
    "protocol": "binary",
    "data_sets": ["iris", "wine"],
    "measures": ["f1"],
    "methods_selected": ["forest", "small_forest", "late_forest"],
    "methods": {
        "forest": {"estimator": FOREST, "grid": {}, "job": "forests"},
        "small_forest": {
            "estimator": FOREST,
            "parameters": {"n_estimators": 3},
            "grid": {},
            "job": "forests",
            "data_sets": ["wine"],
        },
        "late_forest": {"estimator": FOREST, "parameters": {"random_state": 4}, "grid": {}},
        "unselected": {"estimator": FOREST, "grid": {}},
    },
    "selection": {"folds": 3},
    "bootstrap": {"n_resamples": 10},
    "studies": {"by_C": {"data_sets": ["wine", "unselected"], "methods": ["forest"]}},
    "tables": ["table1", "table2"],
    "figures": ["figure1"],
}


@pytest.fixture
def plan():
    papers = ["first", "second"]
    others = {**PAPER, "data_sets": ["wine", "digits"], "studies": {}}
    return Plan(
        {"seed": 1, "papers": papers, "results": "out", "resources": "data"}
        | {"first": PAPER, "second": others}
    )


def test_data_sets_of_several_papers_are_prepared_once(plan):
    assert plan.prepared(plan.data_sets()) == [
        f"data/prepared/{name}" for name in ("iris", "wine", "digits")
    ]


def test_methods_that_share_a_job_share_its_files(plan):
    assert plan.fitted("first", layout.FITS) == [
        f"out/first/fits/{name}.parquet"
        for name in ("iris/forests", "iris/late_forest", "wine/forests", "wine/late_forest")
    ]


@pytest.mark.parametrize(
    ("data_set", "job", "names"),
    [
        ("iris", "forests", {"forest"}),
        ("wine", "forests", {"forest", "small_forest"}),
        ("wine", "late_forest", {"late_forest"}),
    ],
)
def test_a_job_gets_its_methods(plan, data_set, job, names):
    wildcards = SimpleNamespace(paper="first", data_set=data_set, job=job)
    assert set(plan.fit_methods(wildcards)) == names


def test_grouping_changes_no_settings(plan):
    apart = {name: {**method, "job": None} for name, method in PAPER["methods"].items()}
    alone = Plan({**plan.config, "first": {**PAPER, "methods": apart}})
    wildcards = SimpleNamespace(paper="first", data_set="wine", job="forest")
    (method,) = alone.fit_methods(wildcards).values()
    shared = SimpleNamespace(paper="first", data_set="wine", job="forests")
    assert method == plan.fit_methods(shared)["forest"]
    assert "bootstrap" not in plan.fit_settings(shared)
    assert plan.fit_settings(shared)["selection"] == {"folds": 3}


def test_studies_that_share_a_job_are_run_in_it(plan):
    first, second = ("first", "wine", "by_C"), ("first", "wine", "sweeps")
    assert plan.study_jobs() == [first]
    by_C = PAPER["studies"]["by_C"]
    settings = plan.studies(*first)["by_C"]
    studies = {"by_C": {**by_C, "job": "sweeps"}, "by_B": {**by_C, "job": "sweeps"}}
    shared = Plan({**plan.config, "first": {**PAPER, "studies": studies}})
    assert shared.study_jobs() == [second]
    assert shared.studies(*second) == {"by_C": settings, "by_B": settings}
    assert shared.study_outputs(*second, "rows") == [
        "out/first/studies/by_C/wine.parquet",
        "out/first/studies/by_B/wine.parquet",
    ]


def test_a_study_of_every_state_has_a_job_for_each(plan):
    """The first job equals the job of a run with one state; fits and studies share seeds."""
    by_C = PAPER["studies"]["by_C"]
    studies = {"by_C": {**by_C, "every_state": True}, "by_B": by_C}
    states = Plan({**plan.config, "first": {**PAPER, "studies": studies, "states": 3}})
    jobs = [("first", "wine", job) for job in ("by_C", "by_C@2", "by_C@3", "by_B")]
    assert states.study_jobs() == jobs
    outputs = [states.study_outputs(*job, "rows") for job in jobs]
    files = ["by_C/wine", "by_C/wine@2", "by_C/wine@3", "by_B/wine"]
    assert outputs == [[f"out/first/studies/{file}.parquet"] for file in files]
    seeds = [states.job_seed(job) for _, _, job in jobs]
    fits = [SimpleNamespace(job=job) for job in ("forests", "headline@2", "headline@3", "forests")]
    assert seeds == [states.fit_seed(each) for each in fits]
    assert len(set(seeds)) == 3
    assert seeds[0] == seeds[3] == 1
    for job in jobs[:3]:
        assert states.studies(*job) == plan.studies("first", "wine", "by_C")
    assert set(outputs[1]) < set(states.report_inputs("first")["studies"])


def test_fits_of_earlier_states_are_not_those_of_a_reading(plan):
    """A reading's fits bear the names of the headline's methods, and have other parameters."""
    deeper = {"methods": {"forest": {"parameters": {"max_depth": 9}}}}
    paper = {**PAPER, "states": 3, "readings": {"deeper": {"changes": deeper}}}
    varied = Plan({**plan.config, "first": paper})
    assert "out/first/fits/wine/deeper@1.parquet" in varied.fitted("first", layout.FITS)
    wildcards = SimpleNamespace(paper="first", data_set="wine", job="headline@3")
    assert varied.earlier_fits(wildcards) == [
        f"out/first/fits/wine/{job}.parquet" for job in ("forests", "late_forest", "headline@2")
    ]


def test_reports_are_made_from_all_that_a_paper_has(plan):
    inputs = plan.report_inputs("first")
    assert len(inputs["scores"]) == len(inputs["fits"]) == len(inputs["seconds"]) == 4
    assert inputs["measurements"] == "out/first/measurements.parquet"
    assert inputs["studies"] == [
        "out/first/studies/by_C/wine.parquet",
        "out/first/studies/by_C/seconds/wine.parquet",
    ]
    assert plan.report_inputs("second")["studies"] == []


def test_all_reports_are_wanted(plan):
    files = plan.reports()
    assert len(files) == 2 * (2 * 3 + 1 * 3 + 1)
    assert {"out/second/tables/table2.tex", "out/first/figures/figure1.png"} < {*files}
    assert "out/first/claims.csv" in files
