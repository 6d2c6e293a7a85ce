"""Configuration: defaults, all errors at once, places, nearest names, schemas."""

import json

import pytest
import yaml

from beyond_accuracy.pipeline.configuration import (
    PAPER_MODELS,
    Configuration,
    MethodConfiguration,
    fit_configuration,
)
from beyond_accuracy.pipeline.label_configuration import LabelMethodConfiguration, Simulations
from beyond_accuracy.pipeline.locations import ConfigurationSyntaxError, Locations, compose
from beyond_accuracy.pipeline.names import available_names
from beyond_accuracy.pipeline.reweighting_configuration import ReweightingMethod
from beyond_accuracy.pipeline.schema import schemas, write_schemas
from beyond_accuracy.pipeline.validation import ConfigurationError, validate_configuration

GENERAL = "seed: 1\npapers: [joachims2005]\n"
PAPER = """\
joachims2005:
  protocol: binary
  data_sets: [digits]
  measures: [f1]
  methods_selected: [multivariate_svm]
  methods:
    multivariate_svm:
      estimator: sklearn.svm.LinearSVC
      grid:
        C: [1, 10]
  tables: [table2]
"""

CLAIM = """\
  - id: a
    statement: b
    section: c
    rule: d
    function: most_macro_averages_improve
"""
CLASSIFIER = "sklearn.svm.LinearSVC\n      grid:\n        C: [1, 10]\n"
OWN = "beyond_accuracy.estimators.MultivariateSVC\n"


@pytest.fixture(scope="module")
def names(repository):
    return available_names(repository / "config")


@pytest.fixture
def check(tmp_path, names):
    """Return a function that validates texts of configuration files, the last of which wins."""

    def run(*texts, command_line=None):
        config, files = {}, []
        for number, text in enumerate(texts):
            files.append(tmp_path / f"file{number}.yaml")
            files[-1].write_text(text)
            config = merged(config, yaml.safe_load(text))
        config = merged(config, command_line or {})
        return validate_configuration(config, files, names, command_line=command_line)

    return run


def merged(first, second):
    """Merge as Snakemake does: mappings are merged, everything else is replaced."""
    result = dict(first)
    for key, value in second.items():
        both = isinstance(value, dict) and isinstance(result.get(key), dict)
        result[key] = merged(result[key], value) if both else value
    return result


def errors_of(check, *texts, **arguments):
    with pytest.raises(ConfigurationError) as caught:
        check(*texts, **arguments)
    return str(caught.value)


def test_fills_in_defaults(check):
    config = check(GENERAL, PAPER)
    assert config["missing_data"] == "report"
    assert config["mirror"] is None
    paper = config["joachims2005"]
    assert paper["selection"] == {"holdout": pytest.approx(1 / 3), "folds": None}
    assert paper["repetitions"] == 1
    assert paper["convergence"] is None
    assert paper["bootstrap"] == {"n_resamples": 1000, "level": 0.95}
    assert paper["methods"]["multivariate_svm"]["extend_grid"] == {}
    assert paper["methods"]["multivariate_svm"]["grid"] == {"C": [1, 10]}
    assert paper["figures"] == paper["claims"] == []


