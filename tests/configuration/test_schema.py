"""The schemas for editors, the documentation and the models agree."""

import json

import pytest
import yaml
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from beyond_accuracy_pipeline.configuration.run import Configuration
from beyond_accuracy_pipeline.configuration.schema import schemas, write_schemas
from beyond_accuracy_pipeline.papers import paper_ids


@pytest.fixture(scope="module")
def definitions():
    return schemas()["definitions.json"]["$defs"]


def test_committed_schemas_equal_the_models(repository, tmp_path):
    write_schemas(tmp_path)
    for name in schemas():
        committed = repository / "workflow/schemas" / name
        assert committed.read_text() == (tmp_path / name).read_text()


def test_schemas_take_the_repository_s_configuration_and_refuse_others(repository):
    """References between schema files resolve, as in an editor."""
    contents = {
        name: json.loads((repository / "workflow/schemas" / name).read_text()) for name in schemas()
    }
    registry = Registry().with_resources(
        (name, Resource.from_contents(schema)) for name, schema in contents.items()
    )
    paper, config = (
        Draft202012Validator(contents[name], registry=registry)
        for name in ("paper.json", "config.json")
    )
    general = yaml.safe_load((repository / "config/config.yaml").read_text())
    config.validate(general)
    for name in paper_ids():
        file = repository / f"src/beyond_accuracy_pipeline/papers/{name}/paper.yaml"
        content = yaml.safe_load(file.read_text())
        paper.validate(content)
        config.validate({**general, **content})
        content[name]["data_set"] = []
        assert not paper.is_valid(content)


def test_every_key_is_documented(repository, definitions):
    text = (repository / "config/README.md").read_text()
    models = {name: model for name, model in definitions.items() if "properties" in model}
    for model in models.values():
        assert all(field.get("description") for field in model["properties"].values())
    for key in Configuration.model_fields:
        assert f"`{key}" in text, key
    for name, model in models.items():
        prefixes = {"Paper": "`", "Method": "`methods.<method>.", "Studies": "`studies."}
        for key in model["properties"]:
            for suffix, prefix in prefixes.items():
                assert not name.endswith(suffix) or f"{prefix}{key}" in text, key
