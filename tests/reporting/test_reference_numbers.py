"""Pages that take their numbers from the reference name what is missing, and type no number."""

import importlib.util
import re

import pytest


@pytest.fixture(scope="session")
def numbers(repository):
    file = repository / "docs" / "reference_numbers.py"
    spec = importlib.util.spec_from_file_location("reference_numbers", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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


@pytest.fixture
def fill(numbers, tmp_path):
    reference = tmp_path / "reference"
    (reference / "small2005" / "tables").mkdir(parents=True)
    (reference / "small2005" / "figures").mkdir()
    (reference / "claims.csv").write_text(CLAIMS, encoding="utf-8")
    (reference / "agreement.csv").write_text(AGREEMENT, encoding="utf-8")
    (reference / "small2005" / "tables" / "table1.csv").write_text(TABLE, encoding="utf-8")
    svg = '<svg width="10pt" height="90pt" viewBox="0 0 10 90"></svg>'
    (reference / "small2005" / "figures" / "figure1.svg").write_text(svg, encoding="utf-8")

    return lambda text: numbers.render(text, "page.md", reference, tmp_path / "made")


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
            "{% call figure('small2005', 'figure2') %}Ranks{% endcall %}",
            "no 'figure2'; valid near it: figure1",
        ),
        ("{{ expect(agreement() > agreement()) }}", "does not hold"),
        ("It wins 12 times.", "the number '12' is typed in 'A page. It wins 12 times.'"),
        ("{{ 12 | decimals(0) }}", "the number '12' is typed in an expression"),
        ("{% call figure('small2005', 'figure1') %}Of 30{% endcall %}", "the number '30' is typed"),
    ],
)
def test_what_the_reference_does_not_say_ends_with_page_line_and_valid_values(
    text, message, fill, numbers
):
    with pytest.raises(numbers.PageError, match=re.escape(message)) as raised:
        fill(f"A page.\n\n{text}\n")
    assert str(raised.value).startswith("page.md:3: ")


def test_a_figure_can_be_cut_to_its_top(fill, tmp_path):
    page = fill(
        "{% call figure('small2005', 'figure1', top=40) %}Average *ranks*. More.{% endcall %}"
    )
    assert page == (
        "```{figure} made/small2005_figure1.svg\n:alt: Average ranks\n\n"
        "**Figure 1.** Average *ranks*. More.\n```\n"
    )
    svg = (tmp_path / "made" / "small2005_figure1.svg").read_text(encoding="utf-8")
    assert svg == '<svg width="10pt" height="40pt" viewBox="0 0 10 40"></svg>'


def test_the_article_has_the_numbers_of_the_read_me(numbers, repository, tmp_path):
    text = (repository / "docs" / "article.md").read_text(encoding="utf-8")
    page = numbers.render(text, "docs/article.md", repository / "reference", tmp_path / "made")
    read_me = (repository / "README.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\|\[.*?\]\(docs/results/\w+\.md\).*?" + 5 * r"\|(\d+)" + r"\|$", read_me, re.M
    )
    in_article = re.findall(r"^\| \w+" + 5 * r" \| (\d+)" + r" \|$", page, re.M)
    assert len(rows) == 5
    assert sorted(in_article) == sorted(rows)
    values, *shares = re.search(
        r"^\|(\d+) \(\d+ on substitutes\)\|(\d+ %)\|(\d+ %)\|(\d+ %)", read_me, re.M
    ).groups()
    assert f"print {values} values" in page
    assert re.findall(r"^\| [\w ]+ points? \| (\d+ %)", page, re.M) == shares
    assert page.count("```{figure}") == 6
