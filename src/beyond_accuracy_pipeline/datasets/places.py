"""Default folder of the catalogue of data sets, relative to the repository."""

CATALOGUE_FOLDER = "config/datasets"
