"""Classifiers for performance measures other than accuracy."""