@pytest.mark.parametrize(
    ("old", "new", "place", "found", "valid"),
    [
        ("[digits]", "[digit]", "file1.yaml, line 3: joachims2005.data_sets[0]",
         "unknown data set 'digit'", "did you mean 'digits'?"),
        ("[f1]", "[f1, roc_aera]", "file1.yaml, line 4: joachims2005.measures[1]",
         "unknown measure 'roc_aera'", "did you mean 'roc_area'"),
        ("selected: [multivariate_svm]", "selected: [multivariate_svn]",
         "file1.yaml, line 5: joachims2005.methods_selected[0]",
         "unknown method 'multivariate_svn'", "did you mean 'multivariate_svm'?"),
        ("grid:", "gird:", "file1.yaml, line 9: joachims2005.methods.multivariate_svm.gird",
         "unknown key 'gird'", "did you mean 'grid'?"),
        ("[table2]", "[tabel2]", "file1.yaml, line 11: joachims2005.tables[0]",
         "unknown table 'tabel2'", "did you mean 'table2'?"),
        ("[1, 10]", "[1, -10]", "line 10: joachims2005.methods.multivariate_svm.grid.C[1]",
         "-10", "a float in the range (0.0, inf)"),
        ("LinearSVC", "LinaerSVC", "line 8: joachims2005.methods.multivariate_svm.estimator",
         "'sklearn.svm.LinaerSVC'", "no estimator"),
        ("        C: [1, 10]", "        c: [1, 10]",
         "line 10: joachims2005.methods.multivariate_svm.grid.c",
         "'c', which is no parameter of sklearn.svm.LinearSVC", "C, "),
        ("      grid:", "      extend_grid: {j: both}\n      grid:",
         "line 9: joachims2005.methods.multivariate_svm.extend_grid.j",
         "'j', which is no parameter of grid", "one of: C"),
        ("      grid:", "      parameters: {C: 1}\n      grid:",
         "line 9: joachims2005.methods.multivariate_svm.parameters.C",
         "'C' is fixed, but also in the grid", "only one"),
        ("      grid:", "      measures: [recall]\n      grid:",
         "line 9: joachims2005.methods.multivariate_svm.measures[0]",
         "unknown measure 'recall'", "one of: f1"),
        ("      grid:", "      selection_parameters: {tool: 1}\n      grid:",
         "line 9: joachims2005.methods.multivariate_svm.selection_parameters.tool",
         "'tool', which is no parameter of sklearn.svm.LinearSVC", "did you mean 'tol'?"),
        ("      grid:", "      parameters: {tol: abc}\n      grid:",
         "line 9: joachims2005.methods.multivariate_svm.parameters.tol",
         "'abc'", "a float in the range (0.0, inf)"),
        ("      grid:", "      selection_parameters: {max_iter: -1}\n      grid:",
         "line 9: joachims2005.methods.multivariate_svm.selection_parameters.max_iter",
         "-1", "an int in the range [0, inf)"),
        ("C: [1, 10]", "intercept_scaling: [1]\n        verbose: [1, 1.5]",
         "line 11: joachims2005.methods.multivariate_svm.grid.verbose[1]",
         "1.5", "an int in the range [0, inf)"),
        ("[1, 10]", "[1, 1e-3]", "line 10: joachims2005.methods.multivariate_svm.grid.C[1]",
         "'1e-3'", "a float in the range (0.0, inf) (YAML takes 1e-3 for text"),
        ("[1, 10]", "[1, true]", "line 10: joachims2005.methods.multivariate_svm.grid.C[1]",
         "true beside numbers", "numbers alone"),
        ("[1, 10]", "[4, 1, 4.0]", "line 10: joachims2005.methods.multivariate_svm.grid.C[2]",
         "4.0 is listed twice", "each value once"),
        ("[1, 10]", "[1, [2]]", "line 10: joachims2005.methods.multivariate_svm.grid.C[1]",
         "[2]", "a single value: text, a number, true, false or null"),
        ("C: [1, 10]", "loss: [hinge]\n      extend_grid: {loss: both}",
         "line 11: joachims2005.methods.multivariate_svm.extend_grid.loss",
         "'both', though the values of loss are not all positive numbers",
         "'none', or a grid of positive numbers"),
        ("C: [1, 10]", "max_iter: [10, 20]\n      extend_grid: {max_iter: lower}",
         "line 11: joachims2005.methods.multivariate_svm.extend_grid.max_iter",
         "'lower', which can add 2.5", "an int in the range"),
        ("      grid:", "      max_extensions: '1'\n      grid:",
         "line 9: joachims2005.methods.multivariate_svm.max_extensions",
         "'1'", "a valid integer"),
        ("      grid:", "      count_iterations_without_line_search: 'yes'\n      grid:",
         "line 9: joachims2005.methods.multivariate_svm.count_iterations_without_line_search",
         "'yes'", "a valid boolean"),
        ("  tables:", "  selection: {holdout: '0.3'}\n  tables:",
         "line 11: joachims2005.selection.holdout", "'0.3'", "a valid number"),
        ("  tables:", "  bootstrap: {n_resamples: '50'}\n  tables:",
         "line 11: joachims2005.bootstrap.n_resamples", "'50'", "a valid integer"),
        ("  tables:", "  claims:\n" + 2 * CLAIM + "  tables:",
         "line 17: joachims2005.claims[1].id", "'a', which an earlier claim has", "an id of"),
        (CLASSIFIER, OWN + "      grid:\n        C: [null]\n",
         "line 9: joachims2005.methods.multivariate_svm.grid",
         "a grid of C", "C must be a positive number"),
        ("sklearn.svm.LinearSVC\n", OWN + "      parameters: {kernel: rbf}\n",
         "line 9: joachims2005.methods.multivariate_svm.parameters.kernel",
         "'rbf'", "with a linear kernel"),
        (CLASSIFIER, OWN + "      grid:\n        tol: [1]\n",
         "line 9: joachims2005.methods.multivariate_svm.grid",
         "a grid of tol", "its grid must be C alone"),
        ("[digits]", "[digits, nursery]", "file1.yaml, line 3: joachims2005.data_sets[1]",
         "'nursery', which has no split into a training and a test part", "one of: "),
        ("protocol: binary", "protocol: binray", "file1.yaml, line 2: joachims2005.protocol",
         "'binray'", "'binary'"),
        ("[f1]", "f1", "file1.yaml, line 4: joachims2005.measures", "'f1'", "a valid list"),
        ("[digits]", "[digits, digits]", "line 3: joachims2005.data_sets[1]",
         "'digits' is listed twice", "each name once"),
        ("  tables: [table2]", "  data_sets: [iris]", "line 11: joachims2005.data_sets",
         "the key is given twice", "each key once"),
        ("  data_sets: [digits]\n", "", "file1.yaml, line 1: joachims2005.data_sets",
         "the key is missing", ""),
    ],
)  # fmt: skip
def test_names_place_found_and_valid(check, old, new, place, found, valid):
    assert old in PAPER
    message = errors_of(check, GENERAL, PAPER.replace(old, new))
    entries = message.split("\n  ")
    position = next(number for number, line in enumerate(entries) if line.endswith(place))
    assert entries[position + 1].strip().startswith(f"found: {found}")
    assert valid in entries[position + 2]


