"""Pages that take their numbers from the reference name what is missing, and type no number."""

import re

import pandas as pd
import pytest

from beyond_accuracy_pipeline.reporting.page_templates import render
from beyond_accuracy_pipeline.reporting.reference_values import PageError, Reference

CLAIMS = """paper,id,source,verdict,states,numbers
small2005,faster,paper,partly,7 of 10,"{""ratio: here"": 2.5}"
small2005,better,ours,reproduced,10 of 10,{}
"""
AGREEMENT = """paper,method,quantity,published,ours,substitute,low,high
small2005,svm,f1,0.5,0.504,False,0.49,0.52
small2005,svm,f1,0.5,0.48,True,0.47,0.49
small2005,,n_train,100,100,False,,
small2005,svm,seconds,0.3,,False,,
"""
TABLE = """data_set,method,f1,gain_least_of_states,gain_most_of_states
letter,svm,0.5,-0.1,0.2
letter,lr,0.625,0.1,0.2
splice,svm,,0.1,0.2
"""


INTERVALS = pd.DataFrame(
    [
        ("letter", "f1", "svm", "", 0.5, 0.4, 0.6, 1),
        ("letter", "f1", "svm", "lr", 0.1, 0.05, 0.2, 1),
        ("letter", "f1", "svm", "lr", -0.02, -0.1, 0.1, 2),
        ("letter", "f1", "svm", "lr", 0.06, -0.1, 0.1, 3),
    ],
    columns=["data_set", "measure", "method", "baseline", "estimate", "low", "high", "state"],
).assign(group="all", reading="headline")


@pytest.fixture
def fill(tmp_path):
    reference = tmp_path / "reference"
    (reference / "small2005" / "tables").mkdir(parents=True)
    (reference / "claims.csv").write_text(CLAIMS, encoding="utf-8")
    (reference / "agreement.csv").write_text(AGREEMENT, encoding="utf-8")
    (reference / "small2005" / "tables" / "table1.csv").write_text(TABLE, encoding="utf-8")
    INTERVALS.to_parquet(reference / "small2005" / "intervals.parquet")
    return lambda text: render(text, "page.md", Reference(reference), {})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "{{ cell('small2005', 'table1', 'f1', data_set='letter', method='lr') | percent }}",
            "62.5 %",
        ),
        ("{{ claim('small2005', 'faster').numbers['ratio: here'] | number }}", "2.5"),
        (
            "{% set it = claim('small2005', 'faster') %}{{ it.verdict }} in {{ it.states }}",
            "partly in 7 of 10",
        ),
        ("{{ verdicts('small2005').partly }} of {{ verdicts().all }}", "1 of 1"),
        ("{{ agreement() }}, {{ agreement(0.005) | percent(0) }}", "2, 50 %"),
        ("{{ sign_changes('small2005', 'table1', 'gain') | words }}", "one"),
        ("{{ numbers('small2005', 'faster', 'here') | max | points }}", "+250.0"),
        (
            "{% set it = compared('small2005', 'letter', 'f1', 'svm', 'lr') %}"
            "{{ it.ahead }} of {{ it.seeds }}, {{ it.significantly_ahead }} significantly; "
            "{{ it.median | points }}",
            "2 of 3, 1 significantly; +6.0",
        ),
        (
            "{% set it = compared('small2005', 'letter', 'f1', 'lr', 'svm') %}"
            "{{ it.ahead }}, {{ it.behind }}, {{ it.significantly_behind }}, "
            "{{ it.most | points }}",
            "1, 2, 1, +2.0",
        ),
        ("{{ given('1,500 examples') }}", "1,500 examples"),
        ("1. Table 3 and `x(12)` at 95 %", None),
        ("F1 in 2005, a C4.5 tree and [a link](results/small2005.md#3)", None),
    ],
)
def test_values_come_from_the_reference(text, expected, fill):
    assert fill(text) == (expected or text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "{{ cell('large2005', 'table1', 'f1') }}",
            "no folder 'large2005'; valid near it: small2005",
        ),
        (
            "{{ cell('small2005', 'table1', 'f1', method='lrr') }}",
            "no row with method 'lrr'; valid near it: lr",
        ),
        ("{{ cell('small2005', 'table1', 'f1', method='svm') }}", "has 2 rows"),
        ("{{ cell('small2005', 'table1', 'f1', data_set='splice') }}", "is empty"),
        ("{{ claim('small2005', 'fastest').verdict }}", "no 'fastest'; valid near it: faster"),
        ("{{ clam('small2005', 'faster') }}", "'clam' is undefined; valid near it: claim"),
        (
            "{{ compared('small2005', 'letter', 'f1', 'svm', 'nb') }}",
            "does not compare 'letter, f1, svm, nb, all, headline'; "
            "valid near it: letter, f1, svm, lr",
        ),
        ("{{ expect(agreement() > agreement()) }}", "does not hold"),
        ("It wins 12 times.", "the number '12' is typed in 'A page. It wins 12 times.'"),
        ("{{ 12 | decimals(0) }}", "the number '12' is typed in an expression"),
    ],
)
def test_what_the_reference_does_not_say_ends_with_page_line_and_valid_values(text, message, fill):
    with pytest.raises(PageError, match=re.escape(message)) as raised:
        fill(f"A page.\n\n{text}\n")
    assert str(raised.value).startswith("page.md:3: ")
