"""Every fault of a catalogue entry is found when it is loaded, with line, key, found and valid."""

import pytest

from beyond_accuracy.datasets.catalogue import load_catalogue, load_entry
from beyond_accuracy.datasets.errors import CatalogueError

ENTRY = """\
name: tiny
title: Tiny
task: binary
sources:
- kind: mirror
  files: {data: tiny.txt}
files:
  data: {unpinned: a test}
parser: {kind: svmlight, n_features: 3}
split: {kind: none}
shape: {}
citation: none
licence: none
"""
GENERATED = """\
name: tiny
title: Tiny
task: multiclass
sources:
- kind: generated
  generator: zipf_documents
  options: {n_rows: 9}
split: {kind: none}
transforms: [{kind: tfidf}]
shape: {}
citation: none
licence: none
"""
CLOUDS = """\
name: tiny
title: Tiny
task: binary
sources:
- kind: generated
  generator: imbalanced_gaussians
  options: {n_rows: 9}
split: {kind: none}
shape: {}
citation: none
licence: none
"""
ARXIV = """\
name: tiny
title: Tiny
task: multiclass
sources:
- kind: mirror
  files: {data: tiny.json}
files:
  data: {unpinned: a test}
parser:
  kind: arxiv_snapshot
  first_date: '1991-01-01'
  last_date: '2004-12-31'
  archives: [hep-th, gr-qc]
  min_documents: 2
split: {kind: none}
transforms: [{kind: tfidf}]
shape: {}
citation: none
licence: none
"""


@pytest.fixture
def problems_of(tmp_path):
    """The problems of a file with the given text, without the path of its folder."""

    def check(text, name="tiny"):
        path = tmp_path / f"{name}.yaml"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(CatalogueError) as caught:
            load_entry(path)
        return [problem.removeprefix(f"{tmp_path}/") for problem in caught.value.problems]

    return check


@pytest.mark.parametrize("text", [ENTRY, GENERATED, CLOUDS, ARXIV])
def test_the_entries_that_are_varied_below_are_valid(tmp_path, text):
    (tmp_path / "tiny.yaml").write_text(text, encoding="utf-8")
    assert load_entry(tmp_path / "tiny.yaml").name == "tiny"


MISSPELT = [
    (ENTRY, "kind: mirror", "kind: miror", 5, "sources[0].kind", "'miror'", "mirror"),
    (ENTRY, "{data: tiny", "{dta: tiny", 6, "sources[0].files.dta", "'dta'", "data"),
    (ENTRY, "  data: {", "  dat: {", 8, "files.dat", "'dat'", "data"),
    (ENTRY, "unpinned", "unpined", 8, "files.data.unpined", "'a test'", "unpinned"),
    (ENTRY, "kind: svmlight", "kind: svmligt", 9, "parser.kind", "'svmligt'", "svmlight"),
    (ENTRY, "n_features", "n_feature", 9, "parser.n_feature", "3", "n_features"),
    (ENTRY, "kind: none", "kind: non", 10, "split.kind", "'non'", "none"),
    (ENTRY, "shape: {}", "shape: {n_trian: 1}", 11, "shape.n_trian", "1", "n_train"),
    (ENTRY, "task: binary", "task: binry", 3, "task", "'binry'", "binary"),
    (ENTRY, "licence:", "licens:", 13, "licens", "'none'", "licence"),
    (GENERATED, "zipf_d", "zip_d", 6, "sources[0].generator", "'zip_documents'", "zipf_documents"),
    (GENERATED, "n_rows", "n_row", 7, "sources[0].options.n_row", "9", "n_rows"),
    (GENERATED, "kind: tfidf", "kind: tf-idf", 9, "transforms[0].kind", "'tf-idf'", "tfidf"),
]


@pytest.mark.parametrize(("text", "old", "new", "line", "key", "found", "nearest"), MISSPELT)
def test_a_misspelt_name_suggests_the_nearest(
    problems_of, text, old, new, line, key, found, nearest
):
    assert text.count(old) == 1
    (start,) = [
        problem.partition(" Valid: ")[0]
        for problem in problems_of(text.replace(old, new))
        if "did you mean" in problem
    ]
    assert start == f"tiny.yaml, line {line}: {key}: found {found}; valid: did you mean {nearest}?"


