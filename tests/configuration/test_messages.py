"""Each configuration error names the file, the line, the key, the value and the valid values."""

import re

import pytest

from beyond_accuracy_pipeline.configuration.files import (
    ConfigurationError,
    check_configuration_file,
)

OWN = "beyond_accuracy.estimators."
LINEAR = "estimator: sklearn.svm.LinearSVC\n"
ROWS = {
    "joachims2005": [
        ("[digits]", "[digit]", "data_sets[0]", "unknown data set 'digit'",
         "did you mean 'digits'?"),
        ("[digits]", "[digits, nursery]", "data_sets[1]",
         "'nursery', which has no split into a training and a test part", "one of: "),
        ("[digits]", "[digits, digits]", "data_sets[1]", "'digits' is listed twice", "once"),
        ("[f1]", "[f1, roc_aera]", "measures[1]", "'roc_aera'", "did you mean 'roc_area'"),
        ("[f1]", "[]", "measures", "[]", "a list of 1 or more"),
        ("selected: [svm]", "selected: [svn]", "methods_selected[0]", "unknown method 'svn'",
         "did you mean 'svm'?"),
        ("grid:", "gird:", "methods.svm.gird", "unknown key 'gird'", "did you mean 'grid'?"),
        ("grid:", "gird:", "methods.svm.grid", "nothing", "required"),
        ("[table2]", "[table9]", "tables[0]", "unknown table 'table9'",
         "table_oracle_thresholds, table_readings; to add one, name its function in PAPER.tables"),
        ("most_macro", "most_marco", "claims[0].function", "unknown function", "did you mean"),
        ("    rule: d", "    rule: d\n    partly: all larger", "claims[0].function",
         "'most_macro_averages_improve'",
         "a function, or `compare`, `reproduced` and `partly` instead"),
        ("function: most_macro_averages_improve", "reproduced: all bigger\n    partly: all larger",
         "claims[0].reproduced", "'all bigger'", "a quantifier (all, most, some) and a relation ("),
        ("function: most_macro_averages_improve", "compare: {methods: [svm], against: [sv],"
         " measures: [f1]}\n    reproduced: all larger\n    partly: some larger",
         "claims[0].compare.against[0]", "unknown method 'sv'", "did you mean 'svm'?"),
        ("function: most_macro_averages_improve", "compare: {methods: [svm], against: [svm],"
         " measures: [f_1]}\n    reproduced: all larger\n    partly: some larger",
         "claims[0].compare.measures[0]", "unknown measure 'f_1'", "did you mean 'f1'?"),
        ("function: most_macro_averages_improve", "compare: {methods: [svm], against: [svm],"
         " measures: [f1], data_sets: [optdigit]}\n    reproduced: all larger\n"
         "    partly: some larger", "claims[0].compare.data_sets[0]",
         "unknown data set of the paper 'optdigit'", "did you mean 'optdigits'?"),
        ("    rule: d", "    rule: ' '", "claims[0].rule", "no rule of the claim 'a'",
         "when it is reproduced, in words"),
        ("  - &claim", "  - {id: a, statement: b, section: c, rule: d,\n"
         "     function: most_macro_averages_improve}\n  - &claim",
         "claims[1].id", "'a', which an earlier claim has", "an id of its own"),
        ("LinearSVC", "LinaerSVC", "methods.svm.estimator", "'sklearn.svm.LinaerSVC'",
         "no estimator"),
        ("sklearn.svm.LinearSVC", "sklearn.svm.SVR", "methods.svm.estimator", "'sklearn.svm.SVR'",
         "is not a scikit-learn classifier"),
        ("        C: [1, 10]", "        c: [1, 10]", "methods.svm.grid.c",
         "'c', which is no parameter of sklearn.svm.LinearSVC", "C, "),
        ("[1, 10]", "[1, -10]", "methods.svm.grid.C[1]", "-10", "a float in the range (0.0, inf)"),
        ("[1, 10]", "[1, 1e-3]", "methods.svm.grid.C[1]", "'1e-3'",
         "a float in the range (0.0, inf) (YAML takes 1e-3 for text"),
        ("[1, 10]", "[1, [2]]", "methods.svm.grid.C[1]", "[2]",
         "true or false or a whole number or a number or text"),
        ("      grid:", "      parameters: {C: 1}\n      grid:", "methods.svm.parameters.C",
         "'C' is fixed, but also in the grid", "only one of the two"),
        ("      grid:", "      measures: [recall]\n      grid:", "measures",
         "f1, for which no selected method is", "some of: recall"),
        ("      grid:", "      extend_grid: {j: both}\n      grid:", "methods.svm.extend_grid.j",
         "'j', which is no parameter of grid", "one of: C"),
        ("      grid:", "      extend_grid: {C: bot}\n      grid:", "methods.svm.extend_grid.C",
         "'bot'", "did you mean 'both'?"),
        ("C: [1, 10]", "loss: [hinge]\n      extend_grid: {loss: both}",
         "methods.svm.extend_grid.loss",
         "'both', though the values of loss are not all positive numbers",
         "'none', or a grid of positive numbers"),
        ("C: [1, 10]", "max_iter: [10, 20]\n      extend_grid: {max_iter: lower}",
         "methods.svm.extend_grid.max_iter", "'lower', which can add 2.5", "an int in the range"),
        ("  tables:", "  selection: {folds: 3, holdout: 0.3}\n  tables:", "selection",
         "{'folds': 3", "only one of holdout and folds; set the other to null"),
        ("protocol: binary", "protocol: binray", "protocol", "'binray'", "did you mean 'binary'?"),
        ("  protocol: binary\n", "", "protocol", "nothing", "this key is required"),
        ("  tables:", "  data_sets: [iris]\n  tables:", "data_sets", "the key is given twice",
         "each key once"),
    ],
    "li2013": [
        ("[machine, c45]", "[machin]", "methods.capo.auxiliaries[0]", "unknown auxiliary",
         "did you mean 'machine'?"),
        ("[machine, c45]", "[linear]", "methods.capo.auxiliaries[0]",
         "'linear', which is no auxiliary with an empty grid", "one of: c45, machine"),
        ("      auxiliaries: [machine, c45]\n", "", "methods.capo.auxiliaries", "no auxiliary",
         "c45, machine"),
        ("    linear:\n", "    linear:\n      auxiliaries: [c45]\n", "methods.linear.auxiliaries",
         f"auxiliaries of {OWN}MultivariateSVC, which takes none", "CAPOClassifier"),
        ("    linear:\n", "    linear:\n      selection_rows: 5\n", "methods.linear.selection_rows",
         "selection_rows of a method without a kernel", "all examples"),
        ("factors: {gamma: 2}", "factors: {gama: 2}", "methods.kernel.refinement.factors.gama",
         "'gama', which is not in the grid", "did you mean 'gamma'?"),
        ("factors: {gamma: 2}", "factors: {gamma: 1}", "methods.kernel.refinement.factors.gamma",
         "1", "greater than 1"),
        ("[recall_at_2p]", "[f1]", "methods.top.measures[0]",
         "'f1', for which top is to be trained", "recall_at_"),
        ("methods: [linear, capo]", "methods: [kernel]", "studies.oracle_calls_by_C.methods[0]",
         "'kernel', which is no method without a kernel", "capo, linear"),
        ("methods: [capo]", "methods: [linear]", "studies.by_B.methods[0]",
         "'linear', which is no method with auxiliaries", "capo"),
        ("methods: [capo, kernel]", "methods: [c45]", "studies.by_C.methods[0]",
         "'c45', which is no method whose grid holds C and that is trained on the measure",
         "capo, kernel, linear"),
        ("[capo, linear, kernel]", "[capo, linear]", "studies.by_C.methods[1]",
         "'kernel', which is not selected, so that its kernel has no width", "methods_selected"),
        ("data_sets: [ijcnn1, usps-01234]", "data_sets: [ijcn1]",
         "studies.oracle_calls_by_C.data_sets[0]", "unknown data set", "did you mean 'ijcnn1'?"),
        ("auxiliaries: [machine]\n      widths", "auxiliaries: [c45]\n      widths",
         "studies.auxiliary_selection.auxiliaries[0]",
         "'c45', which is no auxiliary with a kernel", "machine"),
        ("widths: [0.5, 1]", "widths: [0.5]",
         "studies.auxiliary_selection.widths", "[0.5]", "hold 1"),
        ("folds: 3", "holdout: 0.3", "studies.auxiliary_selection",
         "auxiliaries chosen by cross-validation, but no folds", "{folds: 5}"),
        ("C_shown: 1", "C_shown: 2", "studies.convergence.C_shown", "2", "one of C, [1.0]"),
        ("C_shown: 1", "C_shown: 1, selected_by: linear", "studies.convergence.selected_by[0]",
         "'linear', which is no method with t and C", ""),
    ],
    "dembczynski2011": [
        ("  data_sets: [scene]", "  data_sets: [digits]", "data_sets[0]",
         "'digits', a multiclass data set", "for protocol multilabel one of: enron, "),
        ("[f1_instance]", "[f1]", "measures[0]", "'f1'", "hamming_loss"),
        ("n_samples: 20", "n_sample: 20", "methods.pcc.parameters.n_sample",
         "'n_sample', which is no parameter of", "did you mean 'n_samples'?"),
        ("LogisticRegression", "RidgeClassifier", "methods.pcc.base",
         "'sklearn.linear_model.RidgeClassifier'", "predict_proba"),
        ("beyond_accuracy.estimators.ProbabilisticClassifierChain",
         "sklearn.linear_model.LogisticRegression", "methods.pcc.estimator",
         "'sklearn.linear_model.LogisticRegression'", "BinaryRelevance"),
        ("meuf_f2", "muef", "methods.pcc.inference[1]", "'muef'", "one of marginal_threshold, gfm"),
        ("[scene, enron]", "[enron]", "data_sets", "scene, for which no selected method is",
         "some of: enron"),
        ("[4, 6]", "[4, 7]", "studies.worst_cases.n_labels[1]", "7", "multiple of 2"),
    ],
    "deng2006": [
        ("[wine, iris]", "[wine, breast-cancer]", "data_sets[1]",
         "'breast-cancer', a binary data set", "for protocol multiclass one of: "),
        ("GeneticReweighter", "Genetic", "methods.genetic.reweighter",
         "'beyond_accuracy.reweighting.Genetic'", "there is no"),
        ("beyond_accuracy.reweighting.GeneticReweighter", "sklearn.svm.LinearSVC",
         "methods.genetic.reweighter", "'sklearn.svm.LinearSVC'", "a class of beyond_accuracy.rew"),
        ("{max_generations: 5}", "{max_generation: 5}",
         "methods.genetic.reweighter_parameters.max_generation",
         "'max_generation', which is no parameter of", "did you mean 'max_generations'"),
        ("{job: cheap}", "{estimator: sklearn.svm.LinearSVC}", "methods.naive_bayes.estimator",
         "'sklearn.svm.LinearSVC'", "predict_proba"),
        ("{max_generations: 5}", "{max_generations: 5}\n      decision: least_expected_cost",
         "methods.genetic.decision", "'least_expected_cost' beside a reweighter", "only one"),
        ("  methods:\n", "  claims:\n  - {id: a, statement: b, section: c, rule: d,\n"
         "     compare: {methods: [genetic], against: [naive_bayes], measures: [error_rate]},\n"
         "     reproduced: all larger, partly: some larger}\n  methods:\n",
         "claims[0].compare", "a comparison of methods in a multiclass paper",
         "a `function`; `compare` is for binary papers"),
    ],
}  # fmt: skip


