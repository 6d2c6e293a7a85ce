"""The pipeline that regenerates the tables, tests and figures of the papers."""
