"""The claims; each rule stands, in words, in paper.yaml."""

from beyond_accuracy_pipeline.papers.li2013.claims import (
    agreement,
    penalty,
    seconds,
    sweeps,
    values,
)
from beyond_accuracy_pipeline.papers.li2013.claims.judging import CLAIMS

__all__ = ["CLAIMS", "agreement", "penalty", "seconds", "sweeps", "values"]