def entries(error):
    """Return place, key, value found and valid values of each error in a message."""
    pattern = r"^  (\S.*): (\S+)\n    found: (.*)\n    valid: (.*)"
    return re.findall(pattern, str(error), re.MULTILINE)


@pytest.mark.parametrize(
    ("paper", "old", "new", "key", "found", "valid"),
    [(paper, *row) for paper, rows in ROWS.items() for row in rows],
)
def test_a_fault_is_named(check_paper, papers, tmp_path, paper, old, new, key, found, valid):
    assert old in papers[paper]
    with pytest.raises(ConfigurationError) as caught:
        check_paper(paper, papers[paper].replace(old, new, 1))
    faults = {entry[1]: entry for entry in entries(caught.value)}
    assert f"{paper}.{key}" in faults, str(caught.value)
    place, _, at_found, at_valid = faults[f"{paper}.{key}"]
    assert at_found.startswith(found)
    assert valid in at_valid
    # The line is the key's line, or the line of the enclosing mapping if the key is missing.
    file, number = place.split(", line ")
    line = (tmp_path / file.rpartition("/")[2]).read_text().splitlines()[int(number) - 1]
    names = re.findall(r"[^.\[\]]+", re.sub(r"\[\d+\]", "", f"{paper}.{key}"))
    assert re.search(rf"\b{names[-1]}:", line) or names[-2] in line


