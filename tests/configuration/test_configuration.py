"""How valid configurations are read: defaults, values as written, dependencies of jobs."""

from pathlib import Path

import pytest
import yaml

from beyond_accuracy_pipeline.configuration.files import ConfigurationError
from beyond_accuracy_pipeline.experiments.methods import with_random_state
from beyond_accuracy_pipeline.papers import paper_ids
from beyond_accuracy_pipeline.results.fits import fit_settings, method_configuration
from beyond_accuracy_pipeline.results.layout import fitted_pairs
from beyond_accuracy_pipeline.results.variants import method_measures, variants
from beyond_accuracy_pipeline.workflow.plan import Plan

ARENA = {"arena"}
LARGER = {"arena_multiclass", "arena_multilabel"}


def test_defaults_are_filled_in(check, papers):
    config = check("seed: 1\npapers: [joachims2005]\n", papers["joachims2005"])
    defaults = {"missing_data": "report", "mirror": None, "results": "results"}
    assert config | defaults == config
    paper = config["joachims2005"]
    assert paper["selection"] == {"holdout": pytest.approx(1 / 3), "folds": None, "ties": None}
    assert (paper["states"], paper["figures"]) == (1, ["figure1"])
    assert paper["methods"]["svm"]["extend_grid"] == {}


@pytest.fixture
def check_files(check, repository):
    """Return a function that validates the repository's configuration with overlaid files."""

    def run(*names):
        papers = sorted(repository.glob("src/beyond_accuracy_pipeline/papers/*/paper.yaml"))
        overlays = [repository / f"config/{name}.yaml" for name in names]
        files = [repository / "config/config.yaml", *papers, *overlays]
        return check(*(file.read_text() for file in files))

    return run


def test_the_smoke_run_has_the_arena_too(check_files):
    assert {*check_files("smoke")["papers"], *LARGER} == {*paper_ids()}


def test_the_files_of_states_and_readings_have_them_all(check_files):
    config = check_files("reference", "readings")
    # The arena takes as long as all papers together, so a plain run leaves it out.
    assert {*config["papers"], *ARENA, *LARGER} == {*paper_ids()}
    assert not {*config["papers"]} & ARENA
    assert config["states"] == 10
    for paper in config["papers"]:
        readings = config[paper]["readings"].values()
        of_readings = sum(10 if own["every_state"] else 1 for own in readings)
        assert len(variants(config[paper])) == 10 + of_readings


def test_the_file_of_larger_arenas_is_valid(check_files):
    config = check_files("arena_large")
    assert {*config["papers"]} == {*ARENA, *LARGER}
    assert config["arena"]["sample"] == {"train": 10000, "test": 10000, "tasks": 4, "positives": 20}
    assert all(len({each.state for each in variants(config[name])}) == 10 for name in LARGER)


@pytest.mark.parametrize("paper", paper_ids())
def test_any_data_set_and_any_measure_of_a_paper_can_be_selected_alone(check, repository, paper):
    """Methods for other data sets or measures are not run; the rest stays valid."""
    text = (repository / f"src/beyond_accuracy_pipeline/papers/{paper}/paper.yaml").read_text()
    own = yaml.safe_load(text)[paper]
    for key in ("data_sets", "measures"):
        names = own[key]
        for name in names:
            alone = {**own, key: [name]}
            pairs = fitted_pairs(alone)
            measures = {m for _, method in pairs for m in method_measures(alone, method)}
            found = {data_set for data_set, _ in pairs} if key == "data_sets" else measures
            assert found == {name}
        # Validation takes far longer, and treats all names alike.
        given = {paper: {key: [names[-1]]}}
        config = check(f"seed: 1\npapers: [{paper}]\n", text, command_line=given)
        assert config[paper][key] == [names[-1]]


