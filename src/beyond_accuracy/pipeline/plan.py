"""What the rules of the workflow need: files and settings, from the validated configuration."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from beyond_accuracy.configuration.paper_parts import fit_configuration, method_configuration
from beyond_accuracy.results import layout
from beyond_accuracy.results.studies import WITHOUT_DATA, study_data_sets, study_file


@dataclass(frozen=True)
class Plan:
    """The files and settings of each rule.

    Methods that take `wildcards`, an object with the attributes `paper`, `data_set`, … of a job,
    are input functions and parameters of rules; the others take names.

    Attributes
    ----------
    config : mapping
        The validated configuration of a run.
    """

    config: Mapping[str, Any]

    @property
    def papers(self) -> list[str]:
        """Return the selected papers."""
        return self.config["papers"]

    def data_sets(self) -> list[str]:
        """Return the data sets of all papers, each once."""
        names = [name for paper in self.papers for name in self.config[paper]["data_sets"]]
        return list(dict.fromkeys(names))

    def prepared(self, data_sets: Sequence[str]) -> list[str]:
        """Return the folders of prepared data sets."""
        return [f"{self.config['resources']}/prepared/{name}" for name in data_sets]

    def fitted(self, paper: str, pattern: str) -> list[str]:
        """Return the files of one kind, such as `layout.FITS`, of all fits of a paper."""
        return [
            self._result(pattern, paper=paper, data_set=data_set, job=job)
            for data_set, job in layout.fit_jobs(self.config[paper])
        ]

    def scores(self, wildcards: Any) -> list[str]:
        """Return the scores of all fits of a paper."""
        return self.fitted(wildcards.paper, layout.SCORES)

    def fits(self, wildcards: Any) -> list[str]:
        """Return the records of all fits of a paper."""
        return self.fitted(wildcards.paper, layout.FITS)

    def fit_settings(self, wildcards: Any) -> dict[str, Any]:
        """Return the settings of a paper on which its fits depend, besides their methods' own."""
        return fit_configuration(self.config[wildcards.paper])

    def fit_methods(self, wildcards: Any) -> dict[str, dict[str, Any]]:
        """Return the configurations of the methods that a job fits."""
        paper = self.config[wildcards.paper]
        names = layout.fit_jobs(paper)[wildcards.data_set, wildcards.job]
        return {name: method_configuration(paper, name) for name in names}

    def measure_settings(self, wildcards: Any) -> dict[str, Any]:
        """Return the settings of a paper on which its measurements and their intervals depend."""
        paper = self.config[wildcards.paper]
        methods = {
            name: {key: paper["methods"][name].get(key) for key in ("data_sets", "job")}
            for name in paper["methods_selected"]
        }
        keys = ("protocol", "data_sets", "methods_selected", "measures", "bootstrap")
        return {key: paper[key] for key in keys if key in paper} | {"methods": methods}

    def report_inputs(self, paper: str) -> dict[str, str | list[str]]:
        """Return what the reports on a paper are made from."""
        return {
            "scores": self.fitted(paper, layout.SCORES),
            "fits": self.fitted(paper, layout.FITS),
            "seconds": self.fitted(paper, layout.SECONDS),
            "measurements": self._result(layout.MEASUREMENTS, paper=paper),
            "intervals": self._result(layout.INTERVALS, paper=paper),
            "studies": self.study_outputs(paper),
            "data_sets": self._result(layout.DATA_SETS),
        }

    def tables(self, paper: str, suffix: str) -> list[str]:
        """Return all tables of a paper in one format."""
        names = self.config[paper]["tables"]
        return [
            self._result(layout.TABLE, paper=paper, table=name, suffix=suffix) for name in names
        ]

    def figures(self, paper: str, suffix: str) -> list[str]:
        """Return all figures of a paper in one format."""
        names = self.config[paper]["figures"]
        return [
            self._result(layout.FIGURE, paper=paper, figure=name, suffix=suffix) for name in names
        ]

    def reports(self) -> list[str]:
        """Return tables, figures and verdicts of all papers."""
        return [
            file
            for paper in self.papers
            for file in (
                *(file for suffix in ("csv", "html", "tex") for file in self.tables(paper, suffix)),
                *(file for suffix in ("svg", "png") for file in self.figures(paper, suffix)),
                self._result(layout.PAPER_CLAIMS, paper=paper),
            )
        ]

    def configurations(self) -> dict[str, Any]:
        """Return the configuration of each paper."""
        return {paper: self.config[paper] for paper in self.papers}

    def study_prepared(self, wildcards: Any) -> list[str]:
        """Return the prepared data set of a study, if it has one."""
        return [] if wildcards.data_set == WITHOUT_DATA else self.prepared([wildcards.data_set])

    def study_fits(self, wildcards: Any) -> list[str]:
        """Return the fits of model selection from which a study takes widths of kernels."""
        paper = self.config[wildcards.paper]
        jobs = {
            layout.job_of(paper, name)
            for name in paper["studies"][wildcards.study].get("methods") or []
            if "gamma" in paper["methods"][name]["grid"]
        }
        names = {"paper": wildcards.paper, "data_set": wildcards.data_set}
        return [self._result(layout.FITS, job=job, **names) for job in sorted(jobs)]

    def study_settings(self, wildcards: Any) -> dict[str, Any]:
        """Return the settings of a study, with those of the paper for what they leave open.

        The methods or auxiliaries that it names come with their configurations.
        """
        paper = self.config[wildcards.paper]
        of_paper = {"measures": paper["measures"], "budget": paper.get("budget")}
        of_paper |= paper.get("selection") or {}
        settings = {
            key: of_paper.get(key) if value is None or value == [] else value
            for key, value in paper["studies"][wildcards.study].items()
            if key != "data_sets"
        }
        for role in settings.keys() & {"methods", "auxiliaries"}:
            settings[role] = {name: method_configuration(paper, name) for name in settings[role]}
        return settings

    def study_outputs(self, paper: str) -> list[str]:
        """Return all tables of the studies of a paper."""
        return [
            str(study_file(self.config["results"], paper, study, data_set, part))
            for study in self.config[paper].get("studies") or {}
            for data_set in study_data_sets(self.config[paper], study)
            for part in ("rows", "seconds")
        ]

    def _result(self, pattern: str, **names: str) -> str:
        return f"{self.config['results']}/{pattern.format(**names)}"