OPTIONS = [
    (GENERATED, "n_rows: 0", "n_rows", "0", "greater than or equal to 1"),
    (GENERATED, "n_rows: 9.0", "n_rows", "9.0", "a whole number"),
    (GENERATED, "n_rows: '9'", "n_rows", "'9'", "a whole number"),
    (GENERATED, "n_rows: yes", "n_rows", "true", "a whole number"),
    (GENERATED, "n_rows: null", "n_rows", "null", "a whole number"),
    (GENERATED, "n_classes: 1", "n_classes", "1", "greater than or equal to 2"),
    (GENERATED, "mean_length: .inf", "mean_length", "inf", "a finite number"),
    (GENERATED, "mean_length: 0", "mean_length", "0", "greater than 0"),
    (GENERATED, "topic_share: 1.5", "topic_share", "1.5", "less than or equal to 1"),
    (GENERATED, "multilabel: 1", "multilabel", "1", "true or false"),
    (GENERATED, "vocabulary: 50", "", "{'vocabulary': 50}", "topic_words of at most vocabulary"),
    (GENERATED, "mean_labels: 2", "", "{'mean_labels': 2}", "mean_labels only with multilabel"),
    (GENERATED, "multilabel: true", "", "a set that is multilabel", "no `multilabel: true`"),
    (CLOUDS, "n_rows: 3", "n_rows", "3", "greater than or equal to 4"),
    (CLOUDS, "positive_fraction: 1", "positive_fraction", "1", "less than 1"),
    (CLOUDS, "distance: far", "distance", "'far'", "a number"),
    (CLOUDS, "vocabulary: 5", "vocabulary", "5", "no such key; one of distance, n_features"),
]


@pytest.mark.parametrize(("text", "option", "key", "found", "valid"), OPTIONS)
def test_options_of_generators_are_checked(problems_of, text, option, key, found, valid):
    (problem,) = problems_of(text.replace("n_rows: 9", option))
    key = f"sources[0].options{key and '.'}{key}"
    assert problem.startswith(f"tiny.yaml, line 7: {key}: found {found}; valid: {valid}")


