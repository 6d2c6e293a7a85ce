"""Beyond the paper: other ways to the probabilities that GFM needs, EFP and systematic samples."""

import pandas as pd

from beyond_accuracy_pipeline.papers.dembczynski2011.names import (
    BR,
    EFP,
    PCC,
    THRESHOLD,
    Row,
    measure_label,
    row_label,
    table_measures,
    table_rows,
)
from beyond_accuracy_pipeline.papers.dembczynski2011.table1 import row_columns
from beyond_accuracy_pipeline.papers.dembczynski2011.values import (
    ROW,
    comparisons,
    decided,
    left_out,
    measured_rows,
    simulation,
)
from beyond_accuracy_pipeline.reporting.formats import (
    count,
    if_known,
    p_value,
    percent,
    percent_change,
    star_note,
)
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.tables import Column, Table

PLUG_IN: Row = (EFP, "gfm")
PLUG_IN_ROWS = (
    (PCC, "gfm"),
    (BR, "meuf"),
    (EFP, THRESHOLD),
    (EFP, "gfm_threshold"),
    PLUG_IN,
)


def table_plug_in(report: Report) -> Table:
    """What GFM needs, estimated by multinomial regressions, beside the paper's models."""
    levels = report.configuration["significance"]["stars"]
    measures, rows = table_measures(report), table_rows(report, PLUG_IN_ROWS, ("gfm", "meuf"))
    compared = [(PLUG_IN, row) for row in rows if row != PLUG_IN and PLUG_IN in rows]
    tests = pd.DataFrame(
        (
            (each.data_set, *each.pair.baseline.split("/"), each.difference, each.test.p_value)
            for each in comparisons(report, compared)
        ),
        columns=[*ROW, "_gain", "p_value"],
    )
    frame = measured_rows(report, rows, measures).merge(tests, how="left", on=ROW)
    return Table(
        frame=frame,
        index=row_columns(report),
        columns=[
            *(Column(measure_label(measure), measure, percent) for measure in measures),
            Column(f"{row_label(*PLUG_IN)} − this", "_gain", if_known(percent_change)),
            Column("p", "p_value", if_known(p_value(levels))),
        ],
        caption=(
            "Beyond the paper: GFM with P(Y_i = 1, |Y| = s) and P(Y = 0) estimated directly by "
            "multinomial regressions (EFP, Waegeman et al. 2014), no chain and no samples; its "
            "F-measure against the others on the same test examples (points)."
        ),
        notes=[
            f"{star_note(levels)}, by Wilcoxon's signed-rank test, two-tailed, not adjusted.",
            "A label's regression is of y_i·|y|; one of y = 0 is added. The estimates of an "
            "example are divided by the sum of the probabilities of all sizes, which changes no "
            "decision.",
            *left_out(report, rows, decided(report)),
        ],
    )


def table_sampling(report: Report) -> Table:
    """What independent and systematic samples lose against all label vectors."""
    columns = ["data_set", "method", "n_samples", "sampling", "optimum", "lost"]
    study = simulation(report, "sampling_schemes")
    rows = pd.DataFrame(columns=columns) if study is None else study[columns]
    rows = rows[rows["method"].isin(report.methods()) & rows["data_set"].isin(report.data_sets)]
    keys, schemes = ["data_set", "method", "n_samples", "optimum"], ["independent", "systematic"]
    lost = rows.set_index([*keys, "sampling"])["lost"].unstack().reindex(columns=schemes)
    frame = report.in_order(lost.rename_axis(columns=None).reset_index())
    return Table(
        frame=frame,
        index=[
            report.data_set_column(""),
            Column("", "method", _with_gfm),
            Column("Samples", "n_samples", count),
        ],
        columns=[
            Column("Expected F, all label vectors", "optimum", percent),
            Column("Lost, independent", "independent", _points),
            Column("Lost, systematic", "systematic", _points),
        ],
        caption=(
            "Beyond the paper: expected F-measure under the chain's own distribution, and what GFM "
            "loses of it (points) by sampling instead of taking all label vectors, on average over "
            "the test examples."
        ),
        notes=[
            "Independent samples are the paper's. Systematic: quantiles of the distribution of the "
            "label vectors other than 0, evenly spaced with one random offset an example, and the "
            "chain's exact P(Y = 0).",
            *report.data_set_notes(report.data_sets),
        ],
    )


def _with_gfm(method: str) -> str:
    return row_label(method, "gfm")


def _points(value: float) -> str:
    return f"{100 * value:.3f}"
