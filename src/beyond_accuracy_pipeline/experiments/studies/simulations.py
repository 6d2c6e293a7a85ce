"""Simulations of Dembczyński et al. (2011), with known distributions instead of a test set.

The value of a prediction is its exact expected F under the distribution of the samples. `trial`
counts independent repetitions. The inference methods are GFM (general F-measure maximizer) and MEUF
(maximum expected utility framework, which assumes independent labels).
"""

import itertools
import time
from collections.abc import Callable

import numpy as np
from scipy.special import expit

from beyond_accuracy.inference import (
    expected_f,
    gfm,
    gfm_from_samples,
    gfm_threshold,
    gfm_threshold_from_samples,
    independent_joint,
    meuf,
    meuf_approx,
)
from beyond_accuracy.inference.ancestral_sampling import sample_logistic_chain
from beyond_accuracy.measures.multilabel import f_beta_of_instances
from beyond_accuracy_pipeline.experiments.seeds import derive_seed
from beyond_accuracy_pipeline.reproduction.worst_cases import (
    Distribution,
    all_or_nothing,
    largest_threshold_regret,
    meuf_of_all_or_nothing,
    misleading_order,
    threshold_regret_bound,
)
from beyond_accuracy_pipeline.results.columns import Rows

DRAWN_DISTRIBUTIONS = 50

# Linear part of label i in Equation (9): −(i − 1)/2 + Σ y_j over the labels before label i. With
# labels in {0, 1} the sum is their count c; with labels in {−1, 1} it is 2c − (i − 1). The third
# coding has −i/2 instead of −(i − 1)/2. The values are (a, b, w) of a + b·(i − 1) + w·c.
CODINGS = {
    "zero_one": (0.0, -0.5, 1.0),
    "plus_minus_one": (0.0, -1.5, 2.0),
    "plus_minus_one_shifted": (-0.5, -1.5, 2.0),
}

FROM_SAMPLES: dict[str, Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]] = {
    "gfm": gfm_from_samples,
    "gfm_threshold": gfm_threshold_from_samples,
    "meuf_jansche": lambda samples: meuf(samples.mean(axis=1), method="jansche"),
    "meuf_approx": lambda samples: meuf_approx(samples.mean(axis=1)),
    "meuf": lambda samples: meuf(samples.mean(axis=1)),
}
"""Functions from samples, shape (n, n_samples, m), to predictions and their expected values."""


def as_study(simulate: Callable[..., tuple[Rows, Rows]]) -> Callable[..., tuple[Rows, Rows]]:
    """Turn a simulation, a function of its settings and a seed, into a study."""

    def study(data, settings, seed_and_paper) -> tuple[Rows, Rows]:
        seed = derive_seed(*seed_and_paper, "simulation", simulate.__name__)
        return simulate(**settings, seed=seed)

    return study


def independent_labels(*, n_trials, n_labels, probability, sample_sizes, seed):
    """Evaluate multi-label predictions from samples of independent, equally probable labels.

    Each of `n_trials` trials draws vectors of `n_labels` labels. For each number in `sample_sizes`,
    several methods predict a label vector from that many samples. Return (rows, []). A row has the
    exact expected F-measure of one prediction, and the largest possible one.
    """
    rng = np.random.default_rng(seed)
    shape = (n_trials, max(sample_sizes), n_labels)
    samples = (rng.random(shape) < probability).astype(np.uint8)
    truth = independent_joint(np.full(n_labels, probability))
    return _rows_by_sample_size("independent", samples, truth, sample_sizes), []


def dependent_labels(*, n_trials, n_labels, sample_sizes, seed):
    """Evaluate multi-label predictions from samples of labels that depend on each other.

    Each label follows a logistic model of the labels before it (Dembczyński et al. 2011, Equation
    9). It is simulated for each coding of the labels in `CODINGS`, such as 0/1 and −1/+1, because
    the paper does not say which is meant. See `independent_labels` for the arguments and rows.
    """
    rows: Rows = []
    for number, (coding, (start, slope, weight)) in enumerate(CODINGS.items()):
        linear = start + slope * np.arange(n_labels)
        keys = np.random.default_rng([seed, number]).integers(0, 2**63, n_trials)
        log_odds = np.tile(linear, (n_trials, 1))
        weights = np.tril(np.full((n_labels, n_labels), weight), -1)
        samples = sample_logistic_chain(
            log_odds, weights, keys.astype(np.uint64), max(sample_sizes)
        )
        truth = counting_chain_joint(linear, weight)
        rows += _rows_by_sample_size(coding, samples, truth, sample_sizes)
    return rows, []


def counting_chain_joint(log_odds, weight):
    """Return the joint distribution of labels that depend only on the count of earlier positives.

    The log-odds of label i are `log_odds[i]` plus `weight` for each positive label before it.

    Return an array with P(i is one of s positive labels) at index (i, s − 1), and the probability
    of no positive label.
    """
    m = len(log_odds)
    counts = np.arange(m + 1)
    positive = expit(np.asarray(log_odds)[:, None] + weight * counts[None, :])
    forward = np.zeros((m + 1, m + 1))
    forward[0, 0] = 1.0
    for i in range(m):
        forward[i + 1] = forward[i] * (1 - positive[i])
        forward[i + 1, 1:] += (forward[i] * positive[i])[:-1]
    # backward[c, s]: probability of s positives in total, given c positives among labels up to i.
    backward = np.eye(m + 1)
    joint = np.empty((m, m))
    for i in range(m - 1, -1, -1):
        after = np.vstack([backward[1:], np.zeros(m + 1)])
        joint[i] = ((forward[i] * positive[i]) @ after)[1:]
        backward = (1 - positive[i])[:, None] * backward + positive[i][:, None] * after
    return joint, float(forward[m, 0])


