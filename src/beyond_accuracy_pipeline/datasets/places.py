"""Where runs look for the entries of data sets."""

CATALOGUE_FOLDER = "config/datasets"
