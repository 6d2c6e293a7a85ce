"""Decision rules of the multi-label protocol, named like `gfm`, `gfm_exact` or `meuf_f0.5`.

A name starts with the inference method. `_exact` means that the probabilities come from all 2^m
label vectors instead of samples, and `_f<β>` sets β of the F-measure if it is not 1. Two rules
choose thresholds on held-out marginals of the training part: `macro_f1_thresholds` (one per label)
and `micro_f1_threshold` (one for all labels).
"""

import re
from dataclasses import dataclass

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from beyond_accuracy.estimators.multilabel_operating_point_classifier import (
    MultiLabelOperatingPointClassifier,
)
from beyond_accuracy.inference import (
    gfm,
    gfm_from_samples,
    gfm_threshold,
    gfm_threshold_from_samples,
    meuf,
    meuf_approx,
)
from beyond_accuracy.inference.distributions import (
    expected_f,
    expected_f_from_marginals,
    expected_f_from_samples,
)

INFERENCES = ("marginal_threshold", "gfm", "gfm_threshold", "meuf_approx", "meuf")
OF_JOINT = {"gfm": gfm, "gfm_threshold": gfm_threshold}
OF_SAMPLES = {"gfm": gfm_from_samples, "gfm_threshold": gfm_threshold_from_samples}
OF_MARGINALS = {"meuf": meuf, "meuf_approx": meuf_approx}
OBJECTIVES = {"macro_f1_thresholds": "f1_macro", "micro_f1_threshold": "f1_micro"}
"""Objective of each decision by chosen thresholds."""
_PATTERN = re.compile(
    rf"(?:({'|'.join(INFERENCES)})(_exact)?|({'|'.join(OBJECTIVES)}))(?:_f(\d+(?:\.\d+)?))?"
)


@dataclass(frozen=True)
class Decision:
    """Decision rule that turns label probabilities into predicted labels.

    `inference` names the algorithm, such as "gfm" (general F-measure maximizer). If `exact`, the
    probabilities come from all 2^m label vectors instead of samples.
    """

    inference: str
    exact: bool = False
    beta: float = 1.0

    @classmethod
    def of(cls, name: str) -> "Decision":
        """Parse the name of a decision rule, such as "gfm_exact" or "meuf_f0.5" (β = 0.5).

        For an invalid name, a ValueError lists the valid names.
        """
        match = _PATTERN.fullmatch(name)
        if match is None or match[4] is not None and not float(match[4]) > 0:
            raise ValueError(
                f"no inference method {name!r}; it is one of {', '.join(INFERENCES)}, followed by "
                "_exact for all 2^m label vectors in place of samples, or one of "
                f"{', '.join(OBJECTIVES)}; and by _f2 for β = 2"
            )
        return cls(match[1] or match[3], match[2] is not None, float(match[4] or 1))

    @property
    def is_tuned(self) -> bool:
        """Whether the rule compares probabilities with thresholds chosen on held-out data."""
        return self.inference in OBJECTIVES


@dataclass(frozen=True)
class LabelProbabilities:
    """Probabilities of the m labels of n examples; `marginals` are P(Y_i = 1), shape (n, m).

    Dependent labels also have one of these two:

    - `samples`: label vectors drawn from the joint distribution, shape (n, n_samples, m)
    - `joint`: P(i is one of s positive labels) at `joint[:, i, s − 1]`. Then `p_empty` is the
      probability of no positive label.
    """

    marginals: np.ndarray
    samples: np.ndarray | None = None
    joint: np.ndarray | None = None
    p_empty: np.ndarray | None = None

    def first(self) -> "LabelProbabilities":
        """Return the probabilities of the first example alone."""
        parts = {name: part for name, part in vars(self).items() if part is not None}
        return LabelProbabilities(**{name: part[:1] for name, part in parts.items()})


class _KnownMarginals(ClassifierMixin, BaseEstimator):
    """Classifier whose features are the label probabilities, which it returns unchanged."""

    def fit(self, X, Y):
        return self

    def predict_proba(self, X):
        return X

    def __sklearn_is_fitted__(self):
        return True


def choose_thresholds(decision: Decision, marginals, Y):
    """Choose thresholds on label probabilities by held-out data; return them, shape (m,).

    They maximize macro-F with one threshold per label, or micro-F with the same threshold for all
    labels, as `decision` says. `marginals` are label probabilities and Y the true labels, shape (n,
    m).
    """
    classifier = MultiLabelOperatingPointClassifier(
        _KnownMarginals(), OBJECTIVES[decision.inference], beta=decision.beta, cv="prefit"
    )
    return classifier.fit(marginals, Y).thresholds_


def decide(decision: Decision, probabilities, thresholds=None):
    """Predict label vectors by a decision rule; return them as uint8, shape (n, m).

    `probabilities` is a `LabelProbabilities`. Only rules with `decision.is_tuned` need
    `thresholds`.
    """
    beta = decision.beta
    if decision.is_tuned:
        return (probabilities.marginals > thresholds).astype(np.uint8)
    if decision.inference == "marginal_threshold":
        return (probabilities.marginals >= 0.5).astype(np.uint8)
    if decision.inference in OF_MARGINALS:
        return OF_MARGINALS[decision.inference](probabilities.marginals, beta)[0]
    if probabilities.samples is not None:
        return OF_SAMPLES[decision.inference](probabilities.samples, beta)[0]
    if probabilities.joint is not None:
        return OF_JOINT[decision.inference](probabilities.joint, probabilities.p_empty, beta)[0]
    raise ValueError(
        f"{decision.inference} needs a joint distribution of the labels, which binary relevance "
        "does not have; leave it out of this method's inference"
    )


def expected_value(decision: Decision, probabilities, prediction):
    """Return the expected F_β of each predicted label vector, shape (n,).

    `probabilities`, a `LabelProbabilities`, has the distribution. The rules `meuf` and
    `meuf_approx` ignore the joint distribution and assume independent labels.
    """
    beta = decision.beta
    joint_counts = decision.inference not in OF_MARGINALS
    if joint_counts and probabilities.samples is not None:
        return expected_f_from_samples(probabilities.samples, prediction, beta)
    if joint_counts and probabilities.joint is not None:
        return expected_f(probabilities.joint, probabilities.p_empty, prediction, beta)
    return expected_f_from_marginals(probabilities.marginals, prediction, beta)
