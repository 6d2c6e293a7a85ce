"""The documentation site lists every page, and its code works."""

import contextlib
import doctest
import io
import re
from pathlib import Path

import pytest

ROOT = "docs"
GUIDES = sorted(file.stem for file in (Path(__file__).parents[2] / ROOT / "guide").glob("*.md"))


def test_every_page_is_in_the_contents_once(repository):
    folder = repository / ROOT
    with_contents = "".join(file.read_text(encoding="utf-8") for file in folder.glob("*.md"))
    contents = "".join(re.findall(r"```\{toctree\}(.*?)```", with_contents, re.S))
    listed = re.findall(r"^(?:.+ <)?([\w/]+)>?$", contents, re.M)
    skipped = {"examples", "gallery", "generated", "notebooks", "templates"}
    pages = {
        file.relative_to(folder).with_suffix("").as_posix()
        for file in folder.rglob("*.md")
        if file.relative_to(folder).parts[0] not in skipped
    }
    assert sorted(listed) == sorted(pages - {"index"} | {"gallery/index", "notebooks/index"})


def test_the_contents_of_the_interface_are_what_is_public(repository):
    from beyond_accuracy import (
        comparison,
        estimators,
        inference,
        measures,
        operating_points,
        reweighting,
    )

    text = (repository / ROOT / "api.md").read_text(encoding="utf-8")
    packages = (comparison, estimators, inference, measures, operating_points, reweighting)
    public = {
        f"{package.__name__.removeprefix('beyond_accuracy.')}.{name}"
        for package in packages
        for name in package.__all__
        if callable(getattr(package, name))
    }
    listed = re.findall(r"^   (\w[\w.]+)$", text, re.M)
    assert sorted(listed) == sorted(public | {"distributed.MultivariateSVC"})


@pytest.mark.parametrize("name", [*(f"guide/{guide}" for guide in GUIDES), "five_minutes"])
def test_the_code_of_a_guide_runs_from_top_to_bottom(name, repository):
    text = (repository / ROOT / f"{name}.md").read_text(encoding="utf-8")
    block = r"```(python|pycon)\n(.*?)```(?:\n\n```text\n(.*?)```)?"
    blocks = re.findall(block, text, re.S)
    assert blocks
    names = {"__name__": name}
    for language, code, printed in blocks:
        if language == "python":
            with contextlib.redirect_stdout(io.StringIO()) as output:
                exec(compile(code, name, "exec"), names)
            assert not printed or output.getvalue() == printed
            continue
        test = doctest.DocTestParser().get_doctest(code, {}, name, name, None)
        test.globs = names
        assert not doctest.DocTestRunner().run(test, clear_globs=False).failed


def test_links_between_pages_lead_to_files_and_headings(repository):
    others = ["README.md", "CONTRIBUTING.md", "config/README.md", "reference/README.md"]
    pages = [*(repository / ROOT).rglob("*.md"), *map(repository.joinpath, others)]
    broken = []
    for page in pages:
        if "generated" in page.parts or "gallery" in page.parts:
            continue
        for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
            path, _, anchor = link.partition("#")
            # The badge of the tests has an address on the host of the repository.
            if "://" in link or link.startswith(("mailto:", "../../actions/")):
                continue
            target = page.parent / path if path else page
            anchors = _anchors(target) if target.suffix == ".md" and target.exists() else {anchor}
            if not target.exists() or (anchor and anchor not in anchors):
                broken.append(f"{page.name}: {link}")
    assert not broken


def _anchors(page):
    """Return the anchors of a page's headings, also of a file that the page includes."""
    text = page.read_text(encoding="utf-8")
    for included in re.findall(r"```\{include\} (\S+)", text):
        text += (page.parent / included).read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", text, flags=re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
