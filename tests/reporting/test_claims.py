"""Claims on constructed measurements that must yield each verdict."""

import json

import pandas as pd
import pytest
import yaml

from beyond_accuracy import reporting
from beyond_accuracy.reporting.claims import Evidence, Verdict, evaluate_claims, read_claims
from beyond_accuracy.reporting.joachims2005.claims import (
    ARXIV,
    CLAIMS,
    COLLECTIONS,
    COVERTYPE,
    MEASURES,
    REUTERS,
)
from beyond_accuracy.reporting.results import PaperResults

from .synthetic_run import (
    METHODS,
    PAPER,
    PAPER_FILE,
    measurement,
    record,
    small_configuration,
    write_parquet,
)

N_TASKS = 8
FIT = {
    "n_iter": 100.0,
    "converged": True,
    "n_iter_without_line_search": None,
    "converged_without_line_search": None,
}
LEVEL = 0.5


def write_evidence(folder, differences, *, records=(), **fit) -> Evidence:
    """Write measurements whose class differences are given, by (data set, measure).

    None instead of differences is a data set that could not be had; pairs that are not named do
    not differ at all.
    """
    rows, fits = [], []
    for data_set in COLLECTIONS:
        for measure in MEASURES:
            changes = differences.get((data_set, measure), [0.0] * N_TASKS)
            for method in METHODS:
                if changes is None:
                    rows.append(
                        measurement(data_set, "", method, measure, None, "unavailable", "offline")
                    )
                    continue
                for index, change in enumerate(changes):
                    value = LEVEL + (change if method == METHODS[0] else 0)
                    row = measurement(data_set, f"t{index}", method, measure, value)
                    rows.append(row)
                    fits.append(row | FIT | {"n_train_positives": 2**index} | fit)
    write_parquet(folder / PAPER / "measurements.parquet", rows)
    nothing = dict.fromkeys(("n_train_positives", *FIT))
    fits = fits or [measurement("d", "", METHODS[0], "f1", None, "unavailable") | nothing]
    write_parquet(folder / PAPER / "fits" / "all" / "all.parquet", fits)
    known = [record(name) for name in COLLECTIONS]
    known = {row["data_set"]: row for row in [*known, *records]}
    pd.DataFrame(known.values()).to_csv(folder / "data_sets.csv", index=False)
    return Evidence(PaperResults(folder, PAPER), small_configuration())


BETTER = [0.01 * (index + 1) for index in range(N_TASKS)]
WORSE = [-change for change in BETTER]
UNSURE = [0.10, -0.01, 0.02, -0.03, 0.04, -0.05, 0.06, -0.07]
RARER = BETTER[::-1]
ABSENT = {(name, measure): None for name in COLLECTIONS for measure in MEASURES}


def every(changes, *, of=COLLECTIONS, measures=MEASURES):
    return {(data_set, measure): changes for data_set in of for measure in measures}


def improve(n):
    """Differences in which exactly n of the 16 macro-averages improve."""
    pairs = [(data_set, measure) for data_set in COLLECTIONS for measure in MEASURES]
    return dict.fromkeys(pairs[:n], BETTER) | dict.fromkeys(pairs[n:], WORSE)


F1 = (REUTERS, "f1")
PRBEP = (REUTERS, "prbep")
ROC_AREA = (REUTERS, "roc_area")
RECALL = (REUTERS, "recall_at_2p")
MORE = [2 * change for change in BETTER]