def test_values_of_a_grid_are_any_kept_as_they_are_written(check_paper, papers):
    tree = "sklearn.tree.DecisionTreeClassifier"
    grid = "max_depth: [null, 2, 4]\n        max_features: [sqrt, 0.5]\n        ccp_alpha: [0, 1]"
    text = papers["joachims2005"].replace("sklearn.svm.LinearSVC", tree)
    method = check_paper("joachims2005", text.replace("C: [1, 10]", grid))["methods"]["svm"]
    written = {"max_depth": [None, 2, 4], "max_features": ["sqrt", 0.5], "ccp_alpha": [0, 1]}
    assert repr(method["grid"]) == repr(written)


def test_estimators_with_required_parameters_are_only_checked_when_fitted(check_paper, papers):
    old = "sklearn.svm.LinearSVC\n      grid:\n        C: [1, 10]"
    new = "sklearn.multiclass.OneVsRestClassifier\n      parameters: {n_jobs: 1}\n      grid: {}"
    assert old in papers["joachims2005"]
    check_paper("joachims2005", papers["joachims2005"].replace(old, new))


def test_values_of_the_command_line_have_the_types_of_yaml(check, papers):
    """Snakemake passes values that are not numbers, and all nested values, as text."""
    given = {
        "mirror": "null",
        "results": 2026,
        "large_downloads": "true",
        "joachims2005": {
            "bootstrap": {"n_resamples": "50"},
            "methods": {"svm": {"grid": {"C": ["1", "0.5"]}}},
        },
    }
    texts = ("seed: 1\npapers: [joachims2005]\n", papers["joachims2005"])
    config = check(*texts, command_line=given)
    assert (config["mirror"], config["results"]) == (None, "2026")
    assert config["large_downloads"] is True
    assert config["joachims2005"]["bootstrap"] == {"n_resamples": 50, "level": 0.95}
    assert config["joachims2005"]["methods"]["svm"]["grid"] == {"C": [1, 0.5]}
    with pytest.raises(ConfigurationError, match="found: 5\n    valid: an existing folder"):
        check(*texts, command_line={"mirror": 5})


def test_fits_depend_on_their_own_settings_only(check_paper, papers):
    def settings(paper, text=None):
        return fit_settings(check_paper(paper, text))

    assert set(settings("joachims2005")) == {"protocol", "measures", "selection", "repetitions"}
    cross_validation = settings("deng2006")["cross_validation"]
    assert cross_validation == {"n_folds": 10, "n_inner_folds": 5}
    assert "job" not in method_configuration(check_paper("deng2006"), "naive_bayes")
    assert settings("li2013", papers["li2013"] + "  budget: 1.0e+9\n")["budget"] == 1e9


def test_a_method_is_fitted_to_its_own_data_sets(check_paper):
    assert fitted_pairs(check_paper("deng2006")) == [
        ("wine", "naive_bayes"),
        ("iris", "naive_bayes"),
        ("iris", "genetic"),
    ]


def test_a_method_comes_with_its_auxiliaries(check_paper):
    paper = check_paper("li2013")
    capo = method_configuration(paper, "capo")
    assert list(capo["auxiliaries"]) == ["machine", "c45"]
    assert capo["auxiliaries"]["machine"]["parameters"] == {"epsilon": 0.01}
    # Settings of other methods do not appear here, since they do not affect these fits.
    linear = method_configuration(paper, "linear")
    assert not {"auxiliaries", "selection_rows", "refinement", "repetitions"} & set(linear)
    assert method_configuration(paper, "kernel")["selection_rows"] == 500


