"""The pages in headless Chromium: no errors, accessible, with working tables and search."""

import os
import shutil
from pathlib import Path

import pandas as pd
import pytest

from beyond_accuracy_pipeline.papers import paper_report
from beyond_accuracy_pipeline.reporting import build_site
from beyond_accuracy_pipeline.reporting.agreement import COLUMNS
from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.workflow.reference import main

playwright = pytest.importorskip("playwright.sync_api")
axe = pytest.importorskip("axe_playwright_python.sync_playwright")

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
REFERENCE = Path(__file__).parents[2] / "reference"
pytestmark = pytest.mark.slow
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
        try:
            # Debian's Chromium, or else the one that Playwright has installed.
            browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        except playwright.Error as error:
            if os.environ.get("CI"):
                raise
            pytest.skip(f"Chromium cannot be started: {error.message.splitlines()[0]}")
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium):
    """Return a function that opens a page; at the end, no page may have had an error."""
    errors, contexts = [], []

    def opened(path: Path, **options):
        context = chromium.new_context(**{"viewport": DESK, **options})
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
    """Return results that are whole, empty, partly failed, or the reference."""
    folder = tmp_path / "results"
    if state == "reference":
        assert main(["site", "--reference", str(REFERENCE), "--output", str(folder)]) == 0
        return folder
    if state == "empty":
        folder.mkdir()
    else:
        shutil.copytree(run.folder, folder)
    if state == "partly":
        shutil.rmtree(folder / run.paper / "figures")
        (folder / layout.CLAIMS).unlink()
        file = folder / layout.MEASUREMENTS.format(paper=run.paper)
        measurements = pd.read_parquet(file)
        failed = measurements.index % 3 == 0
        measurements.loc[failed, ["value", "status", "reason"]] = [None, "failed", "out of memory"]
        measurements.to_parquet(file, index=False)
    build_site([paper_report(folder, run.paper, run.configuration)], folder / layout.SITE)
    return folder


@pytest.mark.parametrize("state", ["whole", "empty", "partly", "reference"])
def test_nothing_serious_on_any_page(run, tmp_path, state, open_page):
    folder = folder_of(run, tmp_path, state)
    pages = [folder / layout.SITE, *sorted((folder / layout.PAGES).glob("*.html"))]
    pages += sorted((folder / layout.PAGES).glob("papers/*.html"))
    for folder_name in ("data_sets", "methods"):
        pages += sorted((folder / layout.PAGES).glob(f"{folder_name}/*.html"))[:1]
    for path in pages:
        # The long pages of the reference are tested in one scheme; the other pages cover both.
        for scheme in ("light",) if state == "reference" else ("light", "dark"):
            page = open_page(path, color_scheme=scheme)
            assert page.evaluate(SHIFT) < 0.1
            # Without `preload`, which reads styles again; pages opened from files may not do so.
            found = axe.Axe().run(page, options={"preload": False}).response["violations"]
            serious = [one["id"] for one in found if one["impact"] in ("serious", "critical")]
            assert serious == [], path
        for size in (PHONE, TABLET, LAPTOP):
            page.set_viewport_size(size)
            wider = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
            assert wider <= 0, (path, size)


def test_tables_are_sorted_as_numbers_and_filtered(run, tmp_path, open_page):
    folder = folder_of(run, tmp_path, "reference")
    page = open_page(folder / layout.PAGES / "papers" / "arena.html")
    table = page.locator("#table_tasks table")
    column = 2

    def cells():
        texts = table.locator(f"tbody tr td:nth-of-type({column - 1})").all_inner_texts()
        return [float(text.replace(",", "")) for text in texts if text not in ("", "n/a")]

    button = table.locator("thead [role=button]").nth(column)

    def sort(direction):
        button.click()
        # The page draws the rows later, so wait for the sorted heading.
        table.locator(f"thead th[aria-sort={direction}]").wait_for()

    sort("ascending")
    ascending = cells()
    assert ascending == sorted(ascending)
    assert len(set(ascending)) > 1
    sort("descending")
    assert cells() == sorted(ascending, reverse=True)
    before = table.locator("tbody tr").count()
    page.locator("#table_tasks input[type=search]").fill("reuters")
    assert 0 < table.locator("tbody tr").count() < before


def test_claims_are_chosen_by_their_verdict(tmp_path, open_page, run):
    """Some verdicts are contained in others, and in texts of other columns."""
    folder = folder_of(run, tmp_path, "reference")
    page = open_page(folder / layout.SITE)
    claims = page.locator("table[data-choice]")
    verdicts = claims.locator("tbody td[data-label=Verdict]")
    every = [text.strip() for text in verdicts.all_text_contents()]
    choice = page.locator(".dt-search select")
    for verdict in ("reproduced", "not reproduced"):
        choice.select_option(verdict)
        assert [text.strip() for text in verdicts.all_text_contents()] == [verdict] * every.count(
            verdict
        )
    choice.select_option("")
    assert verdicts.count() == len(every)


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
    page = open_page(run.folder / layout.PAGES / "papers" / "joachims2005.html")
    mark = page.locator("#figure1 svg :has(> title)").first
    text = mark.locator("> title").text_content()
    mark.dispatch_event("pointerdown", {"clientX": 100, "clientY": 100, "bubbles": True})
    assert page.locator(".value").inner_text() == text.strip()
    page.keyboard.press("Escape")
    assert page.locator(".value").is_hidden()


