"""Simulations of Dembczyński et al. (2011) with chosen results."""

import pandas as pd

from beyond_accuracy_pipeline.results.frames import write_study
from beyond_accuracy_pipeline.results.layout import WITHOUT_DATA, study_file

from .synthetic import SyntheticRun

CODINGS = ("zero_one", "plus_minus_one", "plus_minus_one_shifted")


def write_simulations(
    run: SyntheticRun,
    *,
    lead=0.02,
    left=0.0,
    poor=("plus_minus_one",),
    off=(),
    faster=(),
    by=20,
    drawn=0.0,
    n_trials=8,
    state=1,
    **regrets,
) -> None:
    """Write simulations with chosen results.

    `lead` and `left` are MEUF's lead with few samples and with many. MEUF is poor in the codings
    `poor`. GFM is `by` times as fast as the methods `faster`. `drawn` is GFM's regret on drawn
    distributions, and `regrets` has the methods' regrets by the number of labels.
    """
    leads = {("independent", 5): lead, ("independent", 1000): left}
    leads |= {(name, n): -0.1 * (name in poor) for name in CODINGS for n in (5, 1000)}

    def shift(name, method, change):
        below = -0.02 if name in off and method in ("gfm_threshold", "meuf_approx") else 0.0
        return change * method.startswith("meuf") + below

    by_samples = pd.DataFrame(
        (name, n, method, trial, 0.4 + 1e-4 * trial + shift(name, method, change), 0.5)
        for (name, n), change in leads.items()
        for method in ("gfm", "gfm_threshold", "meuf", "meuf_approx")
        for trial in range(n_trials)
    )
    by_samples.columns = ["distribution", "n_samples", "method", "trial", "value", "optimum"]
    seconds = pd.DataFrame(
        (m, method, trial, m * (1e-5 + 1e-9 * trial) * (by if method in faster else 1))
        for m in (10, 20)
        for method in ("gfm", "gfm_threshold", "meuf_jansche", "meuf_approx", "meuf")
        for trial in range(8)
    )
    seconds.columns = ["n_labels", "method", "trial", "seconds"]
    worst = pd.DataFrame(
        (construction, m, method, regret, bound)
        for construction in ("all_or_nothing", "misleading_order")
        for method in ("gfm", "gfm_threshold", "meuf", "marginal_threshold")
        for m, regret, bound in zip(
            (4, 20, 10**6), regrets.get(method, (0.1, 0.5, 0.998)), (0.0, 0.05, 0.1), strict=True
        )
    )
    worst.columns = ["construction", "n_labels", "method", "regret", "bound"]
    for method, regret in {"gfm": drawn, "gfm_threshold": 0.02, "meuf": 0.1}.items():
        worst.loc[len(worst)] = ["drawn_distributions", 4, method, regret, float("nan")]
    independent = by_samples["distribution"] == "independent"
    for name, frame in {
        "independent_labels": by_samples[independent],
        "dependent_labels": by_samples[~independent],
        "inference_seconds": seconds,
        "worst_cases": worst,
    }.items():
        part = "seconds" if name == "inference_seconds" else "rows"
        of_every_state = name.endswith("labels")
        if state > 1 and not of_every_state:
            continue
        path = study_file(run.folder, run.paper, name, WITHOUT_DATA, part, state)
        write_study(path, frame.to_dict("records"), name, part)
