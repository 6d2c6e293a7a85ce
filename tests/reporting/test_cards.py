"""The sentences on cards of claims."""

import pytest

from beyond_accuracy_pipeline.papers import paper_ids, saved_report
from beyond_accuracy_pipeline.reporting.cards import (
    advice,
    came_out,
    fill,
    published,
    sentences,
    without_substitutes,
)
from beyond_accuracy_pipeline.reporting.claims import read_claims

NUMBERS = {
    "a, SVM: difference": 0.0721,
    "b, SVM: difference": -0.004,
    "p": 0.0004,
    "CAPO*: wins/losses/ties": "17 {16–18}/2.5 {2–4}/0",
    "near": "16 of 20",
    "unknown": float("nan"),
}


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("near: <near>", "near: 16 of 20"),
        ("gain <a, SVM: difference ~ points>", "gain +7.21"),
        ("larger in <*: difference ~ above 0>", "larger in 1 of 2"),
        ("at least <*: difference ~ smallest percent>", "at least −0.40 %"),
        ("p = <p ~ p>", "p < 0.001"),
        ("wins <CAPO*: wins/losses/ties ~ wins>", "wins 17"),
        ("losses <CAPO*: wins/losses/ties ~ losses>", "losses 2.5"),
        ("best of b: <b, * ~ largest points>", "best of b: −0.40"),
        ("best: <*SVM: difference, *b ~ largest points>", "best: +7.21"),
        ("near <near>; of c <c, SVM: difference>", "near 16 of 20"),
        ("<unknown>; near <near>", "near 16 of 20"),
        ("<none>", ""),
    ],
)
def test_sentences_have_the_numbers_of_the_claim(sentence, expected):
    assert fill(sentence, NUMBERS) == expected


@pytest.fixture(scope="module")
def reports(repository):
    folder = repository / "reference"
    found = {name: saved_report(folder, name) for name in paper_ids()}
    return {name: report for name, report in found.items() if report.paper.claims}


@pytest.fixture(scope="module")
def claims(repository):
    return read_claims(repository / "reference" / "claims.csv").to_dict("records")


def test_every_number_that_a_card_names_is_in_the_reference(claims, reports):
    for claim in claims:
        report = reports[claim["paper"]]
        entries = {own["id"]: own for own in report.configuration["claims"]}
        entry = entries[claim["id"]]
        if claim["verdict"] == "not testable":
            continue
        text = came_out(report, entry, claim["numbers"])
        assert text, claim["id"]
        if not entry.get("compare"):
            sentence = sentences(report)[claim["id"]]
            assert text.count("; ") == sentence.count("; "), claim["id"]


def test_no_part_of_the_advice_lacks_its_number(claims, reports):
    for paper, report in reports.items():
        own = [claim for claim in claims if claim["paper"] == paper]
        parts = sentences(report)["advice"].count("; ")
        text = advice(report, own)
        assert text.count("; ") == parts, paper
        assert "<" not in text


def test_published_numbers_are_the_printed_ones(reports):
    report = reports["cheng2016"]
    entries = {own["id"]: own for own in report.configuration["claims"]}
    text = published(report, entries["news20-f1"])
    assert text == "F1 of BM-ls-CS 98.70 %, of SVM-CS 81.67 %; difference +17.03."


def test_substitutes_leave_the_notes_of_claims(claims, reports):
    marked = 0
    for claim in claims:
        note, on_substitutes = without_substitutes(reports[claim["paper"]], claim["note"])
        assert "stands in for" not in note, claim["id"]
        assert on_substitutes == ("stands in for" in claim["note"]), claim["id"]
        marked += on_substitutes
    assert marked > 0
