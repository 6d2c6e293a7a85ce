"""The repository's catalogue, and the errors of an entry: line, key, value, valid values."""

import re

import pytest
import yaml
from pydantic import BaseModel

from beyond_accuracy_pipeline.configuration.catalogue import load_catalogue
from beyond_accuracy_pipeline.configuration.files import ConfigurationError
from beyond_accuracy_pipeline.datasets import entry as entry_module
from beyond_accuracy_pipeline.datasets import sources, steps

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
FILES = ENTRY[ENTRY.index("- kind") : ENTRY.index("split")]
CLOUDS = ENTRY.replace(
    FILES, "- kind: generated\n  generator: imbalanced_gaussians\n  options: {n_rows: 9}\n"
)
MULTICLASS = ENTRY.replace("binary", "multiclass").replace(
    "shape:", "transforms: [{kind: tfidf}]\nshape:"
)
DOCUMENTS = MULTICLASS.replace(
    FILES, "- kind: generated\n  generator: zipf_documents\n  options: {n_rows: 9}\n"
)
ARXIV = MULTICLASS.replace(
    "{kind: svmlight, n_features: 3}",
    """
  kind: arxiv_snapshot
  first_date: '1991-01-01'
  last_date: '2004-12-31'
  archives: [hep-th, gr-qc]
  min_documents: 2""",
)
TABLE = ENTRY.replace("{kind: svmlight, n_features: 3}", "{kind: csv}").replace(
    "shape:", "target: a\npreprocess: {one_hot: true, impute: null}\nshape:"
)
OPTIONS = "sources[0].options"
MIRROR = "kind: mirror\n  files: {data: tiny.txt}"
FAULTS = [
    # Misspelt names.
    (ENTRY, "kind: mirror", "kind: miror", "sources[0].kind", "'miror'", "did you mean 'mirror'?"),
    (ENTRY, "task: binary", "task: binry", "task", "'binry'", "did you mean 'binary'?"),
    (ENTRY, "licence:", "licens:", "licens", "unknown key 'licens'", "did you mean 'licence'?"),
    (ENTRY, "name: tiny", "name: tin", "name", "'tin'", "the file's name, 'tiny'"),
    (DOCUMENTS, "zipf_d", "zip_d", "sources[0].generator", "'zip_documents'", "'zipf_documents'?"),
    (CLOUDS, "n_rows: 9", "vocabulary: 5", f"{OPTIONS}.vocabulary", "unknown key",
     "one of: distance, n_features"),
    (TABLE, "shape:", "transforms: [{kind: unit_length}]\nshape:", "transforms", "unit_length",
     "none beside preprocess"),
    # Single values.
    (DOCUMENTS, "n_rows: 9", "n_rows: 0", f"{OPTIONS}.n_rows", "0", "greater than or equal to 1"),
    (DOCUMENTS, "n_rows: 9", "n_rows: 9.0", f"{OPTIONS}.n_rows", "9.0", "a whole number"),
    (DOCUMENTS, "n_rows: 9", "mean_length: .inf", f"{OPTIONS}.mean_length", "inf", "a finite"),
    (DOCUMENTS, "n_rows: 9", "multilabel: 1", f"{OPTIONS}.multilabel", "1", "true or false"),
    (ENTRY, "{data: tiny.txt}", "{data: ../tiny}", "sources[0].files.data", "'../tiny'", "without"),
    (ENTRY, "{data: tiny.txt}", "[tiny.txt]", "sources[0].files", "['tiny.txt']", "a mapping"),
    (ENTRY, MIRROR, "kind: url\n  files: {data: ['ftp://a/']}", "sources[0].files.data[0]",
     "'ftp://a/'", "text that matches"),
    (ENTRY, "{unpinned: a test}", "{sha256: [abc]}", "files.data.sha256[0]", "'abc'",
     "text that matches ^[0-9a-f]"),
    (ENTRY, "- kind: mirror\n  files", "- files", "sources[0].kind", "nothing", "required"),
    (ENTRY, "shape: {}", "shape: {}\ndrop_columns: [1.5]", "drop_columns[0]", "1.5",
     "text or a whole number"),
    (ENTRY, "shape: {}", "shape: {}\nshape: {}", "shape", "the key is given twice", "once"),
    (ENTRY, "licence: none\n", "", "licence", "nothing", "this key is required"),
    (ARXIV, "'1991-01-01'", "1991-01-01", "parser.first_date",
     "the date 1991-01-01 (in quotes it is text)", "text"),
    (ARXIV, "[hep-th, gr-qc]", "[hep-th]", "parser.archives", "['hep-th']", "a list of 2 or more"),
    # Values that do not go together.
    (DOCUMENTS, "transforms: [{kind: tfidf}]\n", "", "transforms", "nothing", "tfidf first"),
    (DOCUMENTS, "kind: none", "kind: given", "split.kind", "given", "sample or none"),
    (ENTRY, MIRROR, "kind: openml\n  id: 1", "sources[0]", "parser svmlight", "for parser arff"),
    (ENTRY, "parser: {kind: svmlight, n_features: 3}\n", "", "parser", "nothing", "a parser for"),
    (ENTRY, "{kind: svmlight, n_features: 3}", "{kind: arff}", "target", "nothing", "the name of"),
    (ENTRY, "{data: tiny.txt}", "{train: a, test: b}", "sources[0].files", "roles test, train",
     "the roles of `files`, data"),
    (ENTRY, "kind: none", "kind: given", "files", "roles data", "test, train for parser svmlight"),
    (ENTRY, "kind: none", "kind: sample", "split", "{'kind': 'sample'}", "exactly one of n_train"),
    (ENTRY, "{unpinned: a test}", "{}", "files.data", "{}", "exactly one of sha256"),
    (ENTRY, "binary", "multilabel", "task", "multilabel", "binary or multiclass for parser"),
    (ENTRY, "shape: {}", "shape: {n_test: 3}", "shape.n_test", "3", "null: split none has no test"),
    (ENTRY, "shape: {}", "shape: {positives: {train: {a: 1}}}", "shape.positives.train",
     "a mapping", "one number for task binary"),
    (ENTRY, "shape: {}", "shape: {}\ntarget: a", "target", "'a'", "only for parsers arff"),
    (ENTRY, "shape: {}", "shape: {}\ndrop_columns: [1]", "drop_columns", "[1]", "only for parsers"),
    (ENTRY, "shape: {}", "shape: {}\ntransforms: [{kind: min_max}]", "transforms[0].kind",
     "min_max", "only on dense data"),
    (ENTRY, "shape: {}", "shape: {}\ntransforms: [{kind: tfidf}]", "transforms[0].kind", "tfidf",
     "only first"),
    (ENTRY, "shape: {}", "shape: {}\npositive: {}", "positive", "{}", "exactly one of `classes"),
    (ARXIV, "shape: {}", "shape: {}\npositive: {smallest_class: true}", "positive", "a rule",
     "only for task binary"),
]  # fmt: skip


