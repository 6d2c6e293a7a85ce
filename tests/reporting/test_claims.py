"""Claims as rows of a table and as files."""

import json
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from beyond_accuracy_pipeline.reporting import (
    Paper,
    Report,
    combine_claims,
    evaluate_claims,
)
from beyond_accuracy_pipeline.reporting.claims import read_claims
from beyond_accuracy_pipeline.reporting.readings import table_readings
from beyond_accuracy_pipeline.reporting.tables import display
from beyond_accuracy_pipeline.reporting.verdict import Verdict, all_or_undecided
from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.results.frames import write_csv, write_frame
from beyond_accuracy_pipeline.results.paper_results import PaperResults

STRICT = {"why": "So it is written.", "changes": {}}


def report_on(rule, claim=(), **configuration):
    """Return the report on a paper whose only claim is judged by `rule`."""
    own = {"id": "a", "function": "g", "section": "1", "statement": " Yes. ", "rule": "Never."}
    configuration = {"claims": [own | dict(claim)], "data_sets": []} | configuration
    paper = Paper("own", "", "", "", [], {}, {}, {}, {"g": rule})
    return Report(PaperResults(Path(), "own", configuration), paper)


def evaluated(rule, states=1):
    return evaluate_claims(report_on(rule, states=states)).iloc[0]


def test_numbers_without_a_finite_value_are_text():
    numbers = {"nan": float("nan"), "inf": float("inf"), "third": 1 / 3, "count": 3}
    row = evaluated(lambda _: Verdict("partly", numbers))
    assert row[["paper", "id", "statement", "verdict"]].tolist() == ["own", "a", "Yes.", "partly"]
    expected = {"nan": "nan", "inf": "inf", "third": 0.3333333333, "count": 3}
    assert json.loads(row["numbers"]) == expected


@pytest.mark.parametrize(
    ("answers", "verdict"),
    [
        ([True, True], "reproduced"),
        ([True, None], "partly"),
        ([True, False], "partly"),
        ([None, None], "undecided"),
        ([None, False], "not reproduced"),
        ([False, False], "not reproduced"),
    ],
)
def test_what_no_test_decides_is_undecided(answers, verdict):
    assert all_or_undecided(answers) == all_or_undecided(answers[::-1]) == verdict


@pytest.mark.parametrize(
    ("headline", "verdict", "states", "state"),
    [
        (["partly", "undecided"], "undecided", "at most 1 of 2", 1.5),
        (["reproduced", "reproduced"], "reproduced", "2 of 2", 1.5),
        (["partly", "reproduced", "reproduced"], "reproduced", "2 of 3", 2),
        # Half is not more than half.
        (["reproduced", "not reproduced"] * 2, "undecided", "at most 2 of 4", 2.5),
        (["reproduced", "not reproduced", "partly"], "undecided", "at most 1 of 3", 2),
        (["undecided", "undecided", "partly"], "undecided", "2 of 3", 2),
    ],
)
def test_the_verdict_is_the_one_of_more_than_half_of_the_states(headline, verdict, states, state):
    """The rule looks up its verdict by reading and seed."""
    verdicts = {"headline": headline, "strict": ["partly"]}

    def rule(report):
        variant = report.results.variant
        return Verdict(verdicts[variant.reading][variant.state - 1], {"state": variant.state})

    report = report_on(rule, readings={"strict": STRICT}, states=len(headline))
    row = evaluate_claims(report).iloc[0]
    assert row[["verdict", "states", "first_state"]].tolist() == [verdict, states, headline[0]]
    assert json.loads(row["numbers"]) == {"state": state}
    assert json.loads(row["readings"]) == {"strict": "partly"}
    table = table_readings(report)
    cells, _ = display(table)
    assert cells.iloc[0].tolist() == [headline[0], f"{verdict} ({states})", "partly (1 of 1)"]
    assert table.notes[0] == "strict: So it is written."


def test_without_claims_the_table_of_readings_is_empty():
    report = report_on(None, claims=[], readings={"strict": STRICT})
    assert table_readings(report).frame.empty
    assert evaluate_claims(report).empty


