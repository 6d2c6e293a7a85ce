"""Exact F-measure maximization: seconds against the number of labels, and at mediamill's size."""

import numpy as np

from benchmarks.report import Section, significant
from benchmarks.scaling import fitted_exponent
from benchmarks.timing import median_seconds
from beyond_accuracy.inference import gfm, gfm_from_samples, joint_from_samples, meuf, meuf_approx
from beyond_accuracy.inference.ancestral_sampling import sample_logistic_chain

_SEED = 20111212
_N_SAMPLES = 200
_MEAN_LABELS = 4.4
_LABELS = (25, 50, 100, 200, 400)
_MOST_LABELS = {"MEUF, Jansche": 100, "MEUF, Chai": 200, "GFM, m³ product": 200}


def measure(tasks, sizes, repetitions, folder) -> Section:
    """Measure seconds per example for each algorithm and m, fit exponents, and measure a chain."""
    labels = _LABELS[:2] if sizes.quick else _LABELS
    points = {}
    for m in labels:
        for name, (function, n_examples) in _algorithms(m, 2 if sizes.quick else 50).items():
            function()
            ((elapsed, _),) = median_seconds(repetitions, function)
            points.setdefault(name, {})[m] = elapsed / n_examples
    rows = [
        [f"{m}", *(significant(1e6 * curve[m]) if m in curve else "" for curve in points.values())]
        for m in labels
    ]
    rows.append(
        ["exponent", *(f"{fitted_exponent([*curve.items()]):.2f}" for curve in points.values())]
    )
    chain_text = _mediamill(300 if sizes.quick else 12_914, repetitions)
    return Section(
        "Exact F-measure maximization",
        f"Microseconds per example, and the exponents of m fitted to them. Each test example has "
        f"{_N_SAMPLES} samples from a generated chain with {_MEAN_LABELS:g} labels on average. "
        "GFM from samples includes the time to count the joint distribution, GFM from the joint "
        "does not. The m³ product is BLAS on the whole matrices and a sort for each k. MEUF takes "
        "the marginals. " + chain_text,
        ("labels m", *points),
        rows,
    )


def generated_chain(n_examples, n_labels, seed=_SEED):
    """Log-odds (n, m) and label weights (m, m) of a chain with 4.4 positive labels in the mean.

    Few labels are common and most are rare; examples differ much; labels attract one another.
    """
    rng = np.random.default_rng([seed, n_labels])
    share = 1.0 / np.arange(1, n_labels + 1)
    share *= min(_MEAN_LABELS / share.sum(), 0.9)
    level = np.log(share / (1 - share))[rng.permutation(n_labels)]
    log_odds = level + 1.5 * rng.standard_normal((n_examples, n_labels))
    weights = np.tril(rng.standard_normal((n_labels, n_labels)), -1) / np.sqrt(n_labels)
    keys = rng.integers(0, 2**63, size=n_examples).astype(np.uint64)
    # The spread of log-odds raises the mean; a shift brings it back.
    for _ in range(4):
        few = sample_logistic_chain(log_odds[:200], weights, keys[:200], 50)
        log_odds += np.log(_MEAN_LABELS / max(few.sum(axis=2, dtype=int).mean(), 1e-3))
    return log_odds, weights, keys


def _algorithms(m, n_examples):
    log_odds, weights, keys = generated_chain(n_examples, m)
    samples = sample_logistic_chain(log_odds, weights, keys, _N_SAMPLES)
    joint, p_empty = joint_from_samples(samples)
    marginals = samples.mean(axis=1)
    algorithms = {
        "sampling": lambda: sample_logistic_chain(log_odds, weights, keys, _N_SAMPLES),
        "GFM from samples": lambda: gfm_from_samples(samples),
        "GFM from the joint": lambda: gfm(joint, p_empty),
        "GFM, m³ product": lambda: [_naive_gfm(p, e) for p, e in zip(joint, p_empty, strict=True)],
        "MEUF, Ye": lambda: meuf(marginals),
        "MEUF, exponentials": lambda: meuf(marginals, method="exponential_sum"),
        "MEUF approx": lambda: meuf_approx(marginals),
        "MEUF, Chai": lambda: meuf(marginals, method="cubic"),
    }
    timed = {
        name: (function, n_examples)
        for name, function in algorithms.items()
        if m <= _MOST_LABELS.get(name, m)
    }
    if m <= _MOST_LABELS["MEUF, Jansche"]:
        timed["MEUF, Jansche"] = (lambda: meuf(marginals[:2], method="jansche"), 2)
    return timed


def _naive_gfm(joint, p_empty):
    """Algorithm 1 as printed: F = P·W, and the k largest of each column."""
    size = np.arange(1, len(joint) + 1)
    values = -np.sort(-(joint @ (2.0 / (size[:, None] + size))), axis=0)
    expected = np.concatenate([[p_empty], np.diagonal(np.cumsum(values, axis=0))])
    return expected.max()


def _mediamill(n_examples, repetitions):
    m = 101
    log_odds, weights, keys = generated_chain(n_examples, m)

    def sample_and_maximize():
        samples = sample_logistic_chain(log_odds, weights, keys, _N_SAMPLES)
        return gfm_from_samples(samples), samples

    sample_and_maximize()
    ((elapsed, (_, samples)),) = median_seconds(repetitions, sample_and_maximize)
    marginals = samples.mean(axis=1)
    n_labels = samples.sum(axis=2, dtype=np.int64).mean()
    meuf(marginals[:2])
    ((exact, _),) = median_seconds(repetitions, lambda: meuf(marginals))
    return (
        f"{n_examples:,} examples × {m} labels × {_N_SAMPLES} samples with {n_labels:.1f} labels: "
        f"sampling and GFM {significant(elapsed)} s, exact MEUF {significant(exact)} s."
    )
