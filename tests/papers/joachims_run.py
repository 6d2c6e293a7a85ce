"""The study of Joachims (2005), with chosen numbers."""

from beyond_accuracy_pipeline.results.frames import write_study
from beyond_accuracy_pipeline.results.layout import study_data_sets, study_file

from .synthetic import SyntheticRun


def write_studies(run: SyntheticRun) -> None:
    """Write two classes per data set: objectives 1e-4 and 2e-4 apart, one different prediction."""
    for data_set in study_data_sets(run.configuration, "error_rate"):
        rows = [
            {
                "data_set": data_set,
                "task": f"class {index}",
                "C": 1.0,
                "objective_multivariate": 2.0 * (1 + 1e-4 * (index + 1)),
                "objective_ordinary": 2.0,
                "distance": 0.03 * index,
                "norm": 3.0,
                "n_test": 50,
                "n_different": index,
            }
            for index in range(2)
        ]
        path = study_file(run.folder, run.paper, "error_rate", data_set)
        write_study(path, rows, "error_rate")
