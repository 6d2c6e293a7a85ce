"""The article takes its numbers and figures from the reference."""

import importlib.util
import re

import pytest

from beyond_accuracy_pipeline.reporting.page_templates import render
from beyond_accuracy_pipeline.reporting.reference_values import PageError, Reference


@pytest.fixture(scope="session")
def article_figures(repository):
    file = repository / "docs" / "article_figures.py"
    spec = importlib.util.spec_from_file_location("article_figures", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.article_figures


@pytest.fixture
def fill(article_figures, tmp_path):
    figures = tmp_path / "reference" / "small2005" / "figures"
    figures.mkdir(parents=True)
    svg = '<svg width="10pt" height="90pt" viewBox="0 0 10 90"></svg>'
    (figures / "figure1.svg").write_text(svg, encoding="utf-8")
    values = Reference(tmp_path / "reference")
    figure = article_figures(values, tmp_path / "made")
    return lambda text: render(text, "page.md", values, {"figure": figure})


def test_an_unknown_figure_and_a_typed_number_are_named(fill):
    with pytest.raises(PageError, match="no 'figure2'; valid near it: figure1"):
        fill("{% call figure('small2005', 'figure2') %}Ranks{% endcall %}")
    with pytest.raises(PageError, match="the number '30' is typed"):
        fill("{% call figure('small2005', 'figure1') %}Of 30{% endcall %}")


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


def test_the_article_has_the_numbers_of_the_read_me(article_figures, repository, tmp_path):
    text = (repository / "docs" / "article.md").read_text(encoding="utf-8")
    values = Reference(repository / "reference")
    figure = article_figures(values, tmp_path / "made")
    page = render(text, "docs/article.md", values, {"figure": figure})
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
