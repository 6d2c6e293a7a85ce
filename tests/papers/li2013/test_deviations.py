"""The configured reasons for deviating numbers, against the values of all seeds."""

import re

import pytest

from beyond_accuracy_pipeline.papers import load_paper
from beyond_accuracy_pipeline.reporting.agreement import read_agreement
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.results.paper_results import PaperResults

from ..synthetic import paper_configuration
from .capo_run import PAPER

NOT_REACHED = re.compile(r"\bno (?:random )?state\b")


@pytest.fixture(scope="module")
def rows(repository):
    """Return printed values outside the reference's intervals, with the current reasons."""
    frame = read_agreement(repository / "reference" / "agreement.csv")
    frame = frame[(frame["paper"] == PAPER) & frame["inside"].eq(False)]
    results = PaperResults(repository / "reference", PAPER, paper_configuration(PAPER))
    report = Report(results, load_paper(PAPER))
    return frame.assign(reason=list(map(report.deviation, frame.to_dict("records"))))


def test_a_value_that_no_state_reaches_is_outside_their_range(rows):
    told = rows[rows["reason"].str.contains(NOT_REACHED)]
    met = told["published"].between(told["least_of_states"], told["most_of_states"])
    assert told.loc[met, ["data_set", "quantity", "method"]].values.tolist() == []


def test_no_value_has_two_reasons(rows):
    reasons = [own["reason"].strip() for own in paper_configuration(PAPER)["deviations"]]
    others = rows[~rows["reason"].isin(["", *reasons])]
    assert others[["data_set", "quantity", "method"]].values.tolist() == []
