"""Write the JSON schemas of the configuration files into ``workflow/schemas``, for editors."""

import json
import sys
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from beyond_accuracy_pipeline.configuration.run import Configuration
from beyond_accuracy_pipeline.configuration.validation import PaperConfiguration


def schemas() -> dict[str, dict[str, Any]]:
    """Return the JSON schemas of the configuration files, by file name."""
    paper = TypeAdapter(PaperConfiguration).json_schema()
    definitions = paper.pop("$defs") | {"PaperConfiguration": paper}
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    papers = {"additionalProperties": {"$ref": "definitions.json#/$defs/PaperConfiguration"}}
    title = {"title": "A paper's configuration, below its name", "type": "object"}
    one_key = {"minProperties": 1, "maxProperties": 1}
    return {
        "definitions.json": dialect | {"$defs": definitions},
        "config.json": dialect | Configuration.model_json_schema() | papers,
        "paper.json": dialect | title | papers | one_key,
    }


def write_schemas(folder: str | Path) -> None:
    """Write the JSON schemas of the configuration files into a folder."""
    for name, schema in schemas().items():
        text = json.dumps(schema, indent=2, ensure_ascii=False)
        (Path(folder) / name).write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    write_schemas(sys.argv[1])