CASES = [
    ("f1_improves_on_reuters", {F1: BETTER}, "reproduced"),
    ("f1_improves_on_reuters", {F1: UNSURE}, "partly"),
    ("f1_improves_on_reuters", {F1: WORSE}, "not reproduced"),
    ("f1_improves_on_reuters", {}, "not reproduced"),
    ("f1_improves_on_reuters", {F1: None}, "not testable"),
    ("prbep_and_roc_area_improve_on_reuters", {PRBEP: BETTER, ROC_AREA: BETTER}, "reproduced"),
    ("prbep_and_roc_area_improve_on_reuters", {PRBEP: BETTER, ROC_AREA: WORSE}, "partly"),
    ("prbep_and_roc_area_improve_on_reuters", {PRBEP: UNSURE, ROC_AREA: UNSURE}, "partly"),
    ("prbep_and_roc_area_improve_on_reuters", {PRBEP: UNSURE}, "not reproduced"),
    ("prbep_and_roc_area_improve_on_reuters", ABSENT, "not testable"),
    ("recall_at_2p_does_not_improve_on_reuters", {RECALL: WORSE}, "reproduced"),
    ("recall_at_2p_does_not_improve_on_reuters", {RECALL: UNSURE}, "partly"),
    ("recall_at_2p_does_not_improve_on_reuters", {}, "partly"),
    ("recall_at_2p_does_not_improve_on_reuters", {RECALL: BETTER}, "not reproduced"),
    ("recall_at_2p_does_not_improve_on_reuters", ABSENT, "not testable"),
    ("most_macro_averages_improve", improve(9), "reproduced"),
    ("most_macro_averages_improve", improve(8), "partly"),
    ("most_macro_averages_improve", improve(7), "not reproduced"),
    ("most_macro_averages_improve", improve(9) | every(None, of=[COVERTYPE]), "reproduced"),
    ("most_macro_averages_improve", improve(8) | every(None, of=[COVERTYPE]), "not testable"),
    ("most_macro_averages_improve", improve(3) | every(None, of=[COVERTYPE]), "not reproduced"),
    ("most_macro_averages_improve", ABSENT, "not testable"),
    ("covertype_shows_no_significant_difference", every(UNSURE, of=[COVERTYPE]), "reproduced"),
    ("covertype_shows_no_significant_difference", {(COVERTYPE, "f1"): WORSE}, "partly"),
    ("covertype_shows_no_significant_difference", every(BETTER), "not reproduced"),
    ("covertype_shows_no_significant_difference", ABSENT, "not testable"),
    ("largest_gains_are_f1_on_text", every(BETTER) | {F1: MORE, (ARXIV, "f1"): MORE}, "reproduced"),
    ("largest_gains_are_f1_on_text", every(WORSE) | {(ARXIV, "f1"): MORE, PRBEP: BETTER}, "partly"),
    ("largest_gains_are_f1_on_text", every(BETTER) | {PRBEP: MORE}, "not reproduced"),
    ("largest_gains_are_f1_on_text", every(None, of=[COVERTYPE]), "not testable"),
    ("gains_grow_as_classes_get_rarer", every(RARER), "reproduced"),
    ("gains_grow_as_classes_get_rarer", {F1: RARER}, "partly"),
    ("gains_grow_as_classes_get_rarer", every(BETTER), "not reproduced"),
    ("gains_grow_as_classes_get_rarer", ABSENT, "not testable"),
]


@pytest.mark.parametrize(("function", "differences", "expected"), CASES)
def test_verdicts(tmp_path, function, differences, expected):
    verdict = CLAIMS[function](write_evidence(tmp_path, differences))
    assert verdict.verdict == expected
    if expected == "not testable":
        assert "offline" in verdict.note


@pytest.mark.parametrize(
    ("with_line_search", "without", "expected"),
    [
        ((500.0, True), (None, None), "reproduced"),
        ((501.0, True), (None, None), "not reproduced"),
        ((100.0, False), (None, None), "not reproduced"),
        ((100.0, True), (501.0, True), "not reproduced"),
        ((100.0, True), (90.0, False), "not reproduced"),
        ((900.0, True), (90.0, True), "reproduced"),
    ],
)
def test_iterations(tmp_path, with_line_search, without, expected):
    names = (
        "n_iter",
        "converged",
        "n_iter_without_line_search",
        "converged_without_line_search",
    )
    fit = dict(zip(names, (*with_line_search, *without), strict=True))
    evidence = write_evidence(tmp_path, {}, **fit)
    assert CLAIMS["a_few_hundred_iterations_suffice"](evidence).verdict == expected


