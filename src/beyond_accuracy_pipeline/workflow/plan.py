"""Files and settings of the workflow's rules, from the validated configuration."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from beyond_accuracy_pipeline.experiments.seeds import derive_seed
from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.results.columns import Part
from beyond_accuracy_pipeline.results.layout import WITHOUT_DATA, study_file, study_jobs
from beyond_accuracy_pipeline.results.variants import (
    Variant,
    fit_settings,
    method_configuration,
    method_configurations,
    under_reading,
)

_MEASURE_KEYS = (
    "protocol", "data_sets", "methods_selected", "measures", "bootstrap", "states", "readings",
    "readings_selected",
)  # fmt: skip


@dataclass(frozen=True)
class Plan:
    """The files and settings of each rule, from the validated configuration of a run.

    Missing data sets have no fits and studies: `available` returns the names of the other data
    sets, once all have been prepared. By default all are available.

    Methods that take `wildcards`, an object with the attributes `paper`, `data_set`, … of a job,
    are input functions and parameters of rules; the others take names.
    """

    config: Mapping[str, Any]
    available: Callable[[], Collection[str]] | None = None

    @cached_property
    def _fit_jobs(self) -> Callable[[str], dict[tuple[str, str], dict[str, list[str]]]]:
        # Snakemake asks for it several times a job.
        return cache(lambda paper: layout.fit_jobs(self.config[paper]))

    def configurations(self) -> dict[str, Any]:
        """Return the configuration of each selected paper."""
        return {paper: self.config[paper] for paper in self.config["papers"]}

    def data_sets(self) -> list[str]:
        """Return the data sets of all papers, each once."""
        papers = self.configurations().values()
        return list(
            dict.fromkeys(name for paper in papers for name in layout.used_data_sets(paper))
        )

    def prepared(self, data_sets: Sequence[str]) -> list[str]:
        """Return the folders of prepared data sets."""
        return [f"{self.config['resources']}/prepared/{name}" for name in data_sets]

    def fitted(self, paper: str, pattern: str) -> list[str]:
        """Return the files of one kind, such as `layout.FITS`, of all fits of a paper."""
        return [
            self._result(pattern, paper=paper, data_set=data_set, job=job)
            for data_set, job in self._fit_jobs(paper)
            if self._has_data(data_set)
        ]

    def scores(self, wildcards: Any) -> list[str]:
        """Return the scores of all fits of a paper."""
        return self.fitted(wildcards.paper, layout.SCORES)

    def fits(self, wildcards: Any) -> list[str]:
        """Return the records of all fits of a paper."""
        return self.fitted(wildcards.paper, layout.FITS)

    def earlier(self, wildcards: Any, pattern: str) -> list[str]:
        """Return the files of one kind of the jobs that fit the same in earlier random states."""
        variant = Variant.of_job(wildcards.job)
        if variant.state == 1 or self.config[wildcards.paper]["protocol"] != "binary":
            return []
        jobs = self._fit_jobs(wildcards.paper)
        methods = jobs[wildcards.data_set, wildcards.job]
        return [
            self._result(pattern, paper=wildcards.paper, data_set=data_set, job=job)
            for (data_set, job), names in jobs.items()
            if data_set == wildcards.data_set
            and _is_earlier(Variant.of_job(job), variant)
            and names.keys() & methods.keys()
        ]

    def earlier_scores(self, wildcards: Any) -> list[str]:
        """Return the scores of `earlier` jobs."""
        return self.earlier(wildcards, layout.SCORES)

    def earlier_fits(self, wildcards: Any) -> list[str]:
        """Return the records of fits of `earlier` jobs."""
        return self.earlier(wildcards, layout.FITS)

    def earlier_seconds(self, wildcards: Any) -> list[str]:
        """Return the seconds of `earlier` jobs."""
        return self.earlier(wildcards, layout.SECONDS)

    def fit_settings(self, wildcards: Any) -> dict[str, Any]:
        """Return the settings of a paper on which its fits depend, besides their methods' own."""
        variant = Variant.of_job(wildcards.job)
        settings = fit_settings(under_reading(self.config[wildcards.paper], variant.reading))
        return settings if variant.state == 1 else _without_repetitions(settings)

    def fit_methods(self, wildcards: Any) -> dict[str, dict[str, Any]]:
        """Return the configurations of the methods that a job fits."""
        paper = self.config[wildcards.paper]
        methods = {}
        job = wildcards.data_set, wildcards.job
        for name, measures in self._fit_jobs(wildcards.paper)[job].items():
            method, reading = layout.method_and_reading(name, wildcards.job)
            changed = under_reading(paper, reading)
            own = method_configuration(changed, method)
            if Variant.of_job(wildcards.job).state > 1:
                own = _without_repetitions(own)
            methods[name] = own | _unless_all(changed, method, measures)
        return methods

    def fit_seed(self, wildcards: Any) -> int:
        """Return the seed of a job of fits."""
        return self.job_seed(wildcards.job)

    def job_seed(self, job: str) -> int:
        """Return the seed of a job: the run's in the first state, another in each further one."""
        state, seed = Variant.of_job(job).state, self.config["seed"]
        return seed if state == 1 else derive_seed(seed, "state", str(state))

    def measure_settings(self, wildcards: Any) -> dict[str, Any]:
        """Return the settings of a paper on which its measurements and their intervals depend."""
        paper = self.config[wildcards.paper]
        keys = [*_MEASURE_KEYS, "methods", *fit_settings(paper)]
        return {key: paper[key] for key in keys if key in paper}

    def site_inputs(self, wildcards: Any = None) -> list[str]:
        """Return all files from which reports are made: the site reads them too.

        Only the checksums of inputs are checked.
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
                for data_set, job in study_jobs(self.config[paper])
                if data_set == WITHOUT_DATA or self._has_data(data_set)
                for part in ("rows", "seconds")
                for file in self.study_outputs(paper, data_set, job, part)
            ],
            "data_sets": self._result(layout.DATA_SETS),
        }

    def tables(self, paper: str, *suffixes: str) -> list[str]:
        """Return all tables of a paper in some formats."""
        return [
            self._result(layout.TABLE, paper=paper, table=name, suffix=suffix)
            for suffix in suffixes
            for name in self.config[paper]["tables"]
        ]

    def figures(self, paper: str, *suffixes: str) -> list[str]:
        """Return all figures of a paper in some formats."""
        return [
            self._result(layout.FIGURE, paper=paper, figure=name, suffix=suffix)
            for suffix in suffixes
            for name in self.config[paper]["figures"]
        ]

    def reports(self) -> list[str]:
        """Return tables, figures and verdicts of all papers."""
        files = []
        for paper in self.config["papers"]:
            files += self.tables(paper, "csv", "html", "tex", "shown.json")
            files += self.figures(paper, "svg", "png", "csv")
            files.append(self._result(layout.PAPER_CLAIMS, paper=paper))
        return files

    def intermediate(self, wildcards: Any = None) -> list[str]:
        """Return the files from which reports are made.

        A target must name them: Snakemake does not make a missing intermediate file again if the
        files made from it exist.
        """
        return [*self.prepared(self.data_sets()), *self.site_inputs()]

    def study_jobs(self) -> list[tuple[str, str, str]]:
        """Return the jobs of studies, each as paper, data set and name."""
        return [
            (paper, data_set, job)
            for paper, configuration in self.configurations().items()
            for data_set, job in study_jobs(configuration)
        ]

    def study_prepared(self, data_set: str) -> list[str]:
        """Return the prepared data set of a job of studies, if it has one."""
        return [] if data_set == WITHOUT_DATA else self.prepared([data_set])

    def study_fits(self, paper: str, data_set: str, job: str) -> list[str]:
        """Return the fits of model selection from which studies take chosen parameters."""
        configuration = self.config[paper]
        methods = configuration["methods"]
        names: set[str] = set()
        for study in study_jobs(configuration)[data_set, job]:
            settings = configuration["studies"][study]
            names |= {n for n in settings.get("methods") or [] if "gamma" in methods[n]["grid"]}
            names |= {settings.get("selected_by")} & set(configuration["methods_selected"])
        jobs = sorted({layout.job_of(configuration, name) for name in names})
        return [
            self._result(layout.FITS, paper=paper, data_set=data_set, job=each) for each in jobs
        ]

    def study_outputs(
        self, paper: str, data_set: str, job: str, part: Part, state: int | None = None
    ) -> list[str]:
        """Return the files of one kind that a job of studies writes, by default in its state."""
        place = part, Variant.of_job(job).state if state is None else state
        return [
            str(study_file(self.config["results"], paper, study, data_set, *place))
            for study in study_jobs(self.config[paper])[data_set, job]
        ]

    def study_earlier(self, paper: str, data_set: str, job: str, part: Part) -> list[str]:
        """Return the files of the first state, which a job of studies in a further state reuses."""
        if Variant.of_job(job).state == 1:
            return []
        return self.study_outputs(paper, data_set, job, part, state=1)

    def studies(self, paper: str, data_set: str, job: str) -> dict[str, dict[str, Any]]:
        """Return the settings of the studies of a job."""
        names = study_jobs(self.config[paper])[data_set, job]
        settings = {study: self.study_settings(paper, study) for study in names}
        if Variant.of_job(job).state == 1:
            return settings
        return {study: _without_repetitions(own) for study, own in settings.items()}

    def study_settings(self, paper: str, study: str) -> dict[str, Any]:
        """Return the settings of a study; open ones are taken from the paper.

        The methods or auxiliaries that it names come with their configurations.
        """
        paper = self.config[paper]
        of_paper = {"measures": paper["measures"], "budget": paper.get("budget")}
        of_paper |= paper.get("selection") or {}
        settings = {
            key: of_paper.get(key) if value is None or value == [] else value
            for key, value in paper["studies"][study].items()
            if key not in ("data_sets", "job", "every_state")
        }
        for role in settings.keys() & {"methods", "auxiliaries"}:
            settings[role] = method_configurations(paper, settings[role])
        return settings

    def _has_data(self, data_set: str) -> bool:
        return self.available is None or data_set in self.available()

    def _result(self, pattern: str, **names: str) -> str:
        return f"{self.config['results']}/{pattern.format(**names)}"


def _is_earlier(one: Variant, other: Variant) -> bool:
    """Whether one variant is an earlier state of another; under a reading a fit is another one."""
    return one.reading == other.reading and one.state < other.state


def _without_repetitions(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Fits are repeated for their seconds, and these are of the first state."""
    return {key: value for key, value in settings.items() if key != "repetitions"}


def _unless_all(paper: Mapping[str, Any], method: str, measures: list[str]) -> dict[str, Any]:
    """Return the measures of a job where they are not all that the method names."""
    own = paper["methods"][method].get("measures") or paper["measures"]
    return {} if measures == list(own) else {"measures": measures}
