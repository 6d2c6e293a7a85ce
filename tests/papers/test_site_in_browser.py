"""The pages in headless Chromium: no error, nothing inaccessible, tables and search that work."""

import shutil
from pathlib import Path

import pytest

from beyond_accuracy.papers import paper_report
from beyond_accuracy.reporting import build_site
from beyond_accuracy.results import layout

playwright = pytest.importorskip("playwright.sync_api")
axe = pytest.importorskip("axe_playwright_python.sync_playwright")

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
]
PHONE, TABLET = {"width": 390, "height": 844}, {"width": 768, "height": 1024}
LAPTOP, DESK = {"width": 1100, "height": 700}, {"width": 1300, "height": 900}
SHIFT = """() => new Promise((resolve) => {
  let sum = 0;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) sum += entry.value;
  });
  observer.observe({type: "layout-shift", buffered: true});
  setTimeout(() => resolve(sum), 200);
})"""


@pytest.fixture(scope="module")
def chromium():
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium):
    """Open a page; at the end there must have been no error in any."""
    errors, contexts = [], []

    def opened(path: Path, **options):
        context = chromium.new_context(viewport=DESK, **options)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda text: text.type == "error" and errors.append(text.text))
        page.goto(path.as_uri())
        contexts.append(context)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert errors == []


def folder_of(run, tmp_path, state):
    """The results of a whole run, of none, of one without figures, and of one data set alone."""
    folder = tmp_path / "results"
    configuration = run.configuration
    if state == "empty":
        folder.mkdir()
    else:
        shutil.copytree(run.folder, folder)
    if state == "partly":
        shutil.rmtree(folder / run.paper / "figures")
        (folder / layout.CLAIMS).unlink()
    if state == "single":
        configuration = configuration | {"data_sets": configuration["data_sets"][:1]}
    build_site([paper_report(folder, run.paper, configuration)], folder / layout.SITE)
    return folder


@pytest.mark.parametrize("state", ["whole", "empty", "partly", "single"])
def test_nothing_serious_on_any_page(run, tmp_path, state, open_page):
    folder = folder_of(run, tmp_path, state)
    pages = [folder / layout.SITE, *sorted((folder / layout.PAGES).glob("*.html"))]
    pages += sorted((folder / layout.PAGES).glob("papers/*.html"))
    for folder_name in ("data_sets", "methods"):
        pages += sorted((folder / layout.PAGES).glob(f"{folder_name}/*.html"))[:1]
    for path in pages:
        for scheme in ("light", "dark"):
            page = open_page(path, color_scheme=scheme)
            assert page.evaluate(SHIFT) < 0.1
            # Without styles read anew, which files may not.
            found = axe.Axe().run(page, options={"preload": False}).response["violations"]
            serious = [one["id"] for one in found if one["impact"] in ("serious", "critical")]
            assert serious == [], path
        for size in (PHONE, TABLET, LAPTOP):
            page.set_viewport_size(size)
            wider = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
            assert wider <= 0, (path, size)


def test_tables_are_sorted_as_numbers_and_filtered(run, open_page):
    page = open_page(run.folder / layout.PAGES / "papers" / "joachims2005.html")
    table = page.locator("#table2_per_class table")
    column = 2

    def cells():
        texts = table.locator(f"tbody tr td:nth-of-type({column - 1})").all_inner_texts()
        return [float(text.replace(",", "")) for text in texts if text not in ("", "n/a")]

    button = table.locator("thead [role=button]").nth(column)

    def sort(direction):
        button.click()
        # Rows are drawn in a later turn of the page's loop.
        table.locator(f"thead th[aria-sort={direction}]").wait_for()

    sort("ascending")
    ascending = cells()
    assert ascending == sorted(ascending)
    assert len(set(ascending)) > 1
    sort("descending")
    assert cells() == sorted(ascending, reverse=True)
    before = table.locator("tbody tr").count()
    page.locator("#table2_per_class input[type=search]").fill("twin")
    assert 0 < table.locator("tbody tr").count() < before


def test_search_leads_to_a_claim(run, open_page):
    page = open_page(run.folder / layout.SITE)
    page.locator("#search").fill("covertype difference")
    page.locator("#found a").first.click()
    assert page.url.endswith("pages/papers/joachims2005.html#claim-covertype-no-difference")


def test_the_theme_changes_and_stays(run, open_page):
    page = open_page(run.folder / layout.SITE, color_scheme="light")
    page.locator("#theme").click()
    page.reload()
    assert page.evaluate("() => document.documentElement.dataset.theme") == "dark"


def test_marks_of_figures_say_their_values(run, open_page):
    page = open_page(run.folder / run.paper / "figures" / "figure1.svg")
    assert page.locator("title").count() > 0
