"""JSON schemas of the configuration files, for completion and checks in editors.

``python -m beyond_accuracy.pipeline.schema workflow/schemas`` writes them; a test holds them and
the models together.
"""

import json
import sys
from pathlib import Path
from typing import Any

from beyond_accuracy.pipeline.configuration import PAPER_MODELS, Configuration

_DIALECT = {"$schema": "https://json-schema.org/draft/2020-12/schema"}


def schemas() -> dict[str, dict[str, Any]]:
    """Return the schema of each kind of file, by file name.

    ``config.json`` is that of ``config/config.yaml`` and of files for ``--configfile`` that give
    whole sections; ``paper.json`` is that of ``config/papers/*.yaml``.
    """
    definitions: dict[str, Any] = {}
    for model in PAPER_MODELS.values():
        paper = model.model_json_schema()
        definitions |= {**paper.pop("$defs"), model.__name__: paper}
    names = [model.__name__ for model in PAPER_MODELS.values()]
    reference = {"oneOf": [{"$ref": f"#/$defs/{name}"} for name in names]}
    config = Configuration.model_json_schema()
    return {
        "config.json": {
            **_DIALECT,
            **config,
            "additionalProperties": reference,
            "$defs": definitions,
        },
        "paper.json": {
            **_DIALECT,
            "title": "A paper's configuration, below its name",
            "type": "object",
            "additionalProperties": reference,
            "minProperties": 1,
            "maxProperties": 1,
            "$defs": definitions,
        },
    }


def write_schemas(folder: str | Path) -> None:
    """Write all schemas into `folder`."""
    for name, schema in schemas().items():
        text = json.dumps(schema, indent=2, ensure_ascii=False)
        (Path(folder) / name).write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    write_schemas(sys.argv[1])