@pytest.mark.parametrize(
    ("extra", "place", "valid"),
    [
        (
            "selection: {folds: 3, holdout: 0.3}",
            "joachims2005.selection",
            "only one of holdout and folds; set the other to null",
        ),
        (
            "convergence: {C: [1], C_shown: 2, liblinear_rounds: [1]}",
            "joachims2005.convergence",
            "C_shown must be one of C, [1.0]",
        ),
    ],
)
def test_keys_that_do_not_go_together(check, extra, place, valid):
    text = errors_of(check, GENERAL, PAPER.replace("  tables:", f"  {extra}\n  tables:"))
    assert place in text
    assert f"valid: {valid}" in text


def test_folds_stand_in_for_the_holdout(check):
    text = PAPER.replace("  tables:", "  selection: {folds: 3}\n  tables:")
    selection = check(GENERAL, text)["joachims2005"]["selection"]
    assert selection == {"holdout": None, "folds": 3}


def test_lists_all_errors_at_once(check, tmp_path):
    general = GENERAL.replace("seed: 1", "sede: 1\nmissing_data: ignore\nmirror: nowhere")
    paper = PAPER.replace("[digits]", "[digit]").replace("[1, 10]", "[]")
    message = errors_of(check, general, paper)
    assert "has 6 errors" in message
    keys = ["sede", "missing_data", "mirror", "joachims2005.data_sets[0]", "grid.C", ": seed"]
    assert all(key in message for key in keys)
    assert "did you mean 'seed'?" in message


