"""Files of studies, as Parquet."""

from beyond_accuracy.results.frames import write_frame as write_table

__all__ = ["write_table"]
