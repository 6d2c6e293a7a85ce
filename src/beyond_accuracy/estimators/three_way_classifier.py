"""Binary classifier that acts, leaves, or refers a case to a person."""

from numbers import Real
from typing import Any, Literal, Self

import numpy as np

from beyond_accuracy.estimators.scorers import class_indices
from beyond_accuracy.estimators.threshold_classifier import ThresholdClassifier
from beyond_accuracy.estimators.validation import ArrayLike
from beyond_accuracy.estimators.wrapped_classifier import checked_examples
from beyond_accuracy.operating_points.certification import explain_uncertified
from beyond_accuracy.operating_points.constraints import parse_constraints
from beyond_accuracy.operating_points.objectives import make_objective
from beyond_accuracy.operating_points.three_way import best_two_thresholds
from beyond_accuracy.scikit_learn import Interval

# One threshold alone decides these rates on the decided cases.
_CERTIFIABLE = ("precision", "negative_predictive_value")


class ThreeWayClassifier(ThresholdClassifier):
    """Classifier with two thresholds on scores, which leaves the rows between them to a person.

    Parameters
    ----------
    estimator : classifier with predict_proba or decision_function
    objective : str, Measure or callable, default "accuracy"
        A measure of the decided rows, that is, the rows that are not left to a person. It is
        maximized; see `OperatingPointClassifier`. Costs are given as a function of (TP, FP, FN,
        TN).
    constraints : str, list of str or None, default None
        Constraints on the decided rows, such as ["precision >= 0.9", "negative_predictive_value >=
        0.99"].
    review_budget : float, default 0.1
        Largest share of the rows of `fit` that may be left to a person. For new rows, see the
        notes.
    pos_label, cv, response_method, random_state, n_jobs
        See `OperatingPointClassifier`.
    confidence : float or None, default None
        Probability with which the constraints hold on new data, as in `OperatingPointClassifier`.
        Only constraints on precision and negative predictive value are then possible. Several
        constraints share the error probability 1 − `confidence` equally.

    Attributes
    ----------
    low_threshold_, high_threshold_ : float
        A score above `high_threshold_` means "act" (predicted positive). A score of at most
        `low_threshold_` means "leave" (predicted negative). Other rows mean "refer" (to a person).
    best_score_ : float
        The objective on the decided rows of `fit`.
    table_ : tuple of float
        TP, FP, FN and TN on the decided rows of `fit`.
    review_rate_ : float
        Share of the rows of `fit` that are referred, at most `review_budget`.
    constraint_estimates_, constraint_probability_
        See `OperatingPointClassifier`.
    classes_, pos_label_, estimator_, n_features_in_, feature_names_in_
        See `OperatingPointClassifier`.

    Notes
    -----
    The best thresholds often use the whole review budget b. Of new rows, the share that is referred
    is then above b about as often as below. With n rows in `fit` and m new rows, its standard
    deviation is about √(b (1 − b) (1/n + 1/m)). A budget that is lower by two standard deviations
    is rarely exceeded.

    References
    ----------
    C. K. Chow, On Optimum Recognition Error and Reject Tradeoff, IEEE Transactions on Information
    Theory 16(1), 1970. https://doi.org/10.1109/TIT.1970.1054406

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from beyond_accuracy import ThreeWayClassifier
    >>> X, y = make_classification(400, weights=[0.7], random_state=0)
    >>> model = ThreeWayClassifier(LogisticRegression(), review_budget=0.2).fit(X, y)
    >>> model.decide(X[:4])
    array(['act', 'leave', 'refer', 'leave'], dtype='<U5')
    """

    _parameter_constraints: dict[str, list[Any]] = {
        **ThresholdClassifier._parameter_constraints,
        "review_budget": [Interval(Real, 0, 1, closed="both")],
    }

    def __init__(
        self,
        estimator: Any,
        objective: Any = "accuracy",
        *,
        constraints: Any = None,
        review_budget: float = 0.1,
        pos_label: Any = None,
        cv: Any | Literal["prefit"] = None,
        response_method: Literal["auto", "predict_proba", "decision_function"] = "auto",
        confidence: float | None = None,
        random_state: int | np.random.RandomState | None = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.objective = objective
        self.constraints = constraints
        self.review_budget = review_budget
        self.pos_label = pos_label
        self.cv = cv
        self.response_method = response_method
        self.confidence = confidence
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, **params: Any
    ) -> Self:
        """Fit the estimator, unless cv="prefit", and choose the thresholds.

        Parameters and errors are as for `OperatingPointClassifier.fit`. ValueError is also raised
        if no pair of thresholds meets the constraints within the review budget.
        """
        self._validate_params()
        constraints = parse_constraints(self.constraints)
        X, y, sample_weight = checked_examples(X, y, sample_weight)
        self._check_options(constraints, sample_weight)
        positive = self._encode(y, sample_weight)
        objective = make_objective(self.objective, None, positive)
        if objective.table_function is None:
            raise ValueError(
                "costs are given as a function of the counts of decided cases, such as "
                "objective=lambda tp, fp, fn, tn: -(fp + 5 * fn)"
            )
        held = self._held_out(X, y, positive, sample_weight, params)
        point = self._point(objective, constraints, held, self.review_budget)
        if point is None:
            raise ValueError(self._explain(constraints, held))
        self.low_threshold_: float
        self.high_threshold_: float
        self.low_threshold_, self.high_threshold_ = point.low, point.high
        self.best_score_: float = point.value
        self.table_: tuple[float, float, float, float] = point.table
        self.review_rate_: float = point.review_rate

        def choose(rows):
            chosen = self._point(objective, constraints, held.of(rows), self.review_budget)
            return chosen or point

        def count(chosen, part, weight):
            decisions = _decide(part.scores, chosen.low, chosen.high)
            return _table(part.positive, decisions, weight)

        self._estimate(constraints, held, choose, count)
        return self

    def decide(self, X: Any) -> np.ndarray:
        """Return "act" (positive), "leave" (negative) or "refer" for each row, shape (n,)."""
        return _decide(self.scores(X), self.low_threshold_, self.high_threshold_)

    def score(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Return the objective on the rows of X that are not referred to a person.

        The objective is negated if lower values are better. Constraints and the review budget are
        not checked on X.
        """
        decisions = self.decide(X)
        positive = self.classes_[class_indices(y, self.classes_)] == self.pos_label_
        objective = make_objective(self.objective, None, positive)
        weight = np.ones(len(positive)) if sample_weight is None else np.asarray(sample_weight)
        value = float(objective.table_function(*_table(positive, decisions, weight)))
        return -value if objective.minimized else value

    def predict(self, X: Any) -> np.ndarray:
        """Predict class labels, shape (n,), also for rows that `decide` refers to a person.

        A score above the mean of the two thresholds predicts the positive class.
        """
        scores = self.scores(X)
        middle = self.low_threshold_ / 2 + self.high_threshold_ / 2
        return self._labels(scores > middle)

    def _check_options(self, constraints, sample_weight):
        for constraint in constraints:
            if constraint.is_budget or (self.confidence and constraint.name not in _CERTIFIABLE):
                raise ValueError(
                    f"two thresholds cannot be certain to keep '{constraint}'; what can be "
                    f"certified: {', '.join(_CERTIFIABLE)}; without confidence: any rate"
                )
        self._check_confidence(constraints, sample_weight)

    def _point(self, objective, constraints, held, review_budget):
        examples = held.ranked()
        curve = examples.curve(held.sample_weight)
        allowed = np.ones((2, len(curve.thresholds)), dtype=bool)
        if self.confidence is not None:
            certify = self._certify_each(examples, held, len(constraints))
            for constraint in constraints:
                certified = certify([constraint], self.confidence)
                allowed[int(constraint.name == "precision")] &= certified
        return best_two_thresholds(curve, objective, constraints, review_budget, allowed)

    def _certify_each(self, examples, held, n_constraints):
        """Return the function of `_certify`, with the error probability split over constraints."""
        certify = self._certify(examples, held)
        return lambda constraints, confidence: certify(
            constraints, 1 - (1 - confidence) / n_constraints
        )

    def _explain(self, constraints, held):
        failure = "no two thresholds meet " + ", ".join(f"'{each}'" for each in constraints)
        if self.confidence is not None:
            shared = f", shared by {len(constraints)} constraints" if len(constraints) > 1 else ""
            failure += f" with confidence={self.confidence:g}{shared}"
        # The fewest referrals are the most decided cases.
        objective = make_objective(lambda *table: sum(table), None, held.positive)
        point = self._point(objective, constraints, held, 1.0)
        if point is not None:
            needed = f"{point.review_rate:.3g}"
            return f"{failure}: review_budget={self.review_budget:g} is below {needed}"
        reasons = []
        if self.confidence is not None:
            certify = self._certify_each(held.ranked(), held, len(constraints))
            reasons = [
                explain_uncertified(certify, [constraint], self.confidence)
                for constraint in constraints
                if not certify([constraint], self.confidence).any()
            ]
        return f"{failure}: {'; '.join(reasons) or 'whatever the review budget; loosen a bound'}"


def _decide(scores, low, high):
    return np.where(scores > high, "act", np.where(scores > low, "refer", "leave"))


def _table(positive, decisions, weight):
    return tuple(
        weight[(decisions == decision) & (positive == sign)].sum()
        for decision in ("act", "leave")
        for sign in (True, False)
    )