def test_misspelt_paper_suggests_the_nearest(check):
    message = errors_of(check, "seed: 1\npapers: [joachims2006]\n")
    assert "file0.yaml, line 2: papers[0]" in message
    assert "did you mean 'joachims2005'?" in message


def test_the_beginning_of_several_names_offers_them_all(check):
    paper = PAPER.replace("data_sets: [digits]", "data_sets: [reuters]")
    message = errors_of(check, GENERAL, paper)
    assert "did you mean 'reuters-money-fx' or 'reuters21578-modapte'?" in message


@pytest.mark.parametrize(
    ("change", "key", "found"),
    [
        (lambda paper: 5, "joachims2005", "5"),
        (lambda paper: paper | {"methods": [1]}, "joachims2005.methods", "[1]"),
        (lambda paper: paper | {"bootstrap": 7}, "joachims2005.bootstrap", "7"),
    ],
)
def test_what_should_be_a_mapping_is_said_in_words(check, change, key, found):
    paper = {"joachims2005": change(yaml.safe_load(PAPER)["joachims2005"])}
    message = errors_of(check, GENERAL, yaml.safe_dump(paper))
    assert f"{key}\n    found: {found}\n    valid: a mapping of keys to values" in message


def test_section_of_a_paper_that_is_not_selected_is_left_alone(check):
    with pytest.raises(ConfigurationError, match="1 error"):
        check("seed: 1\npapers: []\njoachims2005: {data_sets: [digits]}\n")


def test_place_is_the_file_that_wins(check):
    overlay = "joachims2005:\n  data_sets: [digits, irris]\n"
    message = errors_of(check, GENERAL, PAPER, overlay)
    assert "file2.yaml, line 2: joachims2005.data_sets[1]" in message
    assert "did you mean 'iris'?" in message


def test_place_is_the_list_that_replaces_another(check):
    """An error in a list of an overlay is not one of the list that it replaces."""
    paper = PAPER + "  claims:\n" + CLAIM
    overlay = "joachims2005:\n  claims:\n" + CLAIM.replace("function:", "functon:")
    message = errors_of(check, GENERAL, paper, overlay)
    assert "file2.yaml, line 7: joachims2005.claims[0].functon" in message
    assert "file2.yaml, line 3: joachims2005.claims[0].function" in message
    assert "file1.yaml" not in message


def test_place_is_where_the_value_is_and_not_beside_what_the_command_line_gives(check):
    given = {"joachims2005": {"measures": ["f1", "roc_aera"]}}
    paper = PAPER.replace("[table2]", "[tabel2]").replace("  data_sets: [digits]\n", "")
    message = errors_of(check, GENERAL, paper, command_line=given)
    assert "--config on the command line: joachims2005.measures[1]" in message
    assert "file1.yaml, line 10: joachims2005.tables[0]" in message
    assert "file1.yaml, line 1: joachims2005.data_sets" in message


def test_place_on_the_command_line(check):
    message = errors_of(check, GENERAL, PAPER, command_line={"mirror": "nowhere"})
    assert "--config on the command line: mirror" in message
    assert "found: 'nowhere'" in message