def with_published(run, tmp_path, n_cells=140):
    """Return a copy of a run with published cells; our values lack every tenth cell."""
    folder = tmp_path / "results"
    shutil.copytree(run.folder, folder)
    rows = [
        {
            "paper": run.paper,
            "table": "table2",
            "data_set": "text",
            "quantity": "f1",
            "method": "multivariate_svm",
            "task": "" if number % 7 == 0 else f"class {number}",
            "published": 0.5,
            "ours": None if number % 10 == 0 else 0.5 + (-1) ** number * (number % 13) ** 3 / 1e4,
            "low": None if number % 10 == 0 else 0.45 - number / 1e3,
            "high": 0.55,
            "inside": number % 2 == 0,
            "met_under": "",
            "reason": "",
        }
        for number in range(n_cells)
    ]
    frame = pd.DataFrame(rows).reindex(columns=COLUMNS)
    frame.to_csv(folder / layout.AGREEMENT, index=False)
    build_site([paper_report(folder, run.paper, run.configuration)], folder / layout.SITE)
    return folder


@pytest.mark.parametrize(
    ("column", "filled"), [("Difference", 63), ("95 % interval", 63), ("Task", 54)]
)
def test_published_cells_are_sorted_with_empty_ones_last(run, tmp_path, open_page, column, filled):
    folder = with_published(run, tmp_path, 70)
    page = open_page(folder / layout.PAGES / "papers" / "joachims2005.html")
    page.locator("details.long summary", has_text="published numbers").click()
    table = page.locator("main table").filter(has_text="Published numbers beside ours")
    headings = [text.strip() for text in table.locator("thead th").all_inner_texts()]
    for direction, sign in (("ascending", 1), ("descending", -1)):
        table.locator("thead [role=button]").nth(headings.index(column)).click()
        table.locator(f"thead th[aria-sort={direction}]").wait_for()
        place = headings.index(column)
        texts = table.locator(f"tbody td:nth-of-type({place})").all_inner_texts()
        # Seven of the 70 cells lack our value, and are no rows here.
        assert len(texts) == 63
        assert "" not in texts[:filled]
        assert set(texts[filled:]) <= {""}
        # The number of a class, or the low end of an interval.
        first = [text.removeprefix("class ").split()[0] for text in texts[:filled]]
        numbers = [sign * float(text.replace("−", "-")) for text in first]
        assert numbers == sorted(numbers)
        assert len(set(numbers)) > 10


def test_every_page_of_a_table_is_within_reach_on_a_phone(run, tmp_path, open_page):
    folder = with_published(run, tmp_path)
    page = open_page(folder / layout.PAGES / "papers" / "joachims2005.html", viewport=PHONE)
    page.locator("details.long summary", has_text="published numbers").click()
    paging = page.locator(".dt-paging").filter(has_text="11")
    # In the middle of eleven pages there are the most buttons.
    for _ in range(6):
        paging.get_by_label("Next").click()
    ends = [button.bounding_box() for button in paging.locator("button").all()]
    assert len(ends) == 9
    assert all(own["x"] >= 0 and own["x"] + own["width"] <= PHONE["width"] for own in ends)


def test_a_mark_leads_to_its_row_and_none_is_a_stop_of_tab(run, tmp_path, open_page):
    folder = with_published(run, tmp_path)
    page = open_page(folder / layout.SITE)
    marks = page.locator("figure.picture a")
    assert marks.count() == 126
    stops = "() => [...document.querySelectorAll('a, button, input, [tabindex]')]"
    assert page.evaluate(f"{stops}.filter((own) => own.tabIndex >= 0).length") < 90
    link = marks.nth(100).get_attribute("href")
    page.goto((folder / link.split("#")[0]).as_uri() + "#" + link.split("#")[1])
    target = page.locator("tr.target")
    assert target.get_attribute("id") == link.split("#")[1]
    height = page.viewport_size["height"]
    assert 0.2 * height < target.bounding_box()["y"] < 0.8 * height


def test_print_has_every_row_and_rule(run, tmp_path, open_page):
    folder = with_published(run, tmp_path)
    page = open_page(folder / layout.PAGES / "papers" / "joachims2005.html")
    page.set_viewport_size(PHONE)
    page.reload()
    rows = page.locator("tr[id^=cell-]")
    assert rows.count() == 12
    page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    assert rows.count() == 126
    assert page.locator("details:not([open])").count() == 0
    page.evaluate("() => dispatchEvent(new Event('afterprint'))")
    assert rows.count() == 12


def test_arrow_keys_and_enter_choose_what_is_found(run, open_page):
    page = open_page(run.folder / layout.SITE)
    page.keyboard.press("/")
    page.keyboard.type("ROC area")
    titles = page.locator("#found [role=option]")
    titles.first.wait_for()
    assert "Measure" in "".join(titles.all_inner_texts())
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert titles.nth(1).get_attribute("aria-selected") == "true"
    url = titles.nth(1).get_attribute("href")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/{url}")


def test_figures_are_drawn_in_the_colours_of_the_theme(run, open_page):
    page = open_page(
        run.folder / layout.PAGES / "papers" / "joachims2005.html", color_scheme="dark"
    )
    paper = page.locator("#figure1 svg path").first
    fill = paper.evaluate("(own) => getComputedStyle(own).fill")
    assert fill == page.evaluate("() => getComputedStyle(document.documentElement).backgroundColor")
    page.set_viewport_size(PHONE)
    # The whole picture is visible.
    assert page.locator("#figure1 svg").bounding_box()["width"] <= PHONE["width"]