def test_a_claim_without_a_rule_is_named(check_paper, papers):
    without = papers["joachims2005"].replace("    rule: d\n", "")
    with pytest.raises(ConfigurationError, match=r"claims\[0\]\.rule\n    found: nothing"):
        check_paper("joachims2005", without)


def test_a_comparison_without_a_condition_is_told_which(check_paper, papers):
    compare = (
        "compare: {methods: [svm], against: [svm], measures: [f1]}\n    reproduced: all larger"
    )
    text = papers["joachims2005"].replace("function: most_macro_averages_improve", compare)
    message = r"1 error; .*\n.*claims\[0\]\.partly\n +found: nothing\n +valid: .*`compare` and `rep"
    with pytest.raises(ConfigurationError, match=message):
        check_paper("joachims2005", text)


def test_all_errors_are_listed_at_once(check, papers):
    general = "sede: 1\nmissing_data: ignore\nmirror: nowhere\npapers: [joachims2005, li2012]\n"
    paper = papers["joachims2005"].replace("[digits]", "[digit]").replace("[1, 10]", "[]")
    with pytest.raises(ConfigurationError) as caught:
        check(general, paper.replace("[svm]", "[svn]"))
    assert str(caught.value).startswith("The configuration has 8 errors; nothing was run.\n")
    faults = {key: (found, valid) for _, key, found, valid in entries(caught.value)}
    assert list(faults) == [
        "seed", "mirror", "missing_data", "sede", "papers[1]", "joachims2005.methods.svm.grid.C",
        "joachims2005.data_sets[0]", "joachims2005.methods_selected[0]",
    ]  # fmt: skip
    assert "did you mean 'seed'?" in faults["sede"][1]
    assert faults["mirror"] == ("'nowhere'", "an existing folder, or null")
    assert "did you mean 'li2013'?" in faults["papers[1]"][1]


