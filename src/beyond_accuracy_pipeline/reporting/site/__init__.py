"""The pages on which all results stand, made from results alone."""

from beyond_accuracy_pipeline.reporting.site.build import build_site

__all__ = ["build_site"]
