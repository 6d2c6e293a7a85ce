"""Names and labels of the data sets, methods and measures of Cheng et al. (2016)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from beyond_accuracy_pipeline.reporting.formats import percent

MEASURE = "f1"

# The five methods of the paper, and added methods.
SVM_PERF = "svm_perf"
PAPER_METHODS = {
    SVM_PERF: "SVM-perf",
    "svm_cs": "SVM-CS",
    "lr_f": "LR-F",
    "bm_nls_cs": "BM-nls-CS",
    "bm_ls_cs": "BM-ls-CS",
}
TUNED = "lr_tuned"
METHODS = {**PAPER_METHODS, TUNED: "LR, tuned threshold", "error_rate": "Error rate"}
COLLECTIONS = ("a3a", "acoustic", "ijcnn1", "letter", "news20", "satimage")

SCALED = "the rows of news20, term counts in the file, are scaled to unit length here"
"""As the catalogue says; the paper's text says nothing about it."""

PROPOSED = "bm_ls_cs"


def finding(numbers: Mapping[str, Mapping[str, Any]]) -> str:
    """Return a sentence that states the main result of Cheng et al. (2016).

    `numbers` maps the id of each claim to a dict of computed values, such as {"faster": 10}.
    """
    differences = numbers["better-or-comparable-to-bm-nls-cs-and-lr-f"]
    pairs = [
        name for name in differences if not name.endswith((": interval from", ": interval to"))
    ]
    good = sum(max(differences[name], differences[f"{name}: interval to"]) >= 0 for name in pairs)
    faster = numbers["faster-than-bm-nls-cs-and-lr-f"]["faster"]
    lead = percent(numbers["news20-f1"]["difference"])
    return (
        f"Its F1 is better or comparable (the interval reaches zero) in {good} of {len(pairs)} "
        f"comparisons, and it trains faster in {faster:g}. "
        f"Median lead over SVM-CS on news20: {lead} points (paper: {_published_lead():.2f})."
    )


def _published_lead() -> float:
    """Return the printed lead in F1 of BM-ls-CS over SVM-CS on news20, in percentage points."""
    table = pd.read_csv(Path(__file__).parent / "published" / "table3.csv")
    f1 = table[table["measure"] == "f1_percent"].set_index("method")["value"]
    return f1[PROPOSED] - f1["svm_cs"]
