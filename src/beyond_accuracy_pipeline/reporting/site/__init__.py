"""The web pages that show all results of a run."""

from .build import build_site

__all__ = ["build_site"]
