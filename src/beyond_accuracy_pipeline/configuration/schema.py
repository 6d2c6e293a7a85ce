"""Write the JSON schemas of the configuration files into ``workflow/schemas``, for editors."""

import json
import sys
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from beyond_accuracy_pipeline.configuration.run import Configuration
from beyond_accuracy_pipeline.configuration.validation import PaperConfiguration

_DIALECT = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
_PAPER = {"$ref": "definitions.json#/$defs/PaperConfiguration"}


def schemas() -> dict[str, dict[str, Any]]:
    """Return the JSON schemas of the configuration files, by file name.

    The names are config.json, paper.json and definitions.json.
    """
    paper = TypeAdapter(PaperConfiguration).json_schema()
    definitions = paper.pop("$defs")
    return {
        "definitions.json": {**_DIALECT, "$defs": {**definitions, "PaperConfiguration": paper}},
        "config.json": {
            **_DIALECT,
            **Configuration.model_json_schema(),
            "additionalProperties": _PAPER,
        },
        "paper.json": {
            **_DIALECT,
            "title": "A paper's configuration, below its name",
            "type": "object",
            "additionalProperties": _PAPER,
            "minProperties": 1,
            "maxProperties": 1,
        },
    }


def write_schemas(folder: str | Path) -> None:
    """Write the JSON schemas of the configuration files, as in `schemas()`, into a folder."""
    for name, schema in schemas().items():
        text = json.dumps(schema, indent=2, ensure_ascii=False)
        (Path(folder) / name).write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    write_schemas(sys.argv[1])
