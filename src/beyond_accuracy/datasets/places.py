"""Where data sets are looked for; nothing is imported."""

CATALOGUE_FOLDER = "config/datasets"
"""The folder of the entries that runs read."""
