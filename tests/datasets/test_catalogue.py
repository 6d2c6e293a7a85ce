import pytest
import yaml
from pydantic import BaseModel

from beyond_accuracy.datasets import entry as entry_module
from beyond_accuracy.datasets import sources, steps
from beyond_accuracy.datasets.catalogue import entry_named, load_catalogue, load_entry
from beyond_accuracy.datasets.errors import CatalogueError, nearest


@pytest.fixture
def folder(tmp_path, catalogue_folder):
    """A copy of two real entries, one the substitute of the other."""
    for name in ("covertype", "covertype-first20000"):
        text = (catalogue_folder / f"{name}.yaml").read_text(encoding="utf-8")
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    return tmp_path


def change(path, **keys):
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    path.write_text(yaml.safe_dump(content | keys), encoding="utf-8")


def test_every_entry_is_named_like_its_file(catalogue, catalogue_folder):
    assert set(catalogue) == {path.stem for path in catalogue_folder.glob("*.yaml")}


def test_all_papers_have_their_data_sets(catalogue):
    of_paper = {
        paper: {name for name, entry in catalogue.items() if paper in entry.papers}
        for paper in ("joachims2005", "li2013", "cheng2016", "dembczynski2011")
    }
    assert of_paper == {
        "joachims2005": {"reuters21578-modapte", "arxiv-physics", "optdigits", "covertype"},
        "li2013": {"ijcnn1", "mitfaces", "reuters-money-fx", "splice", "usps-01234"},
        "cheng2016": {"a3a", "acoustic", "ijcnn1", "letter", "news20", "satimage"},
        "dembczynski2011": {"scene", "yeast-multilabel", "enron", "mediamill"},
    }


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


def test_every_substitute_says_why(catalogue):
    for entry in catalogue.values():
        if entry.substitute:
            assert catalogue[entry.substitute].substitute_for == entry.name
            assert catalogue[entry.substitute].substitute_reason


def test_every_key_of_the_models_is_described():
    for module in (entry_module, sources, steps):
        for model in vars(module).values():
            if isinstance(model, type) and issubclass(model, BaseModel):
                for name, field in model.model_fields.items():
                    assert field.description, f"{model.__name__}.{name}"


def test_all_faults_of_all_files_are_listed_with_file_and_key(folder):
    first, second = folder / "covertype.yaml", folder / "covertype-first20000.yaml"
    change(first, task="multiclas", licens="none", shape={"n_train": -1})
    change(second, files={"data": {"sha256": ["abc"]}})
    with pytest.raises(CatalogueError) as caught:
        load_catalogue(folder)
    text = "\n".join(caught.value.problems)
    places = {path: line_numbers(path) for path in (first, second)}
    for path, start, rest in (
        (
            first,
            "task:",
            "task: found 'multiclas'; valid: did you mean multiclass? Valid: binary, ",
        ),
        (first, "licens:", "licens: found 'none'; valid: did you mean licence? Valid: citation, "),
        (first, "n_train: -1", "shape.n_train: found -1; valid: greater than or equal to 0"),
        (second, "- abc", "files.data.sha256[0]: found 'abc'; valid: text that matches ^[0-9a-f]"),
    ):
        assert f"{path}, line {places[path][start]}: {rest}" in text
    assert len(caught.value.problems) == 4


def line_numbers(path):
    """The line on which each text of a file starts."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return {line.strip()[:length]: n for n, line in enumerate(lines, 1) for length in range(60)}


def test_a_missing_key_is_named(folder):
    path = folder / "covertype.yaml"
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    del content["citation"]
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    with pytest.raises(CatalogueError, match="citation: found nothing; valid: this key is req"):
        load_entry(path)


def test_a_misspelt_substitute_suggests_the_nearest_name(folder):
    change(folder / "covertype.yaml", substitute="covertype-first2000")
    with pytest.raises(CatalogueError, match="did you mean covertype-first20000"):
        load_catalogue(folder)


def test_a_name_must_be_the_file_name(folder):
    change(folder / "covertype.yaml", name="covtype")
    with pytest.raises(CatalogueError, match="name: found 'covtype'; valid: the file's name"):
        load_entry(folder / "covertype.yaml")


def test_a_substitute_must_know_what_it_stands_for(folder):
    change(folder / "covertype-first20000.yaml", substitute_for="something else")
    with pytest.raises(CatalogueError, match="valid: an entry with substitute_for: covertype"):
        load_catalogue(folder)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [", "broken.yaml, line 1: is not valid YAML"),
        ("- 1", r"found \[1\]; valid: a mapping"),
        ("", "found nothing"),
        ("\na: 2004-02-31", "line 2: is not valid YAML: '2004-02-31': day is out of range"),
        ("a: !!python/name:os.system", "line 1: is not valid YAML: could not determine"),
    ],
)
def test_a_file_that_is_no_mapping(tmp_path, text, message):
    path = tmp_path / "broken.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CatalogueError, match=message):
        load_entry(path)


def test_a_missing_file_and_folder(tmp_path):
    with pytest.raises(CatalogueError, match="found no such file"):
        load_entry(tmp_path / "none.yaml")
    with pytest.raises(CatalogueError, match="found no such folder"):
        load_catalogue(tmp_path / "none")


@pytest.mark.parametrize("path", ["/etc/passwd", "../secret", "a/../../b"])
def test_a_mirror_path_stays_below_the_mirror(make_entry, path):
    with pytest.raises(ValueError, match="relative path"):
        make_entry(sources=[{"kind": "mirror", "files": {"data": path}}])


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"parser": None}, "parser: found nothing"),
        ({"files": {"train": {"unpinned": "x"}}}, "found roles"),
        ({"files": {"data": {}}}, "exactly one of sha256"),
        ({"positive": {"smallest_class": True}}, "only for task binary"),
        ({"task": "binary", "positive": {}}, "exactly one of `classes"),
        ({"parser": {"kind": "arff"}}, "target: found nothing"),
        ({"substitute_for": "other"}, "both or neither"),
        ({"split": {"kind": "sample"}}, "exactly one of n_train and train_fraction"),
        ({"sources": [{"kind": "openml", "id": 1}]}, "target: found nothing"),
    ],
)
def test_inconsistent_entries_are_refused(make_entry, keys, message):
    with pytest.raises(ValueError, match=message):
        make_entry(**keys)


def test_nearest_and_entry_named(catalogue):
    assert nearest("optdigit", catalogue)[0] == "optdigits"
    assert nearest("zzzzzz", catalogue) == []
    with pytest.raises(CatalogueError, match="'coverttype' is not in the catalogue; did you mean"):
        entry_named(catalogue, "coverttype")