def test_values_of_the_command_line_have_the_types_of_yaml(check):
    """Snakemake leaves what it does not take for a number, and all below it, as text."""
    given = {
        "mirror": "null",
        "retry_substitutes": "true",
        "joachims2005": {
            "bootstrap": {"n_resamples": "50"},
            "methods": {"multivariate_svm": {"grid": {"C": ["1", "0.5"]}}},
        },
    }
    config = check(GENERAL, PAPER, command_line=given)
    assert config["mirror"] is None
    assert config["retry_substitutes"] is True
    assert config["joachims2005"]["bootstrap"] == {"n_resamples": 50, "level": 0.95}
    assert config["joachims2005"]["methods"]["multivariate_svm"]["grid"] == {"C": [1, 0.5]}
    message = errors_of(check, GENERAL, PAPER, command_line={"retry_substitutes": "perhaps"})
    assert "found: 'perhaps'" in message


def test_folders_may_have_numbers_for_names(check):
    """Snakemake takes ``--config mirror=5`` for a number."""
    message = errors_of(check, GENERAL, PAPER, command_line={"mirror": 5})
    assert "found: '5', which is not a folder" in message
    assert check(GENERAL, PAPER, command_line={"results": 2026})["results"] == "2026"


def test_values_of_classifiers_without_checks_or_defaults_are_left_to_them(check):
    for estimator, parameter in [
        ("sklearn.multiclass.OneVsRestClassifier", "n_jobs: 1"),
        ("beyond_accuracy.estimators.CostModelSVC", "random_state: 3"),
    ]:
        text = PAPER.replace("sklearn.svm.LinearSVC", estimator).replace("C: [1, 10]", "C: [1]")
        text = text.replace("      grid:", f"      parameters: {{{parameter}}}\n      grid:")
        if "OneVsRest" in estimator:
            text = text.replace("C: [1]", "verbose: [1]")
        check(GENERAL, text)


def test_values_of_a_grid_are_any_kept_as_they_are_written(check):
    tree = "sklearn.tree.DecisionTreeClassifier"
    grid = "max_depth: [null, 2, 4]\n        max_features: [sqrt, 0.5]\n        ccp_alpha: [0, 1]"
    text = PAPER.replace("sklearn.svm.LinearSVC", tree).replace("C: [1, 10]", grid)
    found = check(GENERAL, text)["joachims2005"]["methods"]["multivariate_svm"]["grid"]
    written = {"max_depth": [None, 2, 4], "max_features": ["sqrt", 0.5], "ccp_alpha": [0, 1]}
    assert repr(found) == repr(written)


@pytest.mark.parametrize(
    ("parameters", "unsuitable", "valid"),
    [("", "average_precision", "Train on 'roc_area'"), ("{at_most_k: true}", "f1", "recall_at_")],
)
def test_measures_that_a_method_cannot_train_on(check, parameters, unsuitable, valid):
    method = OWN + f"      parameters: {parameters}\n" if parameters else OWN
    paper = PAPER.replace("sklearn.svm.LinearSVC\n", method)
    suitable = "recall_at_2p" if parameters else "f1"
    check(GENERAL, paper.replace("[f1]", f"[{suitable}]"))
    message = errors_of(check, GENERAL, paper.replace("[f1]", f"[{suitable}, {unsuitable}]"))
    assert "1 error" in message
    assert "file1.yaml, line 4: joachims2005.measures[1]" in message
    assert f"found: '{unsuitable}', for which multivariate_svm is to be trained" in message
    assert valid in message
    own = method + f"      measures: [{unsuitable}]\n"
    paper = PAPER.replace("[f1]", f"[{suitable}, {unsuitable}]")
    message = errors_of(check, GENERAL, paper.replace("sklearn.svm.LinearSVC\n", own))
    assert "methods.multivariate_svm.measures[0]" in message
    assert "1 error" in message
    # A classifier that is only selected by it does not mind.
    check(GENERAL, PAPER.replace("[f1]", "[average_precision]"))


