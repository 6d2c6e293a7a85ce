"""Claims on constructed predictions and simulations that must yield each verdict."""

import pytest
import yaml

from beyond_accuracy.reporting.claims import Evidence
from beyond_accuracy.reporting.dembczynski2011.claims import CLAIMS
from beyond_accuracy.reporting.results import PaperResults

from .synthetic_label_run import (
    PAPER,
    PAPER_FILE,
    write_label_run,
    write_simulations,
    write_worst_cases,
)

LABELS = {"scene": 4, "enron": 6}
NOTHING = {"scene": 0, "enron": 0}
EVEN = dict.fromkeys(("gfm", "gfm_threshold", "meuf", "meuf_approx", "marginal_threshold"), 0.2)
FAR = EVEN | {"gfm_threshold": 0.5, "meuf_approx": 0.5}
BEATEN = EVEN | {"marginal_threshold": 0.5}
WINNING_THRESHOLD = EVEN | {"marginal_threshold": 0.05}
WINNER = EVEN | {("pcc", "gfm"): 0.01}
HEAD = EVEN | {("pcc", "gfm"): 0.195}
IN_TURN = EVEN | {("scene", "pcc", "gfm"): 0.05, ("enron", "br", "meuf"): 0.05}

TABLES = [
    ("approximate_variants_perform_like_exact_ones", EVEN, "reproduced"),
    ("approximate_variants_perform_like_exact_ones", FAR, "not reproduced"),
    (
        "approximate_variants_perform_like_exact_ones",
        EVEN | {("scene", "br", "meuf_approx"): 0.5},
        "partly",
    ),
    ("tailored_methods_beat_thresholds", BEATEN, "reproduced"),
    (
        "tailored_methods_beat_thresholds",
        BEATEN | {("scene", "br", "meuf"): 0.6},
        "partly",
    ),
    ("tailored_methods_beat_thresholds", EVEN, "not reproduced"),
    ("no_tailored_method_is_a_clear_winner", IN_TURN, "reproduced"),
    ("no_tailored_method_is_a_clear_winner", WINNER, "not reproduced"),
    ("no_tailored_method_is_a_clear_winner", HEAD, "partly"),
    ("thresholds_are_best_on_hamming_loss", WINNING_THRESHOLD, "reproduced"),
    (
        "thresholds_are_best_on_hamming_loss",
        WINNING_THRESHOLD | {("scene", "br", "meuf"): 0.01},
        "partly",
    ),
    ("thresholds_are_best_on_hamming_loss", BEATEN, "not reproduced"),
]


def evidence(folder, wrong=None, labels=LABELS, **simulations):
    run = write_label_run(folder, wrong, labels, data_sets=list(labels))
    write_simulations(folder, **simulations)
    return Evidence(PaperResults(folder, PAPER), run.configuration)


@pytest.mark.parametrize(("function", "wrong", "expected"), TABLES)
def test_verdicts_on_predictions(tmp_path, function, wrong, expected):
    assert CLAIMS[function](evidence(tmp_path, wrong)).verdict == expected


@pytest.mark.parametrize("function", sorted({function for function, _, _ in TABLES}))
def test_predictions_that_are_missing(tmp_path, function):
    verdict = CLAIMS[function](evidence(tmp_path, labels=NOTHING))
    assert verdict.verdict == "not testable"
    assert "no network" in verdict.note
    part = CLAIMS[function](evidence(tmp_path, labels=LABELS | {"mediamill": 0}))
    assert part.verdict != "not testable"
    assert part.note == "mediamill: no network"


@pytest.mark.parametrize(
    ("function", "simulations", "expected"),
    [
        ("gfm_is_drastically_faster_than_meuf", {"faster": ("meuf", "meuf_jansche")}, "reproduced"),
        ("gfm_is_drastically_faster_than_meuf", {"faster": ("meuf_jansche",)}, "partly"),
        ("gfm_is_drastically_faster_than_meuf", {"faster": ()}, "not reproduced"),
        ("gfm_catches_up_under_independence", {}, "reproduced"),
        ("gfm_catches_up_under_independence", {"left": 0.01}, "partly"),
        ("gfm_catches_up_under_independence", {"lead": -0.02}, "not reproduced"),
        ("meuf_stays_poor_under_dependence", {"poor": ("zero_one",)}, "reproduced"),
        ("meuf_stays_poor_under_dependence", {"poor": ("plus_minus_one",)}, "partly"),
        ("meuf_stays_poor_under_dependence", {"poor": ()}, "not reproduced"),
    ],
)
def test_verdicts_on_simulations(tmp_path, function, simulations, expected):
    found = evidence(tmp_path, labels=NOTHING, **simulations)
    assert CLAIMS[function](found).verdict == expected


@pytest.mark.parametrize(
    ("meuf", "threshold", "expected"),
    [
        ((0.1, 0.5, 0.8), (0.0, 0.05, 0.1), ("reproduced", "reproduced")),
        ((0.1, 0.9, 0.8), (0.0, 0.04, 0.1), ("partly", "partly")),
        ((0.1, 0.5, 0.6), (-0.1, 0.04, 0.1), ("not reproduced", "not reproduced")),
    ],
)
def test_verdicts_on_propositions(tmp_path, meuf, threshold, expected):
    found = evidence(tmp_path, labels=NOTHING)
    write_worst_cases(tmp_path, meuf, threshold)
    verdicts = (
        CLAIMS["regret_of_meuf_approaches_one"](found).verdict,
        CLAIMS["regret_of_thresholds_reaches_the_bound"](found).verdict,
    )
    assert verdicts == expected


def test_simulations_that_are_not_configured(tmp_path):
    run = write_label_run(tmp_path, labels=NOTHING, studies={"worst_cases": None})
    found = Evidence(PaperResults(tmp_path, PAPER), run.configuration)
    simulated = [name for name in CLAIMS if name not in {function for function, _, _ in TABLES}]
    assert len(simulated) == 5
    for name in simulated:
        verdict = CLAIMS[name](found)
        assert verdict.verdict == "not testable"
        assert "is not configured" in verdict.note


def test_the_note_on_the_printed_equation(tmp_path):
    found = evidence(tmp_path, labels=NOTHING, poor=("plus_minus_one",))
    note = CLAIMS["meuf_stays_poor_under_dependence"](found).note
    assert "with labels in {−1, 1} the effect is the one described" in note


def test_no_seconds_among_the_numbers(tmp_path):
    found = evidence(tmp_path, labels=NOTHING, faster=("meuf_jansche",))
    numbers = CLAIMS["gfm_is_drastically_faster_than_meuf"](found).numbers
    assert not [value for value in numbers.values() if isinstance(value, float)]


def test_every_claim_of_the_paper_has_a_function_and_the_reverse():
    claims = yaml.safe_load(PAPER_FILE.read_text(encoding="utf-8"))[PAPER]["claims"]
    assert {claim["function"] for claim in claims} == set(CLAIMS)
    assert len({claim["id"] for claim in claims}) == len(claims)
