"""What a chain loses by sampling: independent and systematic samples against all label vectors."""

from collections.abc import Mapping
from typing import Any

from beyond_accuracy.estimators.probabilistic_classifier_chain import MOST_ENUMERATED
from beyond_accuracy.inference import expected_f, gfm
from beyond_accuracy_pipeline.experiments.multilabel import make_model
from beyond_accuracy_pipeline.experiments.seeds import derive_seed
from beyond_accuracy_pipeline.experiments.tasks import dense
from beyond_accuracy_pipeline.results.columns import Rows

SAMPLINGS = ("independent", "systematic")


def sampling_schemes(data, settings: Mapping[str, Any], stream) -> tuple[Rows, Rows]:
    """Expected F_1 under the chain's own distribution that GFM loses, a mean over test examples.

    There are no rows with more labels than are enumerated, and no seconds.

    Parameters
    ----------
    settings : mapping
        `methods` (classifier chains, by name), `sample_sizes`, and `folds` for the choice of C.
    """
    rows: Rows = []
    if data.y_train.shape[1] > MOST_ENUMERATED:
        return rows, []
    for name, configuration in settings["methods"].items():
        seeds = (derive_seed(*stream, data.name, what) for what in ("folds", "samples"))
        chain = make_model(configuration, settings["folds"], *seeds)
        chain.fit(data.X_train, dense(data.y_train))
        truth = chain.joint(data.X_test, exact=True)
        optimum = gfm(*truth)[1]
        for n_samples in settings["sample_sizes"]:
            for sampling in SAMPLINGS:
                chain.set_params(sampling=sampling, n_samples=n_samples)
                lost = optimum - expected_f(*truth, chain.predict(data.X_test))
                row = {"data_set": data.name, "method": name, "sampling": sampling}
                row |= {"n_samples": n_samples, "optimum": optimum.mean(), "lost": lost.mean()}
                rows.append(row)
    return rows, []
