"""Results of a paper, with names for readers. Tables, figures and claims are made from them."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, TypeVar

import pandas as pd

from beyond_accuracy_pipeline.results.columns import FIT_COLUMNS, MISSING, VARIANT_COLUMNS
from beyond_accuracy_pipeline.results.paper_results import PaperResults
from beyond_accuracy_pipeline.results.variants import MEDIAN, Variant, headline_states, variants

from .cells import ALL
from .comparison import Comparison, Pair, compare, compare_pairs
from .formats import join_notes, p_value
from .names import contestant_name, data_set_name
from .paper import Paper
from .published import KEYS, as_measurements, as_seconds
from .tables import Column

T = TypeVar("T")

SUBSTITUTE_MARK = "†"
NOT_THE_PAPER = "¶"
UNMEASURED = "not measured in this run"
UNKNOWN = (float("nan"), float("nan"))


class IntervalLookup:
    """Lookup of bootstrap intervals by data set, performance measure, method and group of tasks."""

    def __init__(self, intervals: pd.DataFrame) -> None:
        self._bounds = {}
        for row in intervals.itertuples():
            place, low, high = (row.data_set, row.measure), row.low, row.high
            # Not -high: that would make a zero negative.
            self._bounds[*place, row.baseline, row.method, row.group] = (0.0 - high, 0.0 - low)
            self._bounds[*place, row.method, row.baseline, row.group] = (low, high)

    def __call__(
        self, data_set: str, measure: str, method: str, group: str = ALL
    ) -> tuple[float, float]:
        """Return both ends of the interval of a method's average over a group of tasks.

        A task is one class of a data set against the rest. `group` is "all" tasks, a bin such as
        "3–9" training positives, or a multi-label method's decision rule. If no interval is stored,
        both ends are NaN.
        """
        return self._bounds.get((data_set, measure, method, "", group), UNKNOWN)

    def difference(
        self, data_set: str, measure: str, pair: Pair, group: str = ALL
    ) -> tuple[float, float]:
        """Return both ends of the interval of the difference between two methods' averages.

        The difference is the proposed method minus the baseline. `group` is "all" tasks, a bin such
        as "3–9" training positives, or a multi-label method's decision rule. If no interval is
        stored, both ends are NaN.
        """
        return self._bounds.get((data_set, measure, *pair.methods, group), UNKNOWN)


@dataclass(frozen=True)
class Report:
    """Results of a reproduced paper for one seed and one variant of the paper's protocol.

    `results` reads the files of a run. `paper` has the names of methods and data sets, and the
    functions that compute tables, figures and verdicts from a report.
    """

    results: PaperResults
    paper: Paper
    # Shared by the reports on all variants, so that each variant is read once.
    _variants: dict[Variant, "Report"] = field(default_factory=dict, repr=False, compare=False)
    _made: dict[tuple, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._variants[self.results.variant] = self

    @property
    def configuration(self) -> Mapping[str, Any]:
        """The paper's configuration, with the changes of this report's variant of the protocol."""
        return self.results.configuration

    @property
    def data_sets(self) -> list[str]:
        """Names of the selected data sets, in the order of the configuration."""
        return list(self.configuration["data_sets"])

    @property
    def measures(self) -> list[str]:
        """Names of the selected measures, in the order of the configuration."""
        return list(self.configuration["measures"])

    def methods(self, ids: Sequence[str] | None = None) -> list[str]:
        """Return the ids of the methods that this run selects, in the order of `ids`.

        `ids` are the methods to choose from; by default, all methods of the paper. Methods that
        users added to the configuration follow at the end.
        """
        selected = self.configuration["methods_selected"]
        ids = self.paper.methods if ids is None else ids
        added = [name for name in selected if name not in self.paper.methods]
        return [name for name in ids if name in selected] + added

    def study_settings(self, study: str, reader: str) -> Mapping[str, Any]:
        """Return the settings of a study (an additional experiment of the paper).

        If the study is null in the configuration, raise ValueError, which tells the user to leave
        out `reader`, the table or figure that needs it.
        """
        settings = (self.configuration.get("studies") or {}).get(study)
        if settings is None:
            raise ValueError(
                f"{reader} reads the study {study}, which is null in {self.paper.id}.studies: "
                f"leave {reader} out of `tables` or `figures`, or give the study settings, as in "
                "paper.yaml."
            )
        return settings

    def method_label(self, method: str) -> str:
        """Return the readable name of a method.

        `method` is the id of a method or, for a multi-label method, the model's name and the id of
        a decision rule, such as "BR, gfm".
        """
        return contestant_name(method, self.paper.methods)

    def in_order(self, frame: pd.DataFrame, *between: str) -> pd.DataFrame:
        """Sort a table's rows by data set, measure and method, in the order of the configuration.

        Rows are sorted by the columns `between` after the data set and before the measure. Columns
        that `frame` lacks are skipped.
        """
        orders = {
            "data_set": self.data_sets,
            "measure": self.measures,
            "method": self.configuration["methods_selected"],
        }
        keys = [name for name in ("data_set", *between, "measure", "method") if name in frame]

        def rank(values: pd.Series) -> pd.Series:
            return values.map(orders[values.name].index) if values.name in orders else values

        return frame.sort_values(keys, kind="stable", ignore_index=True, key=rank)

    def label(self, data_set: str) -> str:
        """Return the readable name of a data set, with † if substituted, ¶ if not the paper's."""
        mark = SUBSTITUTE_MARK if is_substitute(self.results.record(data_set)) else ""
        if data_set not in self.paper.data_sets:
            mark += NOT_THE_PAPER
        return data_set_name(data_set) + mark

    def data_set_sizes(self, quantities: Iterable[str], table: str = "") -> pd.DataFrame:
        """Return the sizes of each data set in this run and in the paper, one row per data set.

        `quantities` are sizes such as "n_train". The sizes printed in the paper's table `table`
        have columns such as "published_n_train". The column `status` says whether the data set was
        loaded, and `substitute_for` which data set of the paper it replaces, if any.
        """
        published = self.published_values(table, "data_set", "quantity").unstack()
        records = self.results.data_sets.reindex(self.data_sets)
        frame = records.reindex(columns=["status", "substitute_for"])
        for quantity in quantities:
            sizes = records[f"{quantity}_found"].where(records["status"] == "ok")
            frame[quantity] = sizes.astype("Int64")
            if quantity in published:
                printed = published[quantity].reindex(frame.index)
                frame[f"published_{quantity}"] = printed.astype("Int64")
        return frame.rename_axis("data_set").reset_index()

    def data_set_column(self, title: str = "Data set") -> Column:
        return Column(title, "data_set", self.label)

    def data_set_notes(self, data_sets: Sequence[str]) -> list[str]:
        """Return footnotes on substitutes, missing data sets, and data sets not in the paper."""
        notes, missing = [], []
        if not set(data_sets) <= set(self.paper.data_sets):
            notes.append(f"{NOT_THE_PAPER} not one of the paper's data sets; enters no claim.")
        for data_set in data_sets:
            record = self.results.record(data_set)
            if is_substitute(record):
                notes.append(f"{SUBSTITUTE_MARK} {substitute_text(data_set, record)}")
            if record.get("status") in MISSING:
                missing.append(data_set)
        if missing:
            notes.append(f"No data for {', '.join(missing)}.")
        return notes

    def not_selected(self) -> list[str]:
        """Return a list with a note on the paper's data sets that this run leaves out, if any."""
        absent = [name for name in self.paper.data_sets if name not in self.data_sets]
        return [f"Not selected in this run: {', '.join(absent)}."] if absent else []

    @cached_property
    def intervals(self) -> IntervalLookup:
        """Lookup of the bootstrap intervals of averages and of differences between methods."""
        return IntervalLookup(self.results.intervals)

    def interval_note(self) -> str:
        """Return a footnote that explains the bootstrap intervals in a table's brackets."""
        bootstrap = self.configuration["bootstrap"]
        of_tasks = ""
        if self.configuration["protocol"] == "binary":
            of_tasks = (
                " and tasks; a class without a positive example in a resample keeps its value of "
                "the whole test set there"
            )
        return (
            f"Brackets: {bootstrap['level']:.0%} percentile intervals of "
            f"{bootstrap['n_resamples']:,} bootstrap resamples of the test examples, the same for "
            f"all methods{of_tasks}."
        )

    def compare(self, data_set: str, measure: str, pair: Pair) -> Comparison:
        """Compare a proposed method with a baseline on one data set by one measure."""
        zero_method = self.configuration["significance"]["zero_method"]
        return compare(self.results.measurements, data_set, measure, pair, zero_method=zero_method)

    def compare_pairs(self, values: pd.DataFrame, pairs: Sequence[Pair]) -> pd.DataFrame:
        """Test pairs of methods by Wilcoxon's signed-rank test; return one row per pair.

        `values` has one column per method. See `comparison.compare_pairs` for the columns of the
        result.
        """
        return compare_pairs(values, pairs, self.configuration["significance"]["zero_method"])

    @property
    def p_text(self) -> Callable[[float], str]:
        """Function that formats a p-value, with stars at the configured levels."""
        return p_value(self.configuration["significance"]["stars"])

    def published(self, table: str) -> pd.DataFrame:
        """Read the numbers that the paper prints in `table`, such as "table1".

        If they are not stored in the paper's folder, return an empty table.
        """
        return self.paper_file(f"published/{table}.csv")

    def paper_file(self, name: str) -> pd.DataFrame:
        """Read the CSV file `name` in the paper's folder; without it, return an empty table."""
        file = self._folder / name
        if not file.is_file():
            return pd.DataFrame()
        with file.open(encoding="utf-8") as lines:
            return pd.read_csv(lines)

    def protocol(self) -> str:
        """Return the text of the paper's protocol.md, its experiments in words, or ""."""
        file = self._folder / "protocol.md"
        return file.read_text(encoding="utf-8") if file.is_file() else ""

    @property
    def _folder(self) -> Traversable:
        return resources.files(f"beyond_accuracy_pipeline.papers.{self.paper.id}")

    def all_published(self) -> dict[str, pd.DataFrame]:
        """Return the numbers that the paper prints: a dict from name of the table to DataFrame."""
        folder = self._folder / "published"
        files = sorted(file.name for file in folder.iterdir()) if folder.is_dir() else []
        return {file.removesuffix(".csv"): self.paper_file(f"published/{file}") for file in files}

    def as_published(self) -> "Report":
        """Return a report with the numbers that the paper prints instead of our measurements.

        It is used to judge claims on the paper's own numbers, and has no fits or intervals.
        """
        measurements = as_measurements(self.all_published().values())
        printed = set(measurements["data_set"])
        own = [name for name in self.paper.data_sets if name in printed]
        whole = self.results.whole
        changes = {"data_sets": own, "studies": {}, "states": 1}
        for key, column in (("methods_selected", "method"), ("measures", "measure")):
            changes[key] = [*dict.fromkeys([*whole[key], *measurements[column]])]
        results = replace(self.results, whole={**whole, **changes})
        # These replace cached properties that are read from files.
        vars(results)["measurements"] = measurements
        vars(results)["seconds"] = as_seconds(self.all_published().values())
        vars(results)["fits"] = pd.DataFrame(columns=list(FIT_COLUMNS))
        vars(results)["intervals"] = pd.DataFrame(columns=["data_set"])
        return Report(results, self.paper)

    def deviation(self, row: Mapping[str, Any]) -> str:
        """Return the known reasons why our value differs from a number in the paper, or "".

        `row` identifies the number by its data_set, quantity, method and task. The reasons are
        listed under `deviations` in the paper's configuration.
        """
        return " ".join(
            own["reason"].strip()
            for own in self.configuration.get("deviations") or []
            if all(row.get(key) == own[key] for key in KEYS if own.get(key))
        )

    def published_values(self, table: str, *keys: str) -> pd.Series:
        """Return the values that the paper prints in `table`, indexed by the columns `keys`."""
        return self.published(table).reindex(columns=[*keys, "value"]).set_index([*keys])["value"]

    @cached_property
    def of_the_paper(self) -> "Report":
        """This report, restricted to the paper's own data sets, on which claims are judged."""
        own = [name for name in self.data_sets if name in self.paper.data_sets]
        if own == self.data_sets:
            return self
        results = replace(self.results, whole={**self.results.whole, "data_sets": own})
        return Report(results, self.paper)

    def under(self, variant: Variant) -> "Report":
        """Return the report on the same paper for a variant, that is, a reading and a seed."""
        if variant not in self._variants:
            Report(self.results.under(variant), self.paper, self._variants)
        return self._variants[variant]

    def once(self, function: Callable[..., T], *arguments: Hashable) -> T:
        """Return `function(self, *arguments)`, computed on the first call and cached."""
        if (function, *arguments) not in self._made:
            self._made[function, *arguments] = function(self, *arguments)
        return self._made[function, *arguments]

    def medians(self) -> "Report":
        """Return a report in which each measurement is the median over the seeds.

        Averages over tasks are then averages of medians. Tables show medians of averages instead.
        """
        several = (self.results.whole.get("states") or 1) > 1
        return self.under(Variant(state=MEDIAN)) if several else self

    def averaged(self) -> "Report":
        """Return a report with means over the seeds; a mean is missing if a seed has no value."""
        cell = ["data_set", "task", "method", "measure", "fold"]
        states = headline_states(self.results.whole)
        frames = [self.under(state).results.measurements for state in states]
        values = pd.concat(frames).groupby(cell, sort=False, dropna=False)["value"]
        means = values.agg(lambda of_states: of_states.mean(skipna=False))
        first, keys = frames[0], pd.MultiIndex.from_frame(frames[0][cell])
        results = replace(self.results, variant=Variant())
        vars(results)["measurements"] = first.assign(value=means.reindex(keys).to_numpy())
        return Report(results, self.paper)

    def over_variants(self, make_table: Callable[["Report"], pd.DataFrame]) -> pd.DataFrame:
        """Call `make_table` on the reports of all variants, and concatenate the returned rows.

        A variant is a reading (a variant of the paper's protocol) with one seed. The columns
        `reading` and `state` (the number of the seed) are added.
        """
        frames = [
            make_table(self.under(variant)).assign(reading=variant.reading, state=variant.state)
            for variant in variants(self.results.whole)
        ]
        return pd.concat(frames, ignore_index=True).astype(VARIANT_COLUMNS)

    def reasons(self, data_sets: Sequence[str], methods: Collection[str]) -> str:
        """Return a text that says for each data set why results of `methods` are missing."""
        missing = [name for name in data_sets if self.results.record(name).get("status") in MISSING]
        notes = [f"no data for {', '.join(missing)}"] if missing else []
        for name in data_sets:
            if name not in missing:
                frame = self.results.measurements
                selected = frame["method"].isin(set(methods) & set(self.methods()))
                reasons = frame.loc[selected & (frame["data_set"] == name), "reason"].unique()
                notes.append(f"{name}: {'; '.join(filter(None, reasons)) or UNMEASURED}")
        return join_notes(notes)

    def substitutes(self, data_sets: Sequence[str]) -> str:
        """Return sentences that say which data sets replace the paper's, and why, or ""."""
        return " ".join(
            substitute_text(data_set, record)
            for data_set in data_sets
            if is_substitute(record := self.results.record(data_set))
        )


def is_substitute(record: Mapping[str, object]) -> bool:
    """Return whether another data set was used instead of one of the paper's.

    `record` is the data set's row of data_sets.csv.
    """
    return record.get("status") == "ok" and bool(record.get("substitute_for"))


def substitute_text(data_set: str, record: Mapping[str, object]) -> str:
    """Return a sentence that says which data set replaces one of the paper's, and why."""
    reason = str(record.get("substitute_reason") or "the original cannot be had").rstrip(".")
    used, original = record.get("used") or data_set, record["substitute_for"]
    return f"{data_set}: the substitute {used} stands in for {original}: {reason}."