def test_each_error_of_a_paper_that_is_selected_twice_is_listed_once(check, papers):
    general = "seed: 1\npapers: [joachims2005, joachims2005]\n"
    with pytest.raises(ConfigurationError, match="The configuration has 2 errors;") as caught:
        check(general, papers["joachims2005"].replace("[digits]", "[digit]"))
    assert [key for _, key, *_ in entries(caught.value)] == [
        "papers[1]", "joachims2005.data_sets[0]",
    ]  # fmt: skip


def test_the_place_is_where_the_value_that_counts_stands(check, papers):
    general = "seed: 1\npapers: [joachims2005]\n"
    text = papers["joachims2005"].replace("[table2]", "[tabel2]")
    overlay = "joachims2005:\n  data_sets: [digits, irris]\n  claims:\n  - id: b\n    functon: x\n"
    given = {"mirror": "nowhere", "joachims2005": {"measures": ["f1", "roc_aera"]}}
    with pytest.raises(ConfigurationError) as caught:
        check(general, text, overlay, command_line=given)
    places = {key: place.rpartition("/")[2] for place, key, *_ in entries(caught.value)}
    paper = "joachims2005."
    assert places["mirror"] == "--config on the command line"
    assert places[f"{paper}measures[1]"] == "--config on the command line"
    assert places[f"{paper}tables[0]"] == "file1.yaml, line 11"
    assert places[f"{paper}data_sets[1]"] == "file2.yaml, line 2"
    # A key missing from an overlay's list is not looked for in the list that it replaces.
    assert places[f"{paper}claims[0].functon"] == "file2.yaml, line 5"
    assert places[f"{paper}claims[0].function"] == "file2.yaml, line 4"