def test_methods_that_are_not_selected_may_have_other_measures(check):
    other = """\
    other:
      estimator: beyond_accuracy.estimators.MultivariateSVC
      measures: [recall_at_2p]
      grid: {C: [1]}
"""
    paper = PAPER.replace("  tables:", other + "  tables:")
    check(GENERAL, paper)
    for measure, found in [("recal", "unknown measure"), ("average_precision", "for which other")]:
        message = errors_of(check, GENERAL, paper.replace("[recall_at_2p]", f"[{measure}]"))
        assert "1 error" in message
        assert "joachims2005.methods.other.measures[0]" in message
        assert found in message
    message = errors_of(check, GENERAL, paper.replace("[multivariate_svm]", "[other]"))
    assert "unknown measure 'recall_at_2p'" in message


@pytest.mark.parametrize(
    ("paper", "method", "data_sets", "own"),
    [
        ("deng2006", "naive_bayes", ["iris", "wine"], "digits"),
        ("dembczynski2011", "pcc", ["scene", "enron"], "yeast-multilabel"),
    ],
)
def test_methods_that_are_not_selected_may_be_for_other_data_sets(
    check, repository, paper, method, data_sets, own
):
    path = repository / f"config/papers/{paper}.yaml"
    content = yaml.safe_load(path.read_text())[paper]
    methods = {"chosen": content["methods"][method]}
    methods["other"] = {**methods["chosen"], "data_sets": [own]}
    content |= {"methods": methods, "methods_selected": ["chosen"], "data_sets": data_sets}
    general = f"seed: 1\npapers: [{paper}]\n"
    check(general, yaml.safe_dump({paper: content}))
    content["methods_selected"] = ["other"]
    assert f"{paper}.methods.other.data_sets" in errors_of(
        check, general, yaml.safe_dump({paper: content})
    )


def test_results_and_resources_are_two_folders(check):
    message = errors_of(check, GENERAL + "results: out\nresources: ./out\n", PAPER)
    assert "file0.yaml, line 4: resources" in message
    assert "found: './out', which is the folder of results" in message
    check(GENERAL + "results: out/results\nresources: out\n", PAPER)


def test_syntax_errors_name_file_and_line(tmp_path):
    file = tmp_path / "broken.yaml"
    file.write_text("seed: 1\npapers: [a\nmirror: null\n")
    with pytest.raises(ConfigurationSyntaxError, match=r"broken\.yaml, line 3"):
        compose(file)
    with pytest.raises(ConfigurationSyntaxError, match=r"absent\.yaml: cannot be read"):
        compose(tmp_path / "absent.yaml")


def test_missing_keys_are_placed_at_the_mapping_that_lacks_them(tmp_path):
    file = tmp_path / "a.yaml"
    file.write_text("a:\n  b:\n    c: 1\n")
    locations = Locations([file])
    assert locations.of(("a", "b", "d")) == f"{file}, line 2"
    assert locations.of(("z",)) == str(file)


def test_fits_depend_on_their_own_settings_only(check):
    paper = check(GENERAL, PAPER)["joachims2005"]
    settings = fit_configuration(paper)
    assert settings["measures"] == ["f1"]
    assert not {"methods", "data_sets", "tables", "bootstrap", "claims"} & set(settings)


def test_every_key_is_documented(repository):
    text = (repository / "config/README.md").read_text()
    for schema in schemas().values():
        for model in schema["$defs"].values():
            assert all(field.get("description") for field in model["properties"].values())
    papers = [key for model in PAPER_MODELS.values() for key in model.model_fields]
    for key in [*Configuration.model_fields, *papers]:
        assert f"`{key}" in text, key
    methods = (MethodConfiguration, ReweightingMethod, LabelMethodConfiguration)
    for key in [key for model in methods for key in model.model_fields]:
        assert f"`methods.<method>.{key}`" in text, key
    for key in Simulations.model_fields:
        assert f"`simulations.{key}`" in text, key


def test_committed_schemas_equal_the_models(repository, tmp_path):
    write_schemas(tmp_path)
    for name in schemas():
        committed = repository / "workflow/schemas" / name
        assert json.loads(committed.read_text()) == json.loads((tmp_path / name).read_text())
