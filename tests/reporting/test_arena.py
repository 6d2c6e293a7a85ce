"""Ranks over data sets, the Bayesian signed-rank test, and recommendations."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from beyond_accuracy_pipeline.reporting import signed_rank_posterior as posterior
from beyond_accuracy_pipeline.reporting.arena.ranks import (
    average_ranks,
    joined,
    pairwise_tests,
    significance_matrix,
    smallest_p,
)
from beyond_accuracy_pipeline.reporting.arena.recommendation import (
    Contestants,
    advice,
    for_probabilities,
    recommend,
    recommendation_table,
    threshold_advice,
)
from beyond_accuracy_pipeline.reporting.arena.tables import _at_zero
from beyond_accuracy_pipeline.reporting.arena.values import (
    by_data_set,
    kinds_of_data,
    situations,
)
from beyond_accuracy_pipeline.reporting.signed_rank_posterior import signed_rank_posterior
from beyond_accuracy_pipeline.reporting.tables import display

BAYCOMP = (0.00066, 0.66012, 0.33922)


@pytest.fixture
def scores():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.random((12, 4)).round(2), columns=list("abcd"))
    frame.loc[:3, "b"] = frame.loc[:3, "a"]
    return frame


def test_ranks_are_those_of_scipy(scores):
    expected = scipy.stats.rankdata(-scores.to_numpy(), axis=1).mean(axis=0)
    np.testing.assert_allclose(average_ranks(scores), expected)


def test_values_apart_by_rounding_share_a_rank():
    table = pd.DataFrame({"a": [0.3, 0.5], "b": [0.1 + 0.2, 0.5]})
    assert average_ranks(table).tolist() == [1.5, 1.5]


def test_pairs_are_tested_once_and_corrected_together(scores):
    tests = pairwise_tests(scores)
    assert len(tests) == 6
    for row in tests.itertuples():
        difference = (scores[row.first] - scores[row.second]).round(12)
        nonzero = difference[difference != 0]
        assert row.p_value == pytest.approx(scipy.stats.wilcoxon(nonzero).pvalue)
        assert (row.wins, row.losses) == ((difference > 0).sum(), (difference < 0).sum())
    p_values = np.sort(tests["p_value"])
    assert tests["p_value_holm"].min() == pytest.approx(min(6 * p_values[0], 1))
    matrix = significance_matrix(scores)
    assert (matrix.to_numpy() == matrix.to_numpy().T).all()
    assert (np.diag(matrix) == 1).all()


def test_posterior_is_that_of_baycomp():
    """Compare with baycomp 1.0.3, by the authors of the test, with 100,000 samples."""
    rng = np.random.default_rng(7)
    first = rng.uniform(0.6, 0.9, 15)
    second = first + rng.normal(0.006, 0.02, 15)
    found = signed_rank_posterior(first, second, 0.01)
    np.testing.assert_allclose(found, BAYCOMP, atol=0.02)


def test_posterior_by_counting_pairs(monkeypatch):
    """Compute the shares of each sample by the defining loop over all pairs of differences."""
    first, second, rope = np.array([0.5, 0.62, 0.4]), np.array([0.52, 0.6, 0.405]), 0.01
    # Samples are drawn for the direction whose sorted differences are larger.
    seen = np.array([0, *sorted(second - first)])
    wins = np.zeros(3)
    for weights in np.random.default_rng(0).dirichlet([0.5, 1, 1, 1], 400):
        shares = np.zeros(3)
        for i in range(4):
            for j in range(4):
                mean = round((seen[i] + seen[j]) / 2, 12)
                kind = 0 if mean < -rope else 2 if mean > rope else 1
                part = weights[i] * weights[j]
                if abs(mean) == rope:
                    # Half of a share on the border counts as beyond it.
                    shares[0 if mean < 0 else 2] += part / 2
                    shares[1] += part / 2
                else:
                    shares[kind] += part
        wins[shares.argmax()] += 1
    monkeypatch.setattr(posterior, "_SIZES", (400,))
    found = signed_rank_posterior(first, second, rope)
    np.testing.assert_allclose(found[::-1], wins / 400)


@given(
    pairs=st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=9),
    shuffled=st.randoms(use_true_random=False),
)
def test_posterior_depends_on_no_order(pairs, shuffled):
    """The order of the pairs does not matter, and neither does the order of the two methods."""
    with pytest.MonkeyPatch.context() as context:
        context.setattr(posterior, "_SIZES", (5000,))
        first, second = np.array(pairs).T / 100
        found = signed_rank_posterior(first, second, 0.01)
        assert signed_rank_posterior(second, first, 0.01) == found[::-1]
        shuffled.shuffle(pairs)
        first, second = np.array(pairs).T / 100
        assert signed_rank_posterior(first, second, 0.01) == found


def test_posterior_near_a_decision_takes_more_samples(monkeypatch):
    """With 5,000 samples, the result could be off by 0.01, depending on the seed."""
    rng = np.random.default_rng(9)
    second = rng.uniform(0.5, 0.9, 12)
    first = second + rng.normal(0.012, 0.02, 12)
    found = signed_rank_posterior(first, second, 0.01)
    assert found.better == pytest.approx(0.9, abs=0.03)
    monkeypatch.setattr(posterior, "_SIZES", (50_000,))
    assert signed_rank_posterior(first, second, 0.01) == found


def test_the_simplest_of_equally_good_methods_is_recommended():
    base = np.linspace(0.3, 0.9, 10)
    table = pd.DataFrame({"poor": base - 0.2, "simple": base, "elaborate": base + 0.001})
    found = recommend(table, ["poor", "simple", "elaborate"])
    assert (found["recommended"], found["best"]) == ("simple", "elaborate")
    assert found["difference"] == pytest.approx(-0.001)
    assert recommend(table, ["elaborate", "simple", "poor"])["recommended"] == "elaborate"
    table["elaborate"] += 0.1
    found = recommend(table, ["poor", "simple", "elaborate"])
    assert found["recommended"] == "elaborate"
    assert found["not_worse"] > 0.99
    assert recommend(table.head(4), ["simple"])["recommended"] == ""
    assert recommend(table, ["another"])["recommended"] == ""


# F1 on the five sparse data sets of the first reference run, in percent.
SPARSE = pd.DataFrame(
    {
        "lr_tuned": [66.01, 27.22, 21.64, 62.24, 78.37],
        "multivariate_svm": [64.73, 28.57, 20.44, 64.05, 83.87],
    }
)


def test_the_best_rank_is_no_evidence():
    """Three wins of five give the best rank, but two large losses make the method worse."""
    table = pd.DataFrame({"first": [0.5] * 5, "second": [0.499, 0.499, 0.498, 0.7, 0.8]})
    found = recommend(table, ["first", "second"])
    posterior = signed_rank_posterior(table["first"], table["second"], 0.01)
    assert found["best"] == "first"
    assert 1 - posterior.worse < 0.9
    assert found["recommended"] == "second"
    assert found["not_worse"] == pytest.approx(1 - posterior.better)


def test_nothing_is_recommended_where_no_method_is_sure():
    found = recommend(SPARSE / 100, ["lr_tuned", "multivariate_svm"], [], ["lr_tuned"])
    compared = signed_rank_posterior(*SPARSE.to_numpy().T / 100, 0.01)
    # The numbers of an audit, by baycomp's algorithm.
    assert (compared.better, compared.worse) == pytest.approx((0.10, 0.57), abs=0.02)
    assert found["recommended"] != "lr_tuned"
    assert found["threshold"] == "undecided"
    assert found["threshold_not_worse"] == pytest.approx(1 - compared.worse)
    noise = np.array([4, -5, 6, -4, 5, -6]) / 100
    table = pd.DataFrame({"a": 0.5 + noise, "b": 0.5 - noise, "c": np.full(6, 0.2)})
    found = recommend(table, ["a", "b", "c"])
    assert found["recommended"] == ""
    text = advice(found, str.upper, "c")
    assert text.startswith("undecided: ")
    assert "C (" not in text
    assert text.endswith("; for probabilities c")


def test_without_data_nothing_is_recommended():
    columns = ["data_set", "task", "method", "measure", "value", "share", "n_train", "n_features"]
    rows = pd.DataFrame(columns=columns).assign(sparse=False)
    report = SimpleNamespace(once=lambda _: rows, measures=["f1"], method_label=str)
    table = recommendation_table(report, Contestants(["lr"], probabilistic=["lr"]))
    assert display(table)[0].empty
    assert {"when", "recommended", "contenders"} <= set(table.numbers)


def test_what_to_take_for_probabilities_is_said_also_where_that_is_undecided():
    rows = [
        ("f1", False, "svm", ""),
        ("f1", True, "", '{"lr": 0.6, "hgb": 0.7}'),
        ("roc_area", False, "", '{"hgb": 0.7}'),
        ("roc_area", True, "hgb", ""),
        ("prbep", False, "lr", ""),
        ("prbep", True, "lr", ""),
        ("accuracy", False, "", '{"svm": 0.7}'),
        ("accuracy", True, "", '{"lr": 0.5}'),
    ]
    frame = pd.DataFrame(rows, columns=["measure", "probabilities", "recommended", "contenders"])
    found = for_probabilities(frame.assign(when="all tasks"), str.upper)
    assert found == {
        ("f1", "all tasks"): "undecided: LR or HGB",
        ("accuracy", "all tasks"): "undecided: LR",
    }


def test_whether_a_threshold_is_enough():
    base = np.linspace(0.3, 0.7, 10)
    columns = {"plain": base, "tuned": base + 0.1, "trained": base + 0.1}
    order = list(columns)

    def verdict(**changed):
        table = pd.DataFrame(columns | changed)
        found = recommend(table, order, ["plain"], ["tuned"])
        return found["threshold"], threshold_advice(found, str.title)

    assert verdict() == ("enough", "yes: Tuned (1.00)")
    assert verdict(plain=base + 0.1) == ("not needed", "not needed: Plain without tuning (1.00)")
    assert verdict(trained=base + 0.2) == ("not enough", "no: Trained is better (1.00)")
    assert verdict(trained=base + 0.1 + 0.03 * (-1.0) ** np.arange(10))[0] == "undecided"
    # A measure for which no threshold is tuned.
    found = recommend(pd.DataFrame(columns), ["plain", "trained"], ["plain"], ["tuned"])
    assert (found["threshold"], threshold_advice(found, str)) == ("", "")


def test_bars_cover_nothing_that_tests_tell_apart():
    """The cliques of this graph are abd and bcd. A bar from a to d would cover a and c."""
    ranks = pd.Series({"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0})
    p_values = pd.DataFrame(1.0, index=ranks.index, columns=ranks.index)
    p_values.loc["a", "c"] = p_values.loc["c", "a"] = 0.01
    found = joined(ranks, p_values)
    pairs = {(i, j) for i in ranks.index for j in ranks.index if i < j and found.loc[i, j]}
    assert pairs == {("a", "b"), ("b", "c"), ("b", "d"), ("c", "d")}
    # With equal ranks, neither method lies between the other and a third.
    ranks["b"] = 3.0
    assert not joined(ranks, p_values).loc["a", "b"]


def test_the_smallest_p_value_that_tests_can_have():
    for n_rows, n_columns in ((5, 2), (6, 2), (9, 4)):
        table = pd.DataFrame(
            np.arange(n_rows)[:, None] + 0.1 * np.arange(1, n_rows + 1)[:, None] * range(n_columns)
        )
        least = pairwise_tests(table)["p_value_holm"].min()
        assert smallest_p(n_rows, n_columns) == pytest.approx(least)
    assert smallest_p(5, 2) > 0.05 > smallest_p(6, 2)
    assert smallest_p(5, 12) == 1


def test_data_sets_are_averages_of_tasks_and_complete():
    rows = pd.DataFrame(
        [
            ("one", "x", "lr", "f1", 0.2), ("one", "y", "lr", "f1", 0.4),
            ("one", "x", "hgb", "f1", 0.6), ("one", "y", "hgb", "f1", 0.8),
            ("text", "x", "lr", "f1", 0.9),
            ("one", "x", "lr", "hamming_loss", 0.1), ("one", "x", "svm", "roc_area", 0.1),
        ],
        columns=["data_set", "task", "method", "measure", "value"],
    )  # fmt: skip
    table = by_data_set(rows, "f1")
    assert table.to_dict("index") == {"one": {"lr": pytest.approx(0.3), "hgb": pytest.approx(0.7)}}
    assert list(by_data_set(rows, "f1", ["lr"]).index) == ["one", "text"]
    assert by_data_set(rows, "hamming_loss").loc["one", "lr"] == -0.1


def test_situations_come_in_halves():
    rows = pd.DataFrame(
        {
            "share": [0.05, 0.1, 0.5], "n_train": [999, 1000, 10],
            "n_features": [49, 50, 7], "sparse": [True, False, False],
        }
    )  # fmt: skip
    assert [kind.label for kind in kinds_of_data(rows)] == ["dense features", "sparse features"]
    held = {situation.name: situation.holds(rows).tolist() for situation in situations(rows)}
    assert held["sparse"] == [not each for each in held["dense"]] == [True, False, False]
    for one, other in (("rare", "frequent"), ("small", "large"), ("narrow", "wide")):
        # The halves have only dense features, to which all methods can be fitted.
        assert np.add(held[one], held[other]).tolist() == held["dense"]
        assert not np.logical_and(held[one], held[other]).any()
    assert held["small"] == [False, False, True]
    dense = rows.assign(sparse=False)
    assert [kind.label for kind in kinds_of_data(dense)] == ["all tasks"]
    held = {situation.label: situation.holds(dense).tolist() for situation in situations(dense)}
    assert held["all tasks"] == [True] * 3
    assert held["below 1,000 examples"] == [True, False, True]


def test_fits_whose_weights_are_zero_are_counted():
    fits = pd.DataFrame(
        [("svm", "f1", True), ("svm", "f1", False), ("svm", "prbep", False), ("lr", "f1", None)],
        columns=["method", "measure", "degenerate"],
    )
    report = SimpleNamespace(
        results=SimpleNamespace(fits=fits),
        methods=lambda: ["svm", "lr"],
        method_label=str.upper,
    )
    (note,) = _at_zero(report)
    assert "in 1 of 2 fits of SVM for F1 (first seed)" in note
    fits["degenerate"] = False
    assert _at_zero(report) == []