def _rows_by_sample_size(distribution, samples, truth, sample_sizes):
    """Return one row per method and trial for each number of samples, with the exact expected F."""
    joint, p_empty = truth
    optimum = gfm(joint, p_empty)[1]
    rows = []
    for n_samples in sample_sizes:
        for method in ("gfm", "gfm_threshold", "meuf", "meuf_approx"):
            predictions, _ = FROM_SAMPLES[method](samples[:, :n_samples])
            keys = {"distribution": distribution, "n_samples": n_samples, "method": method}
            for trial, prediction in enumerate(predictions):
                value = expected_f(joint, p_empty, prediction)
                rows.append({**keys, "trial": trial, "value": value, "optimum": optimum})
    return rows


def inference_seconds(*, n_trials, n_labels, n_samples, probability, n_examples, seed):
    """Measure the CPU seconds in which several methods predict a label vector.

    The methods are GFM (general F-measure maximizer), MEUF (assumes independent labels) and
    variants. A prediction uses `n_samples` random label vectors. Each label is positive with the
    given `probability`. `n_labels` lists numbers of labels. Each of `n_trials` trials times up to
    `n_examples` predictions per method. Return ([], seconds), with the seconds per prediction of
    one method in one trial.
    """
    rows = []
    for m in n_labels:
        rng = np.random.default_rng([seed, m])
        for trial in range(n_trials):
            uniform = rng.random((n_examples, n_samples, m))
            samples = (uniform < probability).astype(np.uint8)
            for method, decide in FROM_SAMPLES.items():
                n_timed = 1 if method == "meuf_jansche" else n_examples
                part = samples[:n_timed]
                if trial == 0:
                    decide(part)
                started = time.thread_time()
                decide(part)
                elapsed = (time.thread_time() - started) / n_timed
                rows.append({"n_labels": m, "method": method, "trial": trial, "seconds": elapsed})
    return [], rows


def worst_cases(*, n_labels, many_labels, enumerated_labels, seed):
    """Compute methods' regrets under label distributions that are bad for some of the methods.

    The regret is the largest possible expected F minus the expected F of a method's prediction. The
    distributions are our constructions for Propositions 2.1 and 2.3 of Dembczyński et al. (2011).
    Each argument except `seed` lists numbers of labels:

    - `n_labels`: regrets of four methods under both distributions.
    - `many_labels`: regret of MEUF (assumes independent labels) under Proposition 2.1.
    - `enumerated_labels`: largest regret, over all distributions, of thresholds on label
      probabilities; and the largest regret of each method over random distributions.

    Return (rows, []).
    """
    rows = []

    def add(construction, m, method, regret, expected=np.nan, optimum=np.nan, bound=np.nan):
        row = {"construction": construction, "n_labels": m, "method": method}
        row |= {"expected_f": expected, "optimum": optimum, "regret": regret}
        rows.append({**row, "bound": bound})

    for make in (all_or_nothing, misleading_order):
        construction = make.__name__
        for m in n_labels:
            distribution = make(m)
            joint, p_empty = distribution.joint()
            prediction, optimum = gfm(joint, p_empty)
            predictions = {
                "gfm": prediction,
                "gfm_threshold": gfm_threshold(joint, p_empty)[0],
                "meuf": meuf(distribution.marginals)[0],
                "marginal_threshold": (distribution.marginals >= 0.5).astype(np.uint8),
            }
            bound = threshold_regret_bound(m) if construction == "misleading_order" else np.nan
            for method, prediction in predictions.items():
                value = expected_f(joint, p_empty, prediction)
                add(construction, m, method, optimum - value, value, optimum, bound)
    for m in many_labels:
        value, optimum = meuf_of_all_or_nothing(m)
        add("all_or_nothing", m, "meuf", optimum - value, value, optimum)
    for m in enumerated_labels:
        regret, bound = largest_threshold_regret(m), threshold_regret_bound(m)
        add("worst_distribution", m, "gfm_threshold", regret, bound=bound)
        for method, regret in _regrets_on_drawn_distributions(m, seed).items():
            add("drawn_distributions", m, method, regret)
    return rows, []


def _regrets_on_drawn_distributions(n_labels: int, seed: int) -> dict[str, float]:
    """Return each method's largest regret on random distributions, found by enumeration."""
    rng = np.random.default_rng([seed, n_labels])
    labelings = np.array(list(itertools.product((0, 1), repeat=n_labels)), dtype=np.uint8)
    # f[h, y]: F-measure of prediction h if the true labels are y.
    n = len(labelings)
    f = np.array([f_beta_of_instances(labelings, np.tile(h, (n, 1))) for h in labelings])
    digits = 2 ** np.arange(n_labels)[::-1]
    largest: dict[str, float] = {}
    for _ in range(DRAWN_DISTRIBUTIONS):
        distribution = Distribution(labelings, rng.dirichlet(np.full(n, 0.1)))
        joint, p_empty = distribution.joint()
        expected = f @ distribution.probabilities
        predictions = {
            "gfm": gfm(joint, p_empty)[0],
            "gfm_threshold": gfm_threshold(joint, p_empty)[0],
            "meuf": meuf(distribution.marginals)[0],
        }
        for method, prediction in predictions.items():
            regret = float(expected.max() - expected[int(prediction @ digits)])
            largest[method] = max(largest.get(method, 0.0), regret)
    return largest


SIMULATIONS = {
    simulate.__name__: as_study(simulate)
    for simulate in (independent_labels, dependent_labels, inference_seconds, worst_cases)
}