def test_studies_take_of_the_paper_what_they_leave_open(check_paper):
    paper = {**check_paper("li2013"), "budget": 1e9}
    plan = Plan({"seed": 1, "results": "out", "li2013": paper})

    of_paper = {"measures": ["f1", "roc_area"], "budget": 1e9}
    by_C = plan.study_settings("li2013", "by_C")
    assert by_C.items() >= {**of_paper, "C": [1.0], "B": None, "train_fraction": [1.0]}.items()
    assert list(by_C["methods"]) == ["capo", "kernel"]
    assert "data_sets" not in by_C
    capo = method_configuration(paper, "capo")
    assert by_C["methods"]["capo"] == capo
    assert plan.study_settings("li2013", "auxiliary_selection")["folds"] == 3
    given = {"folds": 2, "measures": ["f1"]}
    paper["studies"]["auxiliary_selection"] |= given
    assert plan.study_settings("li2013", "auxiliary_selection").items() >= given.items()

    def files(study):
        return [*plan.study_fits("li2013", "splice", study, 1).values()]

    assert files("by_C") == ["out/li2013/fits/splice/kernel.parquet"]
    paper["methods"]["kernel"]["job"] = "slow"
    assert files("by_C") == ["out/li2013/fits/splice/slow.parquet"]
    assert files("auxiliary_selection") == []


@pytest.mark.parametrize(
    ("methods", "expected"),
    [(["bm_ls_cs"], ["out/cheng2016/fits/a3a/bundle.parquet"]), (["svm_cs"], [])],
)
def test_a_study_at_chosen_parameters_takes_the_fits_that_chose_them(methods, expected):
    text = Path("src/beyond_accuracy_pipeline/papers/cheng2016/paper.yaml").read_text(
        encoding="utf-8"
    )
    paper = yaml.safe_load(text)["cheng2016"] | {"methods_selected": methods}
    plan = Plan({"results": "out", "cheng2016": paper})
    assert [*plan.study_fits("cheng2016", "a3a", "minimizations", 1).values()] == expected


def test_random_states_follow_the_seed_and_the_names(check_paper):
    capo = method_configuration(check_paper("li2013"), "capo")
    names = ("li2013", "splice")
    seeded = with_random_state(capo, "capo", 1, *names)
    machine = seeded["auxiliaries"]["machine"]["parameters"]
    assert machine["epsilon"] == 0.01
    # C4.5 uses no random numbers.
    assert "random_state" not in (seeded["auxiliaries"]["c45"].get("parameters") or {})
    alone = with_random_state(capo["auxiliaries"]["machine"], "machine", 1, *names)
    assert alone["parameters"] == machine
    states = [
        with_random_state(capo, name, seed, paper, data_set)["parameters"]["random_state"]
        for name, seed, paper, data_set in (
            ("capo", 1, "li2013", "splice"),
            ("capo", 2, "li2013", "splice"),
            ("other", 1, "li2013", "splice"),
            ("capo", 1, "cheng2016", "splice"),
            ("capo", 1, "li2013", "ijcnn1"),
        )
    ]
    assert len(set(states)) == len(states)
    given = {**capo, "parameters": {"random_state": 7}}
    assert with_random_state(given, "capo", 1, *names)["parameters"] == {"random_state": 7}


@pytest.mark.parametrize(
    ("key", "path", "valid"),
    [
        ("results", "/", "a folder of its own"),
        ("results", "a/..", "a folder of its own"),
        ("resources", "a/../../b", "a folder below this one, or an absolute path"),
    ],
)
def test_folders_of_results_are_folders_of_their_own(check, papers, key, path, valid):
    general = yaml.safe_dump({"seed": 1, "papers": ["joachims2005"], key: path})
    with pytest.raises(ConfigurationError, match=valid) as caught:
        check(general, papers["joachims2005"])
    assert caught.value.problems[0].key == (key,)


@pytest.mark.parametrize("key", ["", "2026-11-27", "1.5"])
def test_a_key_that_is_no_text_is_named(check, papers, key):
    """YAML reads these keys as null, a date and a number."""
    paper = papers["joachims2005"].replace(
        "  methods:\n", f"  methods:\n    ? {key}\n    : {{}}\n", 1
    )
    paper = paper.replace("methods_selected: [svm]", "methods_selected: [svn]", 1)
    with pytest.raises(ConfigurationError, match="did you mean 'svm'"):
        check("seed: 1\npapers: [joachims2005]\n", paper)
