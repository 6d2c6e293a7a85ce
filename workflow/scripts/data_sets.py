"""List the data sets of a run: sources, checksums, shapes, substitutes and missing data."""

from beyond_accuracy_pipeline.workflow.job import running

with running(snakemake):
    import pandas as pd

    from beyond_accuracy_pipeline.datasets.overview import data_sets_table
    from beyond_accuracy_pipeline.datasets.record import read_record
    from beyond_accuracy_pipeline.results.frames import write_csv

    rows = data_sets_table([read_record(folder) for folder in snakemake.input])
    write_csv(snakemake.output[0], pd.DataFrame(rows))