@pytest.fixture
def faults_of(tmp_path):
    """Return a function that returns the errors of a configuration text, by key."""

    def check(text):
        path = tmp_path / "tiny.yaml"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(ConfigurationError) as caught:
            load_catalogue(tmp_path)
        pattern = r"^  \S.*: (\S+)\n    found: (.*)\n    valid: (.*)"
        faults = re.findall(pattern, str(caught.value), re.MULTILINE)
        return {key: (found, valid) for key, found, valid in faults}

    return check


@pytest.mark.parametrize("text", [ENTRY, DOCUMENTS, CLOUDS, ARXIV])
def test_the_entries_that_are_varied_below_are_valid(tmp_path, text):
    (tmp_path / "tiny.yaml").write_text(text, encoding="utf-8")
    assert list(load_catalogue(tmp_path)) == ["tiny"]


@pytest.mark.parametrize(("text", "old", "new", "key", "found", "valid"), FAULTS)
def test_a_fault_is_named(faults_of, text, old, new, key, found, valid):
    assert text.count(old) == 1
    faults = faults_of(text.replace(old, new))
    assert key in faults, faults
    assert faults[key][0].startswith(found)
    assert valid in faults[key][1]


def test_faults_of_keys_and_between_keys_are_listed_together(faults_of):
    text = ENTRY.replace("n_features: 3", "n_features: x").replace("kind: none", "kind: given")
    text = text.replace("shape: {}", "shape: {positives: {train: {a: 1}}}")
    text = text.replace("tiny\n", "tin\n")
    assert list(faults_of(text)) == ["parser.n_features", "shape.positives.train", "name"]


def test_all_faults_of_all_files_are_listed_with_references(tmp_path):
    (tmp_path / "tiny.yaml").write_text(ENTRY + "substitute: tin\ntitel: Tiny\n", encoding="utf-8")
    (tmp_path / "other.yml").write_text(ENTRY, encoding="utf-8")
    (tmp_path / "list.yaml").write_text("- 1", encoding="utf-8")
    with pytest.raises(ConfigurationError) as caught:
        load_catalogue(tmp_path)
    text = str(caught.value).replace("\n    ", " ")
    assert text.startswith("The configuration has 4 errors; nothing was run.")
    assert "tiny.yaml, line 14: substitute found: 'tin' valid: did you mean 'tiny'?" in text
    assert (
        "tiny.yaml, line 15: titel found: unknown key 'titel' valid: did you mean 'title'?" in text
    )
    assert "other.yml: (whole file) found: the suffix .yml valid: other.yaml" in text
    assert "list.yaml: (whole file) found: [1] valid: a mapping" in text
    with pytest.raises(ConfigurationError, match="found: no such folder"):
        load_catalogue(tmp_path / "none")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"covertype": {"substitute": "covertype-first2000"}}, "mean 'covertype-first20000'"),
        ({"covertype": {"task": "binary"}}, "valid: an entry with task: binary"),
        ({"covertype-first20000": {"substitute_for": "other"}}, "with substitute_for: covertype"),
    ],
)
def test_a_substitute_and_what_it_stands_for_agree(tmp_path, catalogue_folder, changes, message):
    for name in ("covertype", "covertype-first20000"):
        content = yaml.safe_load((catalogue_folder / f"{name}.yaml").read_text(encoding="utf-8"))
        text = yaml.safe_dump(content | changes.get(name, {}))
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=message):
        load_catalogue(tmp_path)


def test_the_sets_of_deng2006_follow_the_rule_of_the_readme(catalogue):
    families = {
        name: entry
        for name, entry in catalogue.items()
        if entry.collection == "weka-uci" and entry.variant_of is None
    }
    assert all(entry.shape.n_classes >= 3 for entry in families.values())
    by_size = sorted(families, key=lambda name: -families[name].shape.n_train)
    sizes = [families[name].shape.n_train for name in by_size]
    assert sizes[24] > sizes[25]
    chosen = {name for name, entry in catalogue.items() if "deng2006" in entry.papers}
    assert chosen == set(by_size[:25])
    assert "nursery" in chosen


def test_every_key_of_the_models_is_described():
    for module in (entry_module, sources, steps):
        for model in vars(module).values():
            if isinstance(model, type) and issubclass(model, BaseModel):
                for name, field in model.model_fields.items():
                    assert field.description, f"{model.__name__}.{name}"