def test_iterations_of_most_but_not_of_nine_in_ten(tmp_path):
    evidence = write_evidence(tmp_path, {})
    path = tmp_path / PAPER / "fits" / "all" / "all.parquet"
    fits = pd.read_parquet(path)
    slow = (fits["data_set"] == COVERTYPE) & fits["task"].isin(["t0", "t1"])
    fits.loc[slow, "n_iter"] = 900.0
    fits.to_parquet(path)
    verdict = CLAIMS["a_few_hundred_iterations_suffice"](evidence)
    assert verdict.verdict == "partly"
    assert verdict.numbers[f"{COVERTYPE}: 90 %"] == 900
    assert verdict.numbers[f"{COVERTYPE}: median"] == 100


def test_iterations_without_fits(tmp_path):
    evidence = write_evidence(tmp_path, ABSENT)
    assert CLAIMS["a_few_hundred_iterations_suffice"](evidence).verdict == "not testable"


def test_a_substitute_is_named_in_the_verdict(tmp_path):
    standin = record(
        COVERTYPE, used="other", substitute_for=COVERTYPE, substitute_reason="too large"
    )
    evidence = write_evidence(tmp_path, {}, records=[standin])
    verdict = CLAIMS["covertype_shows_no_significant_difference"](evidence)
    assert verdict.verdict == "reproduced"
    assert verdict.note == "covertype: the substitute other stands in for covertype: too large."
    assert CLAIMS["f1_improves_on_reuters"](evidence).note == ""


def test_numbers_of_a_verdict(tmp_path):
    numbers = CLAIMS["f1_improves_on_reuters"](write_evidence(tmp_path, {F1: BETTER})).numbers
    assert numbers["F1: multivariate_svm"] == pytest.approx(0.545)
    assert numbers["F1: cost_model_svm"] == pytest.approx(0.5)
    assert (numbers["F1: wins"], numbers["F1: losses"]) == (8, 0)
    assert numbers["F1: p"] == pytest.approx(2 / 2**8)


def test_every_claim_of_the_paper_has_a_function_and_the_reverse():
    claims = yaml.safe_load(PAPER_FILE.read_text(encoding="utf-8"))[PAPER]["claims"]
    assert {claim["function"] for claim in claims} == set(CLAIMS)
    assert len({claim["id"] for claim in claims}) == len(claims)


def test_claims_as_files(tmp_path):
    evidence = write_evidence(tmp_path, {F1: BETTER})
    arguments = {"results_folder": tmp_path, "paper": PAPER}
    reporting.build_claims(
        **arguments, paper_configuration=evidence.configuration, output=tmp_path / "one.csv"
    )
    reporting.combine_claims([tmp_path / "one.csv", tmp_path / "one.csv"], tmp_path / "all.csv")
    claims = read_claims(tmp_path / "all.csv")
    assert len(claims) == 2 * len(CLAIMS)
    first = claims.iloc[0]
    assert (first["paper"], first["id"], first["verdict"]) == (PAPER, "f1-reuters", "reproduced")
    assert first["numbers"]["F1: difference"] == 0.045
    reporting.combine_claims([], tmp_path / "none.csv")
    assert read_claims(tmp_path / "none.csv").empty


def test_numbers_without_a_finite_value_are_text(tmp_path):
    claim = {key: "x" for key in ("id", "section", "statement", "rule", "function")}
    numbers = {"nan": float("nan"), "inf": float("inf"), "third": 1 / 3, "count": 3}
    evidence = Evidence(PaperResults(tmp_path, PAPER), {})
    row = evaluate_claims([claim], {"x": lambda _: Verdict("partly", numbers)}, evidence).iloc[0]
    expected = {"nan": "nan", "inf": "inf", "third": 0.3333333333, "count": 3}
    assert json.loads(row["numbers"]) == expected


def test_unknown_functions_and_verdicts_are_refused(tmp_path):
    claim = {"id": "a", "function": "f", "section": "", "statement": "", "rule": ""}
    evidence = Evidence(PaperResults(tmp_path, PAPER), {})
    with pytest.raises(ValueError, match="a has the function 'f'; valid: g"):
        evaluate_claims([claim], {"g": lambda _: Verdict("partly")}, evidence)
    with pytest.raises(ValueError, match="found 'maybe'"):
        Verdict("maybe")