FAULTS = [
    (ENTRY, "- kind: mirror\n  files", "- files", "line 5: sources[0].kind: found nothing"),
    (
        ENTRY,
        "sources:\n- kind: mirror\n",
        "sources:\n- mirror\n- kind: mirror\n",
        "line 5: sources",
    ),
    (
        ENTRY,
        "{data: tiny.txt}",
        "{data: ../tiny}",
        "line 6: sources[0].files.data: found '../tiny'",
    ),
    (ENTRY, "{data: tiny.txt}", "[tiny.txt]", "files: found ['tiny.txt']; valid: a mapping"),
    (ENTRY, "kind: mirror\n  files: {data: tiny.txt}", "kind: openml\n  id: 0", "line 6: sources"),
    (ENTRY, "kind: mirror\n  files: {data: tiny.txt}", "kind: openml\n  id: 1", "target: found no"),
    (
        ENTRY,
        "kind: mirror\n  files: {data: tiny.txt}",
        "kind: bundled\n  loader: iris",
        "line 9: pars",
    ),
    (ENTRY, "{data: tiny.txt}", "{train: a, test: b}", "found roles test, train; valid: the roles"),
    (ENTRY, "n_features: 3", "n_features: 0", "line 9: parser.n_features: found 0; valid: greater"),
    (ENTRY, "kind: none", "kind: given", "line 7: files: found roles data; valid: test, train for"),
    (
        ENTRY,
        "kind: none",
        "kind: sample",
        "line 10: split: found {'kind': 'sample'}; valid: exactly",
    ),
    (
        ENTRY,
        "unpinned: a test",
        "members: {a: " + "f" * 64 + "}",
        "parser svmlight reads no archive",
    ),
    (ENTRY, "binary", "multilabel", "line 3: task: found multilabel; valid: binary or multiclass"),
    (
        ENTRY,
        "shape: {}",
        "shape: {n_test: 3}",
        "shape.n_test: found 3; valid: null: split none has",
    ),
    (
        ENTRY,
        "shape: {}",
        "shape: {positives: {train: {a: 1}}}",
        "found a mapping; valid: one number",
    ),
    (
        ENTRY,
        "shape: {}",
        "shape: {positives: {train: -1}}",
        "shape.positives.train: found -1; valid",
    ),
    (
        ENTRY,
        "shape: {}",
        "shape: {}\ntarget: a",
        "line 12: target: found 'a'; valid: only for parser",
    ),
    (ENTRY, "shape: {}", "shape: {}\ndrop_columns: [1]", "line 12: drop_columns: found [1]; valid"),
    (
        ENTRY,
        "shape: {}",
        "shape: {}\ndrop_columns: [1.5]",
        "found 1.5; valid: text or a whole number",
    ),
    (ENTRY, "shape: {}", "shape: {}\nshape: {}", "line 12: shape: found the key a second time"),
    (
        ENTRY,
        "shape: {}",
        "shape: {}\ntransforms: [{kind: min_max}]",
        "found min_max; valid: only on",
    ),
    (
        ENTRY,
        "shape: {}",
        "shape: {}\ntransforms: [{kind: tfidf}]",
        "found tfidf; valid: only first",
    ),
    (
        ENTRY,
        "shape: {}",
        "shape: {}\npositive: {}",
        "line 12: positive: found {}; valid: exactly one",
    ),
    (
        ENTRY,
        "licence: none\n",
        "",
        "tiny.yaml: licence: found nothing; valid: this key is required",
    ),
    (ENTRY, "title: Tiny", "title: 7", "line 2: title: found 7; valid: text"),
    (
        GENERATED,
        "transforms: [{kind: tfidf}]\n",
        "",
        "transforms: found nothing; valid: tfidf first",
    ),
    (
        GENERATED,
        "kind: none",
        "kind: given",
        "line 8: split.kind: found given; valid: sample or none",
    ),
    (
        GENERATED,
        "{kind: tfidf}",
        "{kind: tfidf, token_pattern: '('}",
        "valid: a regular expression",
    ),
    (
        ARXIV,
        "'1991-01-01'",
        "'1991-01-32'",
        "line 11: parser.first_date: found '1991-01-32'; valid",
    ),
    (
        ARXIV,
        "'1991-01-01'",
        "1991-01-01",
        "found the date 1991-01-01 (in quotes it is text); valid",
    ),
    (ARXIV, "'1991-01-01'", "'2005-01-01'", "valid: a first_date that is not after last_date"),
    (
        ARXIV,
        "[hep-th, gr-qc]",
        "[hep-th]",
        "line 13: parser.archives: found ['hep-th']; valid: a li",
    ),
    (
        ARXIV,
        "kind: arxiv_snapshot",
        "kind: paperscape",
        "line 8: files.data: found no members; valid",
    ),
]


@pytest.mark.parametrize(("text", "old", "new", "expected"), FAULTS)
def test_other_faults_are_found_when_the_entry_is_loaded(problems_of, text, old, new, expected):
    assert text.count(old) == 1
    problems = problems_of(text.replace(old, new))
    assert any(expected in problem for problem in problems), problems


def test_faults_of_keys_and_between_keys_are_listed_together(problems_of):
    text = ENTRY.replace("n_features: 3", "n_features: x").replace("kind: none", "kind: given")
    text = text.replace("shape: {}", "shape: {}\nsubstitute_for: other").replace("tiny\n", "tin\n")
    keys = [problem.split(": ")[1] for problem in problems_of(text)]
    assert keys == ["parser.n_features", "substitute_reason", "name"]


def test_references_are_checked_though_other_keys_are_wrong(tmp_path):
    (tmp_path / "tiny.yaml").write_text(ENTRY + "substitute: tin\ntitel: Tiny\n", encoding="utf-8")
    (tmp_path / "other.yml").write_text(ENTRY, encoding="utf-8")
    with pytest.raises(CatalogueError) as caught:
        load_catalogue(tmp_path)
    text = str(caught.value)
    assert "tiny.yaml, line 14: substitute: found 'tin'; valid: did you mean tiny?" in text
    assert "tiny.yaml, line 15: titel: found 'Tiny'; valid: did you mean title?" in text
    assert "other.yml: found the suffix .yml; valid: other.yaml" in text
    assert text.startswith("3 problems in the data set catalogue:")
