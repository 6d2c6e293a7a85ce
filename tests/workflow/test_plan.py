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
    assert {own["name"] for own in plan.fit_methods(wildcards).values()} == names


def test_grouping_changes_no_settings(plan):
    apart = {name: {**method, "job": None} for name, method in PAPER["methods"].items()}
    alone = Plan({**plan.config, "first": {**PAPER, "methods": apart}})
    wildcards = SimpleNamespace(paper="first", data_set="wine", job="forest")
    (method,) = alone.fit_methods(wildcards).values()
    shared = SimpleNamespace(paper="first", data_set="wine", job="forests")
    assert method in plan.fit_methods(shared).values()
    assert "bootstrap" not in plan.fit_settings(shared)
    assert plan.fit_settings(shared)["selection"] == {"folds": 3}


def test_studies_that_share_a_job_are_run_in_it(plan):
    first, second = ("first", "wine", "by_C", 1), ("first", "wine", "sweeps", 1)
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


def test_an_empty_list_of_a_study_stays_empty_if_the_paper_has_no_such_list(plan):
    study = {**PAPER["studies"]["by_C"], "measures": [], "many_labels": []}
    paper = {**PAPER, "studies": {"by_C": study}}
    settings = Plan({**plan.config, "first": paper}).study_settings("first", "by_C")
    assert (settings["measures"], settings["many_labels"]) == (["f1"], [])


def test_a_study_of_every_state_has_a_job_for_each(plan):
    """The first job equals the job of a run with one state; fits and studies share seeds."""
    by_C = PAPER["studies"]["by_C"]
    studies = {"by_C": {**by_C, "every_state": True}, "by_B": by_C}
    states = Plan({**plan.config, "first": {**PAPER, "studies": studies, "states": 3}})
    jobs = [("first", "wine", "by_C", state) for state in (1, 2, 3)]
    assert states.study_jobs() == [*jobs, ("first", "wine", "by_B", 1)]
    outputs = [states.study_outputs(*job, "rows") for job in jobs]
    files = ["wine", "wine/state2", "wine/state3"]
    assert outputs == [[f"out/first/studies/by_C/{file}.parquet"] for file in files]
    assert states.study_earlier(*jobs[0], "rows") == []
    assert states.study_earlier(*jobs[2], "rows") == outputs[0]
    seeds = [states.seed(state) for state in (1, 2, 3)]
    fits = ["forests", "headline/state2", "headline/state3"]
    assert seeds == [
        states.fit_seed(SimpleNamespace(paper="first", data_set="wine", job=job)) for job in fits
    ]
    assert len(set(seeds)) == 3
    assert seeds[0] == 1
    for job in jobs:
        assert states.studies(*job) == plan.studies("first", "wine", "by_C", 1)
    assert set(outputs[1]) < set(states.report_inputs("first")["studies"])


def test_a_further_state_is_given_the_fits_of_the_first(plan):
    """A reading's fits have other parameters than the headline's, and keys of their own."""
    deeper = {"changes": {"methods": {"forest": {"parameters": {"max_depth": 9}}}}}
    readings = {"deeper": {**deeper, "job": "forests", "every_state": True}}
    varied = Plan({**plan.config, "first": {**PAPER, "states": 3, "readings": readings}})

    def given(job):
        wildcards = SimpleNamespace(paper="first", data_set="wine", job=job)
        return varied.earlier_fits(wildcards), varied.fit_methods(wildcards)

    def files(kind, suffix, *jobs):
        return [f"out/first/{kind}/wine/{job}.{suffix}" for job in jobs]

    first, methods = given("forests")
    assert [own["name"] for own in methods.values()] == ["forest", "small_forest", "forest"]
    assert first == {f"earlier_{kind}": [] for kind in ("scores", "fits", "seconds")}
    first, further = given("headline/state3")
    assert first["earlier_scores"] == files("scores", "npz", "forests", "late_forest")
    assert first["earlier_fits"] == files("fits", "parquet", "forests", "late_forest")
    keys = {own["name"]: own["first_fit"] for own in further.values()}
    assert [keys["forest"], keys["small_forest"]] == [*methods][:2]
    _, further = given("deeper/state2")
    assert [own["first_fit"] for own in further.values()] == [*methods][2:]
