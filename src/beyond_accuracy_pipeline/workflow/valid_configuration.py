"""Validate the configuration, or reuse the last result if nothing has changed.

Validation imports scikit-learn, all estimators and all papers, which doubles the start time of
Snakemake.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from beyond_accuracy_pipeline.datasets.entry import Catalogue
from beyond_accuracy_pipeline.papers import paper_ids
from beyond_accuracy_pipeline.workflow.digest import EXPERIMENTS, PAPERS, REPORTS, source_digest

_CODE = (*EXPERIMENTS, *REPORTS, PAPERS, "beyond_accuracy_pipeline/configuration")


def valid_configuration(
    config: Mapping[str, Any],
    files: Sequence[str],
    catalogue: Catalogue,
    command_line: Mapping[str, Any],
    memory: str | Path = ".snakemake/valid_configuration.json",
) -> dict[str, Any]:
    """Return the validated configuration of a run, from a cache file if nothing has changed.

    `config` was read from `files`, and `command_line` has the values given on the command line. The
    cache file `memory` has the last result and a digest of everything that it depends on.
    """
    mirror = config.get("mirror")
    depends_on = {
        "arguments": [config, command_line],
        "files": {file: Path(file).read_text(encoding="utf-8") for file in files},
        "catalogue": {name: entry.model_dump(mode="json") for name, entry in catalogue.items()},
        "papers": paper_ids(),
        "mirror": isinstance(mirror, str) and Path(mirror).is_dir(),
        "code": [source_digest(*_CODE), version("scikit-learn")],
    }
    digest = hashlib.sha256(json.dumps(depends_on, default=str).encode()).hexdigest()
    memory = Path(memory)
    try:
        remembered = json.loads(memory.read_bytes())
        if remembered["digest"] == digest:
            return remembered["configuration"]
    except (OSError, ValueError, TypeError, KeyError):
        pass

    from beyond_accuracy_pipeline.configuration.validation import validate_configuration

    configuration = validate_configuration(config, files, catalogue, command_line=command_line)
    remembered = json.dumps({"digest": digest, "configuration": configuration})
    memory.parent.mkdir(exist_ok=True)
    memory.write_text(remembered, encoding="utf-8")
    return json.loads(remembered)["configuration"]
