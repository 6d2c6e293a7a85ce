"""Tables on weights: the forms of the linear program, and chance against coordinate descent."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from beyond_accuracy_pipeline.papers.deng2006.names import (
    DESCENT,
    GENETIC,
    LINEAR_PROGRAM,
    MEASURES,
    METHOD_NOTE,
    SIX,
    measured_value,
)
from beyond_accuracy_pipeline.papers.deng2006.values import (
    Values,
    place,
    tally,
    training_objectives,
)
from beyond_accuracy_pipeline.reporting.formats import UNAVAILABLE, decimals, p_value, slashed
from beyond_accuracy_pipeline.reporting.names import spaced
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.statistics import count_signs, signed_rank_test
from beyond_accuracy_pipeline.reporting.tables import Across, Column, Table
from beyond_accuracy_pipeline.results.scores import FOLDS, PREDICTION
from beyond_accuracy_pipeline.results.variants import HEADLINE, Variant, selected_readings


def table_linear_program(report: Report) -> Table:
    """The linear program as printed and under the readings that change it."""
    readings = selected_readings(report.results.whole)
    forms = [
        HEADLINE,
        *(name for name, own in readings.items() if LINEAR_PROGRAM in _changed_methods(own)),
    ]
    absent = [
        spaced(name)
        for name, own in (report.results.whole.get("readings") or {}).items()
        if LINEAR_PROGRAM in _changed_methods(own) and name not in forms
    ]
    rows = []
    if LINEAR_PROGRAM in report.methods():
        under = {
            form: report if form == HEADLINE else report.under(Variant(form)) for form in forms
        }
        rows = [
            (form, measure, *_of_form(own, measure))
            for form, own in under.items()
            for measure in MEASURES
        ]
    columns = [
        *("form", "measure", "mean", "significant_wins", "significant_losses", "place"),
        *("at_zero", "one_class"),
    ]
    lines = [
        Column("Mean", ("mean", "measure"), measured_value),
        Column("Significant", ("significant_wins", "significant_losses"), slashed),
        Column("Place", "place", decimals(0)),
        Column("w = 0", "at_zero", _share),
        Column("One class", "one_class", _share),
    ]
    return Table(
        frame=pd.DataFrame(rows, columns=columns).dropna(subset="mean"),
        index=[Column("Form", "form", spaced)],
        columns=[Across("measure", MEASURES.get, lines, beside=True)],
        caption=(
            "The linear program as printed (headline) and under other readings: average over the "
            "data sets, significant wins/losses against NB, its place among the six methods by "
            "their ratio (6: last; shared places are the better ones), and the share of fits that "
            "end at w = 0, and that predict one class for all examples of their fold."
        ),
        notes=[
            *(f"{form.replace('_', ' ')}: {readings[form]['why'].strip()}" for form in forms[1:]),
            *([f"Not selected in this run: {', '.join(absent)}."] if absent else []),
            METHOD_NOTE,
        ],
    )


def _share(value: float) -> str:
    return UNAVAILABLE if pd.isna(value) else f"{value:.0%}"


def _changed_methods(reading) -> dict:
    return (reading.get("changes") or {}).get("methods") or {}


def _of_form(report: Report, measure: str) -> tuple[float, ...]:
    values = report.once(Values, measure)
    methods = [method for method in report.methods(SIX) if method in SIX]
    tallies = {method: tally(values, method) for method in methods}
    counts = tallies[LINEAR_PROGRAM]
    fits = report.results.fits
    own = (fits["method"] == LINEAR_PROGRAM) & (fits["measure"] == measure)
    zero = fits.loc[own & (fits["status"] == "ok"), "degenerate"].astype("float64")
    alone = [share for name in report.data_sets for share in _single_classes(report, name, measure)]
    return (
        float(values.means([LINEAR_PROGRAM])[LINEAR_PROGRAM].mean()),
        counts.significant_wins,
        counts.significant_losses,
        place(tallies, LINEAR_PROGRAM, methods),
        float(zero.mean()),
        float(np.mean(alone)) if alone else float("nan"),
    )


def _single_classes(report: Report, data_set: str, measure: str) -> Iterator[bool]:
    """Say of each fit of the linear program whether it predicts one class only."""
    scores = report.results.scores(data_set, LINEAR_PROGRAM)
    predicted = scores.arrays.get(PREDICTION + measure, np.empty((0, 0)))
    folds = scores.arrays.get(FOLDS, np.empty(0))
    for fold in np.unique(folds):
        of_fold = predicted[:, folds == fold]
        yield from (np.ptp(row) == 0 for row in of_fold if (row >= 0).all())


def table_coordinate_descent(report: Report) -> Table:
    """What the genetic algorithm and coordinate descent reach on the training part and beyond."""
    pair = [GENETIC, DESCENT]
    wide = training_objectives(report.results.fits).reindex(columns=pair).dropna()
    training = wide.groupby(["measure", "data_set"]).mean()
    levels, rows, notes = report.configuration["significance"], [], []
    for measure, label in MEASURES.items():
        parts = {"training": pd.DataFrame(columns=pair, dtype=float)}
        if measure in training.index:
            parts["training"] = training.loc[measure].reindex(report.data_sets).dropna()
        parts["test"] = report.once(Values, measure).means(pair)
        for part, means in parts.items():
            rows += [(name, measure, part, *row) for name, *row in means.itertuples()]
            p = signed_rank_test(*means.T.to_numpy(), zero_method=levels["zero_method"]).p_value
            lower, higher, equal = count_signs(means[GENETIC], means[DESCENT])
            notes.append(
                f"{label}, {part}: CD lower on {lower}, higher on {higher}, equal on {equal} data "
                f"sets; Wilcoxon p: {p_value(levels['stars'])(p)}."
            )
        own = wide[wide.index.get_level_values("measure") == measure]
        lower, higher, equal = count_signs(own[GENETIC], own[DESCENT])
        notes.append(
            f"{label}, single fits on training: {lower} lower, {higher} higher, {equal} equal."
        )
    frame = pd.DataFrame(rows, columns=["data_set", "measure", "part", "genetic", "descent"])
    frame["_column"] = frame["measure"] + " " + frame["part"]
    frame["_lower"] = frame["descent"] < frame["genetic"]

    def heading(column: str) -> str:
        measure, part = column.split()
        return f"{MEASURES[measure]}\t{part}"

    def both(genetic: float, descent: float, measure: str) -> str:
        values = [measured_value(value, measure) for value in (genetic, descent)]
        return " : ".join(values) if UNAVAILABLE not in values else UNAVAILABLE

    cell = Column("", ("genetic", "descent", "measure"), both, bold="_lower")
    return Table(
        frame=frame,
        index=[report.data_set_column()],
        columns=[Across("_column", heading, [cell])],
        caption=(
            "The genetic algorithm : coordinate descent with exact line searches from four starts "
            "(beyond the paper), which draws nothing at random. Average cost of the training "
            "scores, equation (1), which both minimize, and on the test folds. Bold: coordinate "
            "descent is lower."
        ),
        notes=[*notes, METHOD_NOTE],
    )
