"""The web pages that show all results of a run."""

from beyond_accuracy_pipeline.reporting.site.build import build_site

__all__ = ["build_site"]