@pytest.mark.parametrize("section", [5, [1], None])
def test_the_section_of_a_paper_is_a_mapping(check, section):
    message = "joachims2005\n    found: .*\n    valid: a mapping"
    with pytest.raises(ConfigurationError, match=message):
        check("seed: 1\npapers: [joachims2005]\n", f"joachims2005: {section or 'null'}\n")


def test_the_section_of_a_paper_that_is_not_selected_is_left_alone(check, papers):
    general = "seed: 1\npapers: [joachims2005]\nli2013: {data_sets: 5}\n"
    assert "li2013" not in check(general, papers["joachims2005"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seed: 1\npapers: [a\nb: null\n", r"file0\.yaml, line 3: \(whole file\)\n.*no valid YAML"),
        ("a: !!python/name:os.system", "line 1: .*\n.*could not determine a constructor"),
        ("- 1", r"file0\.yaml: \(whole file\)\n    found: \[1\]\n    valid: a mapping"),
        ("", "found: nothing"),
        ("a: 2004-02-31", "no valid YAML: day is out of range"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_mapping_names_its_line(tmp_path, text, message):
    path = tmp_path / "file0.yaml"
    path.write_text(text)
    with pytest.raises(ConfigurationError, match=message):
        check_configuration_file(path)
    with pytest.raises(ConfigurationError, match="a file that cannot be read: No such file"):
        check_configuration_file(tmp_path / "absent.yaml")


def test_a_paper_without_its_module_is_named(check, papers, tmp_path, monkeypatch):
    from beyond_accuracy_pipeline import papers as package

    folder = tmp_path / "papers" / "doe2020"
    folder.mkdir(parents=True)
    section = papers["joachims2005"].replace("joachims2005:", "doe2020:")
    (folder / "paper.yaml").write_text(section)
    monkeypatch.setattr(package, "FOLDER", folder.parent)
    with pytest.raises(ConfigurationError) as error:
        check("seed: 1\npapers: [doe2020]\n", section)
    message = str(error.value)
    assert re.search(r"file0\.yaml, line 2: papers\[0\]\n +found: 'doe2020'", message)
    assert "papers/doe2020/__init__.py" in message


def test_a_paper_without_its_configuration_is_told_to_write_it(check, tmp_path, monkeypatch):
    (tmp_path / "doe2020").mkdir()
    monkeypatch.setattr("beyond_accuracy_pipeline.configuration.run.FOLDER", tmp_path)
    with pytest.raises(ConfigurationError) as error:
        check("seed: 1\npapers: [doe2020, li2012]\n")
    message = str(error.value)
    assert "found: 'doe2020', whose folder has no paper.yaml" in message
    assert f"valid: write {tmp_path}/doe2020/paper.yaml" in message
    assert "unknown paper 'li2012'" in message


def test_yaml_that_only_the_parser_in_c_takes_is_refused(tmp_path):
    """Snakemake uses the parser in Python, which ends with a traceback on this text."""
    file = tmp_path / "config.yaml"
    file.write_text("papers: [joachims2005 ?at the top]\n")
    with pytest.raises(ConfigurationError, match=r"no valid YAML: expected .* but got .\?"):
        check_configuration_file(file)