def test_numbers_are_medians_over_all_states():
    states = [
        ("partly", {"ours": 0.9, "wins": 9, "best": "a", "once": 1}),
        ("reproduced", {"ours": 0.3, "wins": 3, "best": "b", "limit": "inf", "tally": "9/2 (8/1)"}),
        ("reproduced", {"ours": 0.1, "wins": 2, "best": "c", "limit": 2.0, "tally": "10/1 (8/1)"}),
        ("reproduced", {"ours": 0.6, "wins": 6, "best": "c", "limit": 3.0, "tally": "10/3 (9/1)"}),
        ("reproduced", {"ours": 0.4, "wins": 5, "best": "c", "other": 1, "tally": "10/3 (9/1)"}),
    ]

    def rule(report):
        return Verdict(*states[report.results.variant.state - 1])

    row = evaluated(rule, len(states))
    assert (row["states"], row["votes"]) == ("4 of 5", "4 reproduced, 1 partly")
    # The first seed with the verdict decides which numbers there are. Each count has a median,
    # followed by its range in texts. Other values are the most frequent, or else the first seed's.
    tally = "10 {9–10}/2.5 {1–3} (8.5 {8–9}/1)"
    expected = {"ours": 0.4, "wins": 5, "best": "c", "limit": "inf", "tally": tally}
    assert json.loads(row["numbers"]) == expected


@pytest.mark.parametrize(
    ("notes", "expected"),
    [
        (("far", "far", "far"), "far"),
        # The first seed has another verdict.
        (("other", "far", "near"), "With seed 2: far"),
        (("other", "", "near"), ""),
        (("other", "far", "far"), "far"),
    ],
)
def test_a_note_that_differs_between_states_names_its_own(notes, expected):
    def rule(report):
        state = report.results.variant.state
        return Verdict(
            "partly" if state == 1 and notes[0] == "other" else "reproduced", note=notes[state - 1]
        )

    assert evaluated(rule, len(notes))["note"] == expected


@pytest.mark.parametrize(
    ("claim", "states", "under_readings"),
    [
        ({}, "2 of 2", {"strict": "reproduced"}),
        ({"rests_on": ["by_C"]}, "1 of 1", {"strict": "not rerun"}),
        # A claim that compares a reading with the headline uses the first seed.
        ({"compares": ["strict"]}, "1 of 1", {"strict": "not rerun"}),
        ({"rests_on": ["by_C", "by_B"]}, "2 of 2", {"strict": "not rerun"}),
        ({"rests_on": ["by_B"], "pools_states": True}, "1 of 1", {"strict": "not rerun"}),
        # The study is not configured, so it has no seeds.
        ({"rests_on": ["convergence"]}, "1 of 1", {"strict": "not rerun"}),
    ],
)
def test_what_readings_and_states_do_not_repeat_is_said(claim, states, under_readings):
    studies = {"by_C": {"C": [1]}, "by_B": {"every_state": True}, "convergence": None}
    configuration = {"states": 2, "studies": studies, "readings": {"strict": STRICT}}
    report = report_on(lambda _: Verdict("reproduced"), claim, **configuration)
    row = evaluate_claims(report).iloc[0]
    assert [row["states"], json.loads(row["readings"])] == [states, under_readings]
    table = table_readings(report)
    cells, _ = display(table)
    rerun = under_readings["strict"] == "reproduced"
    assert cells.iloc[0, -1] == ("reproduced (1 of 1)" if rerun else "not rerun")
    assert any("studies" in note for note in table.notes) != rerun


@pytest.mark.parametrize(("every_state", "otherwise"), [(False, {}), (True, {"strict": "partly"})])
def test_a_reading_is_compared_with_the_headline_in_the_same_states(every_state, otherwise):
    """The headline is "partly" only for the first of three seeds, the reading for all seeds."""
    verdicts = {"headline": ["partly", "reproduced", "reproduced"], "strict": ["partly"] * 3}

    def rule(report):
        variant = report.results.variant
        return Verdict(verdicts[variant.reading][variant.state - 1])

    reading = STRICT | {"every_state": every_state}
    report = report_on(rule, readings={"strict": reading}, states=3)
    row = evaluate_claims(report).iloc[0]
    assert json.loads(row["readings"]) == {"strict": "partly"}
    assert json.loads(row["otherwise"]) == otherwise
    cells, _ = display(table_readings(report))
    of = "3 of 3" if every_state else "1 of 1"
    assert cells.iloc[0].tolist()[-3:] == ["partly", "reproduced (2 of 3)", f"partly ({of})"]


