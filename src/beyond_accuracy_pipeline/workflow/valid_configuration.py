"""The validated configuration, remembered: one that has not changed is not validated again.

Validation imports scikit-learn, all estimators and all papers, which takes longer than all else
that a start of Snakemake does.
"""

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from beyond_accuracy_pipeline.datasets.entry import Catalogue
from beyond_accuracy_pipeline.papers import paper_ids
from beyond_accuracy_pipeline.workflow.digest import EXPERIMENTS, source_digest

_FLOORS = (*EXPERIMENTS, "configuration", "papers", "reporting")


def valid_configuration(
    config: Mapping[str, Any],
    files: Sequence[str],
    catalogue: Catalogue,
    command_line: Mapping[str, Any],
    memory: str | Path = ".snakemake/valid_configuration.json",
) -> dict[str, Any]:
    """Return what `validate_configuration` returns for these arguments, as JSON has it.

    The file `memory` holds the last valid configuration, under a digest of all that validation
    depends on: the arguments, the contents of `files`, this library's code, scikit-learn's version
    and whether the mirror is a folder. That classes of other libraries are still there is left to
    the jobs that use them. Raises ConfigurationError listing all errors.
    """
    mirror = config.get("mirror")
    parts = {
        "arguments": [config, command_line],
        "files": {file: Path(file).read_text(encoding="utf-8") for file in files},
        "catalogue": {name: entry.model_dump(mode="json") for name, entry in catalogue.items()},
        "papers": paper_ids(),
        "mirror": isinstance(mirror, str) and Path(mirror).is_dir(),
        "code": [source_digest(*_FLOORS), version("scikit-learn")],
    }
    digest = _sha256(json.dumps(parts, default=str))
    memory = Path(memory)
    try:
        remembered = json.loads(memory.read_bytes())
    except (OSError, ValueError):
        remembered = {}
    if isinstance(remembered, dict) and remembered.get("digest") == digest:
        text = remembered.get("configuration")
        # A digit that is another one is a valid configuration, too.
        if isinstance(text, str) and _sha256(text) == remembered.get("sha256"):
            return json.loads(text)

    from beyond_accuracy_pipeline.configuration.validation import validate_configuration

    configuration = validate_configuration(config, files, catalogue, command_line=command_line)
    text = json.dumps(configuration)
    remembered = {"digest": digest, "sha256": _sha256(text), "configuration": text}
    memory.parent.mkdir(exist_ok=True)
    partial = memory.with_suffix(f".{os.getpid()}")
    partial.write_text(json.dumps(remembered), encoding="utf-8")
    partial.replace(memory)
    return json.loads(text)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
