"""Faults done to real runs of the pipeline, after which nothing wrong may look right."""