def test_a_rule_is_run_on_the_papers_own_numbers_too(tmp_path):
    """Dembczyński et al. print one value here; our value differs."""
    keys = {"data_set": "scene", "method": "pcc", "task": "gfm", "measure": "hamming_loss"}
    own = {"paper": "", "fold": 0, "status": "ok", "reason": "", "reading": "headline", "state": 1}
    path = tmp_path / layout.MEASUREMENTS.format(paper="dembczynski2011")
    write_frame(path, pd.DataFrame([keys | own | {"value": 0.1}]))

    def rule(report):
        rows = report.results.measurements.set_index([*keys])
        return Verdict(
            "reproduced" if rows.loc[tuple(keys.values()), "value"] == 0.1341 else "partly"
        )

    claim = {"id": "a", "function": "g", "section": "1", "statement": "Yes.", "rule": ""}
    paper = Paper("dembczynski2011", "", "", "", ["scene"], {}, {}, {}, {"g": rule})
    configuration = {"data_sets": ["scene"], "measures": ["hamming_loss"]}
    configuration |= {"methods_selected": ["pcc"], "methods": {"pcc": {}}}
    for on_published, verdict in ((True, "reproduced"), (False, "")):
        claims = [claim | {"on_published": on_published}]
        results = PaperResults(tmp_path, paper.id, configuration | {"claims": claims})
        row = evaluate_claims(Report(results, paper)).iloc[0]
        assert row[["verdict", "published"]].tolist() == ["partly", verdict]
    unfair = replace(paper, claims={"g": lambda report: Verdict("partly")})
    results = PaperResults(
        tmp_path, paper.id, configuration | {"claims": [claim | {"on_published": True}]}
    )
    with pytest.raises(ValueError, match="dembczynski2011: the rule of a is 'partly' on the"):
        evaluate_claims(Report(results, unfair))


def test_files_of_several_papers_are_combined_in_their_order(tmp_path):
    claims = evaluate_claims(report_on(lambda _: Verdict("partly", {"third": 1 / 3})))
    write_csv(tmp_path / "folder" / "first.csv", claims)
    write_csv(tmp_path / "second.csv", claims.assign(id="b"))
    output = tmp_path / "all.csv"
    combine_claims([tmp_path / "second.csv", tmp_path / "folder" / "first.csv"], output)
    combined = read_claims(output)
    assert combined["id"].tolist() == ["b", "a"]
    assert combined["numbers"].tolist() == [json.loads(claims["numbers"].iloc[0])] * 2
    combine_claims([], output)
    assert read_claims(output).empty


def test_one_class_decides_only_if_the_verdict_of_most_states_changes_without_it(monkeypatch):
    """Without x, two of three seeds change; without y, only one."""
    without = [{"x": "partly", "y": "partly"}, {"x": "partly"}, {}]
    monkeypatch.setattr(Report, "averaged", lambda report: report)

    def rule(report):
        return Verdict("reproduced", without=without[report.results.variant.state - 1])

    row = evaluated(rule, 3)
    assert json.loads(row["decided_by"]) == {"x": "partly"}
    assert row["averaged"] == "reproduced"
    assert evaluated(lambda report: Verdict("reproduced"), 3)["decided_by"] == ""


def test_values_are_averaged_over_the_states(tmp_path):
    """A value that is missing for one seed is missing in the mean."""
    values = {"a": [0.1, 0.2, 0.6], "b": [0.5, None, 0.5]}
    rows = [
        {"task": task, "state": state, "value": value, "status": "ok" if value else "failed"}
        for task, of_states in values.items()
        for state, value in enumerate(of_states, 1)
    ]
    frame = pd.DataFrame(rows).assign(
        paper="own", data_set="d", method="m", measure="f1", fold=0, reason="", reading="headline"
    )
    write_frame(tmp_path / layout.MEASUREMENTS.format(paper="own"), frame)
    configuration = {"data_sets": ["d"], "measures": ["f1"], "states": 3}
    configuration |= {"methods_selected": ["m"], "methods": {"m": {}}}
    report = Report(
        PaperResults(tmp_path, "own", configuration), Paper("own", "", "", "", [], {}, {}, {}, {})
    )
    means = report.averaged().results.measurements.set_index("task")["value"]
    assert means["a"] == pytest.approx(0.3)
    assert pd.isna(means["b"])


@pytest.mark.parametrize(
    ("in_reference", "words"),
    [({}, ""), ({"a": 2}, ""), ({"a": 10}, "2 seeds; the reference has 10")],
)
def test_fewer_seeds_than_the_reference_are_said(in_reference, words):
    claims = evaluate_claims(report_on(lambda _: Verdict("partly"), states=2), in_reference)
    assert claims["fewer_seeds"].tolist() == [words]
