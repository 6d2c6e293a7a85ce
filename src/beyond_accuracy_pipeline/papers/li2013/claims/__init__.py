"""Claims of the paper. The file paper.yaml describes each rule in words."""

from beyond_accuracy_pipeline.papers.li2013.claims import (
    agreement,
    penalty,
    seconds,
    sweeps,
    values,
)
from beyond_accuracy_pipeline.papers.li2013.claims.judging import CLAIMS

__all__ = ["CLAIMS", "agreement", "penalty", "seconds", "sweeps", "values"]
