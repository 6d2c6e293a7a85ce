"""The sentences on cards of claims."""

from pathlib import Path

import pandas as pd
import pytest

from beyond_accuracy_pipeline.papers import paper_ids, saved_report
from beyond_accuracy_pipeline.reporting import Paper, Report
from beyond_accuracy_pipeline.reporting.cards import (
    advice,
    came_out,
    fill,
    published,
    sentences,
    without_substitutes,
)
from beyond_accuracy_pipeline.reporting.claims import judge_claim, read_claims
from beyond_accuracy_pipeline.results.paper_results import PaperResults

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
        assert text.count(". ") == parts, paper
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


# Average over the classes by data set, method and measure; the classes differ by up to 0.01.
AVERAGES = {
    ("x", "a", "f1"): 0.9, ("x", "b", "f1"): 0.8, ("x", "c", "f1"): 0.95,
    ("x", "a", "prbep"): 0.7, ("x", "b", "prbep"): 0.6, ("x", "c", "prbep"): 0.5,
    ("y", "a", "f1"): 0.5, ("y", "b", "f1"): 0.3, ("y", "c", "f1"): 0.1,
    ("y", "a", "prbep"): 0.4, ("y", "b", "prbep"): 0.2, ("y", "c", "prbep"): 0.1,
}  # fmt: skip


def judged_card(n_classes=6, unknown="", **compare):
    """Return the verdict on a declared claim and the sentence on it, from `AVERAGES`.

    The paper has a third data set, which has no results, and the data set `unknown` has none.
    """
    rows = [
        (*key, f"class {task}", 0, average + 0.01 * task / n_classes, "ok", "")
        for key, average in AVERAGES.items()
        for task in range(n_classes)
        if key[0] != unknown
    ]
    columns = ["data_set", "method", "measure", "task", "fold", "value", "status", "reason"]
    configuration = {
        "data_sets": ["x", "y", "z"],
        "methods_selected": ["a", "b", "c"],
        "significance": {"zero_method": "wilcox"},
    }
    results = PaperResults(Path(), "own", configuration)
    no_rows = pd.DataFrame(columns=["data_set"])
    frames = {"measurements": pd.DataFrame(rows, columns=columns), "intervals": no_rows}
    vars(results).update(frames, data_sets=no_rows.set_index("data_set"))
    methods = {"a": "Ours", "b": "Rival", "c": "Other"}
    report = Report(results, Paper("own", "", "", "", ["x", "y", "z"], methods, {}, {}))
    claim = {"id": "i", "reproduced": "all larger", "partly": "some larger", "compare": compare}
    verdict = judge_claim(report, claim)
    return verdict, came_out(report, claim, verdict.numbers)


def test_each_declared_comparison_has_its_own_numbers():
    declared = {"methods": ["a"], "against": ["b", "c"], "measures": ["f1"]}
    verdict, text = judged_card(**declared, data_sets=["x"])
    assert verdict.verdict == "partly"
    assert verdict.numbers["a less b, F1: difference"] == pytest.approx(0.1)
    assert verdict.numbers["a less c, F1: difference"] == pytest.approx(-0.05)
    assert verdict.numbers["a less c, F1: classes with the sign of the difference"] == 6
    assert text == (
        "F1 of Ours on x 90.42 against 80.42 of Rival: +10.00, p = 0.031; "
        "F1 of Ours on x 90.42 against 95.42 of Other: −5.00, p = 0.031."
    )


def test_a_declared_claim_without_data_sets_is_on_all_of_the_paper_with_results():
    declared = {"methods": ["a"], "against": ["b"], "measures": ["f1", "prbep"]}
    verdict, text = judged_card(**declared)
    assert verdict.verdict == "reproduced"
    assert text == (
        "F1 on x 90.42 against 80.42: +10.00, p = 0.031; "
        "PRBEP on x 70.42 against 60.42: +10.00, p = 0.031; "
        "F1 on y 50.42 against 30.42: +20.00, p = 0.031; "
        "PRBEP on y 40.42 against 20.42: +20.00, p = 0.031."
    )
    assert judged_card(**declared, unknown="y")[1].startswith("F1 on x 90.42 against 80.42: +10.00")


def test_intervals_by_several_measures_have_their_own_numbers():
    """With one class, there is no test."""
    declared = {"methods": ["a"], "against": ["c"], "measures": ["f1", "prbep"]}
    verdict, text = judged_card(1, **declared, data_sets=["x"])
    assert verdict.numbers["x, Ours less Other, F1"] == pytest.approx(-0.05)
    assert verdict.numbers["x, Ours less Other, PRBEP"] == pytest.approx(0.2)
    assert text.startswith("Larger in 1 of 2 comparisons")
