"""Files and parameters of the workflow's rules, from the validated configuration."""

import itertools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from beyond_accuracy_pipeline.experiments.seeds import derive_seed
from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.results.columns import Part
from beyond_accuracy_pipeline.results.fits import (
    Fit,
    fit_jobs,
    fit_settings,
    manifest,
    method_configuration,
)
from beyond_accuracy_pipeline.results.layout import WITHOUT_DATA, study_file, study_jobs
from beyond_accuracy_pipeline.results.variants import Variant, under_reading

_MEASURE_KEYS = (
    "protocol", "data_sets", "methods_selected", "measures", "bootstrap", "states", "readings",
    "readings_selected",
)  # fmt: skip


# Snakemake looks for wildcards in the text of `unpack(plan.…)`, which has the plan's.
@dataclass(frozen=True, repr=False)
class Plan:
    """Input files, output files and parameters of each Snakemake rule, from a configuration.

    `config` is the validated configuration of a run. `available` returns the names of the data sets
    that are not missing; by default, none is missing.

    In the methods, `state` is the number of a seed, from 1, and `job` the name of a Snakemake job.
    `wildcards` come from Snakemake: the names of the job, its paper and its data set. A study is an
    additional experiment of a paper.
    """

    config: Mapping[str, Any]
    available: Callable[[], Collection[str]] | None = None

    @cached_property
    def _fit_jobs(self) -> Callable[[str], dict[tuple[str, str], dict[str, Fit]]]:
        # Snakemake asks for it several times per job.
        return cache(lambda paper: fit_jobs(self.config[paper]))

    def configurations(self) -> dict[str, Any]:
        return {paper: self.config[paper] for paper in self.config["papers"]}

    def data_sets(self) -> list[str]:
        """Return the names of the data sets of all papers, each once."""
        of_papers = map(layout.used_data_sets, self.configurations().values())
        return list(dict.fromkeys(itertools.chain.from_iterable(of_papers)))

    def prepared(self, data_sets: Sequence[str]) -> list[str]:
        """Return the folders of prepared data sets. Simulations have no folder."""
        folder = f"{self.config['resources']}/prepared"
        return [f"{folder}/{name}" for name in data_sets if name != WITHOUT_DATA]

    def fitted(self, paper: str, pattern: str) -> list[str]:
        """Return the path of one result file for each job that fits the methods of a paper.

        `pattern` is the template of the paths, such as `layout.FITS`. Jobs without data are left
        out.
        """
        return [
            self._result(pattern, paper=paper, data_set=data_set, job=job)
            for data_set, job in self._fit_jobs(paper)
            if self._has_data(data_set)
        ]

    def scores(self, wildcards: Any) -> list[str]:
        return self.fitted(wildcards.paper, layout.SCORES)

    def fits(self, wildcards: Any) -> list[str]:
        return self.fitted(wildcards.paper, layout.FITS)

    def earlier_fits(self, wildcards: Any) -> dict[str, list[str]]:
        """Return {kind of file: paths} for result files of the first seed that a job reuses.

        The kinds are "earlier_scores", "earlier_fits" and "earlier_seconds". `wildcards` (from
        Snakemake) name the job.
        """
        jobs = dict.fromkeys(fit.job for fit in self._first_fits(wildcards).values())
        patterns = {"scores": layout.SCORES, "fits": layout.FITS, "seconds": layout.SECONDS}
        names = {"paper": wildcards.paper, "data_set": wildcards.data_set}
        return {
            f"earlier_{kind}": [self._result(pattern, **names, job=job) for job in jobs]
            for kind, pattern in patterns.items()
        }

    def fit_settings(self, wildcards: Any) -> dict[str, Any]:
        """Return the settings of a paper that affect all fits of a job.

        `wildcards` (from Snakemake) name the paper and the job.
        """
        variant = self._variant(wildcards)
        settings = fit_settings(under_reading(self.config[wildcards.paper], variant.reading))
        return settings if variant.state == 1 else _without_repetitions(settings)

    def fit_methods(self, wildcards: Any) -> dict[str, dict[str, Any]]:
        """Return {key of a fit: configuration of its method} for all fits of a job.

        The key is `Fit.key`, a digest of all settings. `wildcards` (from Snakemake) name the job.
        """
        paper = self.config[wildcards.paper]
        first, methods = self._first_fits(wildcards), {}
        for key, fit in self._job(wildcards).items():
            changed = under_reading(paper, fit.variant.reading)
            method = method_configuration(changed, fit.method)
            if fit.variant.state > 1:
                method = _without_repetitions(method)
            if fit in first:
                method["first_fit"] = first[fit].key
            named = method.get("measures") or changed["measures"]
            if list(fit.measures) != list(named):
                method["measures"] = list(fit.measures)
            methods[key] = method | {"name": fit.method}
        return methods

    def fit_seed(self, wildcards: Any) -> int:
        return self.seed(self._variant(wildcards).state)

    def seed(self, state: int) -> int:
        """Return the random seed with number `state`.

        Number 1 is the seed in the run's configuration, from which all others are derived.
        """
        seed = self.config["seed"]
        return seed if state == 1 else derive_seed(seed, "state", str(state))

    def _job(self, wildcards: Any) -> dict[str, Fit]:
        return self._fit_jobs(wildcards.paper)[wildcards.data_set, wildcards.job]

    def _variant(self, wildcards: Any) -> Variant:
        """Return the reading (variant of the protocol) and seed of a job's first fit."""
        return next(iter(self._job(wildcards).values())).variant

    def _first_fits(self, wildcards: Any) -> dict[Fit, Fit]:
        """Return {fit of a job with another seed: the same fit with the first seed}.

        Only the binary protocol makes final fits that seeds can share.
        """
        if self.config[wildcards.paper]["protocol"] != "binary":
            return {}
        first = {
            (fit.method, fit.variant.reading): fit
            for (data_set, _), fits in self._fit_jobs(wildcards.paper).items()
            for fit in fits.values()
            if data_set == wildcards.data_set and fit.variant.state == 1
        }
        pairs = ((fit, (fit.method, fit.variant.reading)) for fit in self._job(wildcards).values())
        return {fit: first[pair] for fit, pair in pairs if fit.variant.state > 1 and pair in first}

    def measure_settings(self, wildcards: Any) -> dict[str, Any]:
        """Return the settings of `wildcards.paper` that affect test values and their intervals."""
        paper = self.config[wildcards.paper]
        keys = [*_MEASURE_KEYS, "methods", *fit_settings(paper)]
        return {key: paper[key] for key in keys if key in paper}

    def site_inputs(self, wildcards: Any = None) -> list[str]:
        """Return the paths of all result files from which tables and pages are made.

        `wildcards`, from Snakemake, is not used.
        """
        files: list[str] = []
        for paper in self.config["papers"]:
            for made in self.report_inputs(paper).values():
                files += [made] if isinstance(made, str) else made
        return list(dict.fromkeys(files))

    def report_inputs(self, paper: str) -> dict[str, str | list[str]]:
        return {
            "scores": self.fitted(paper, layout.SCORES),
            "fits": self.fitted(paper, layout.FITS),
            "seconds": self.fitted(paper, layout.SECONDS),
            "measurements": self._result(layout.MEASUREMENTS, paper=paper),
            "intervals": self._result(layout.INTERVALS, paper=paper),
            "studies": [
                file
                for data_set, *job in study_jobs(self.config[paper])
                if data_set == WITHOUT_DATA or self._has_data(data_set)
                for part in ("rows", "seconds")
                for file in self.study_outputs(paper, data_set, *job, part)
            ],
            "data_sets": self._result(layout.DATA_SETS),
        }

    def tables(self, paper: str, *suffixes: str) -> list[str]:
        return [
            self._result(layout.TABLE, paper=paper, table=name, suffix=suffix)
            for suffix in suffixes
            for name in self.config[paper]["tables"]
        ]

    def figures(self, paper: str, *suffixes: str) -> list[str]:
        return [
            self._result(layout.FIGURE, paper=paper, figure=name, suffix=suffix)
            for suffix in suffixes
            for name in self.config[paper]["figures"]
        ]

    def reports(self) -> list[str]:
        """Return the paths of the tables, figures and verdicts of all papers."""
        files = []
        for paper in self.config["papers"]:
            files += self.tables(paper, "csv", "html", "tex", "shown.json")
            files += self.figures(paper, "svg", "png", "csv")
            files.append(self._result(layout.PAPER_CLAIMS, paper=paper))
        return files

    def study_jobs(self) -> list[tuple[str, str, str, int]]:
        """Return the jobs of studies as (paper, data set, job, number of the seed)."""
        papers = self.config["papers"]
        return [(paper, *job) for paper in papers for job in study_jobs(self.config[paper])]

    def study_fits(self, paper: str, data_set: str, job: str, state: int) -> dict[str, str]:
        """Return {key of a fit: path} for fits whose selected hyperparameters a job's studies use.

        A study is an additional experiment. The path leads to a table with a row of this key
        (`Fit.key`). `state` is the number of the job's seed.
        """
        configuration = self.config[paper]
        methods = configuration["methods"]
        names: set[str] = set()
        for study in study_jobs(configuration)[data_set, job, state]:
            settings = configuration["studies"][study]
            names |= {n for n in settings.get("methods") or [] if "gamma" in methods[n]["grid"]}
            names |= {settings.get("selected_by")} & set(configuration["methods_selected"])
        served = manifest(configuration) if names else {}
        return {
            fit.key: self._result(layout.FITS, paper=paper, data_set=data_set, job=fit.job)
            for name in sorted(names)
            for fit in served[Variant(), data_set, name]
        }

    def study_outputs(
        self,
        paper: str,
        data_set: str,
        job: str,
        state: int,
        part: Part,
        *,
        state_in_paths: int | None = None,
    ) -> list[str]:
        """Return the paths of the files that a job writes, one per study that the job runs.

        A study is an additional experiment. `state` is the number of the job's seed. `part` is
        "rows" (results) or "seconds". The paths have the seed number `state_in_paths`, by default
        `state`.
        """
        state_in_paths = state_in_paths or state
        return [
            str(study_file(self.config["results"], paper, study, data_set, part, state_in_paths))
            for study in study_jobs(self.config[paper])[data_set, job, state]
        ]

    def study_earlier(self, paper: str, data_set: str, job: str, state: int, part: Part):
        """Return the paths of the first seed's result files, one per study that a job runs.

        A study is an additional experiment. `part` is "rows" (results) or "seconds". The list is
        empty if `state`, the number of the job's seed, is 1.
        """
        if state == 1:
            return []
        return self.study_outputs(paper, data_set, job, state, part, state_in_paths=1)

    def studies(self, paper: str, data_set: str, job: str, state: int) -> dict[str, dict[str, Any]]:
        """Return {study: settings} for the studies that a job runs with seed number `state`."""
        names = study_jobs(self.config[paper])[data_set, job, state]
        settings = {study: self.study_settings(paper, study) for study in names}
        if state == 1:
            return settings
        return {study: _without_repetitions(of_study) for study, of_study in settings.items()}

    def study_settings(self, paper: str, study: str) -> dict[str, Any]:
        """Return the settings of a study and its methods, with the paper's values as defaults."""
        paper = self.config[paper]
        of_paper = {"measures": paper["measures"], "budget": paper.get("budget")}
        of_paper |= paper.get("selection") or {}
        settings = {
            key: of_paper.get(key, value) if value in (None, []) else value
            for key, value in paper["studies"][study].items()
            if key not in ("data_sets", "job", "every_state")
        }
        for role in settings.keys() & {"methods", "auxiliaries"}:
            names = settings[role]
            settings[role] = {name: method_configuration(paper, name) for name in names}
        return settings

    def _has_data(self, data_set: str) -> bool:
        return self.available is None or data_set in self.available()

    def _result(self, pattern: str, **names: str) -> str:
        return f"{self.config['results']}/{pattern.format(**names)}"


def _without_repetitions(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings without `repetitions`, which only serve to time the first seed's fits."""
    return {key: value for key, value in settings.items() if key != "repetitions"}
