"""The page of a comparison: numbers against scikit-learn, script in Node and Chromium."""

import json
import re
import shutil
import subprocess
from html import escape
from importlib import resources
from xml.etree import ElementTree

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import confusion_matrix, f1_score, precision_score, recall_score
from sklearn.naive_bayes import GaussianNB

from beyond_accuracy import compare
from beyond_accuracy.comparison import intervals, page

X, Y = make_classification(1500, 5, n_informative=3, weights=[0.8], flip_y=0.1, random_state=1)
COSTS = np.array([[0.0, 1.0], [5.0, 0.0]])
SCRIPT = resources.files("beyond_accuracy.comparison") / "assets" / "explorer.js"
NAME = "Bayes </script><b>&"


@pytest.fixture(scope="module")
def comparison():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(intervals, "N_RESAMPLES", 20)
        return compare(
            {"logistic": LogisticRegression(), NAME: GaussianNB()},
            X,
            Y,
            measures=["f1", "recall_at_precision_0.9", "cost"],
            costs=COSTS,
        )


@pytest.fixture(scope="module")
def file(comparison, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "index.html"
    comparison.to_html(path, title="Which <classifier>?", notes=["left out: id"])
    return path


@pytest.fixture(scope="module")
def data(file):
    text = file.read_text(encoding="utf-8")
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    return json.loads(found[1])


@pytest.fixture(scope="module")
def curves(data):
    return data["curves"]


def test_counts_and_costs_are_those_of_scikit_learn(comparison, curves):
    assert [curve["name"] for curve in curves] == ["logistic", NAME]
    curve, scores = curves[1], comparison.held_out_scores[NAME].to_numpy()
    assert 500 < len(curve["thresholds"]) <= 1003
    # Few positives among many rows: each of them has a threshold of its own.
    assert set(curve["tp"]) == set(range(sum(Y) + 1))
    assert (np.diff(curve["thresholds"]) > 0).all()
    for place in (0, 1, 77, len(curve["thresholds"]) // 2, *curve["starts"], -2, -1):
        predicted = (scores > curve["thresholds"][place]).astype(int)
        (tn, fp), (fn, tp) = confusion_matrix(Y, predicted)
        assert (curve["tp"][place], curve["fp"][place]) == (tp, fp)
        assert (curve["positives"], curve["negatives"]) == (tp + fn, fp + tn)
        assert curve["cost"][place] == pytest.approx(COSTS[Y, predicted].mean())


def test_the_slider_starts_at_the_best_threshold(comparison, data, curves):
    scores, curve = comparison.held_out_scores["logistic"].to_numpy(), curves[0]
    f1, recall, cost = (curve["thresholds"][start] for start in curve["starts"])
    # Here all thresholds are used; the page has only some of them.
    predicted = scores[:, None] > np.unique(scores)
    positive = Y[:, None] == 1
    every = 2 * (predicted & positive).sum(axis=0) / (predicted.sum(axis=0) + Y.sum())
    assert f1_score(Y, scores > f1) == pytest.approx(every.max())
    assert COSTS[Y, (scores > cost) * 1].mean() == pytest.approx(min(curve["cost"]))
    assert [each["name"] for each in data["measures"]] == ["F1", "Rec@Prec 0.9", "average cost"]
    constraint = {"quantity": "precision", "bound": 0.9}
    assert [each["constraint"] for each in data["measures"]] == [None, constraint, None]
    assert precision_score(Y, scores > recall) >= 0.9
    allowed = [
        recall_score(Y, scores > threshold)
        for threshold in curve["thresholds"][:-1:7]
        if precision_score(Y, scores > threshold) >= 0.9
    ]
    assert recall_score(Y, scores > recall) >= max(allowed)


def test_the_explorer_starts_with_the_recommended_method(comparison, data, curves):
    used = comparison.table.query("recommended")["method"].tolist()
    assert [curves[measure["curve"]]["name"] for measure in data["measures"]] == used


def test_the_page_is_one_file_that_leads_with_the_answer(file, comparison):
    text = file.read_text(encoding="utf-8")
    assert not re.search(r"""<script\s+src|<link|@import|src=|href=|url\(""", text)
    assert text.index(comparison.recommendation["f1"][:30]) < text.index("<figure>")
    assert "<b>&" not in text
    assert "Which &lt;classifier&gt;?" in text
    assert "<dd>left out: id</dd>" in text
    assert str(comparison.table["value"].max().round(3)) in text
    for shown in (text, comparison._repr_html_()):
        for said in comparison.recommendation.values():
            assert escape(said) in shown
        assert shown.count("<svg xmlns") == shown.count('class="dataframe"') == 3


def test_the_chart_has_the_best_first_and_no_fixed_width(comparison):
    rows = comparison.table[comparison.table["measure"] == "cost"]
    picture = ElementTree.fromstring(page.interval_chart(rows, "cost"))
    assert picture.get("width") == "100%"
    groups = [group for group in picture if group.tag.endswith("}g")]
    texts = [" ".join(group.itertext()) for group in groups]
    best = rows.loc[rows["value"].idxmin()]
    assert texts[0].startswith(str(best["method"]))
    values = [float(text.rpartition(": ")[2]) for text in texts]
    assert values == sorted(values)
    for group in groups:
        line, circle = group[-2], group[-1]
        x1, x, x2 = (
            float(each.rstrip("%")) for each in (line.get("x1"), circle.get("cx"), line.get("x2"))
        )
        assert 3 - 0.01 <= x1 <= x <= x2 <= 97.01


@pytest.mark.parametrize(
    ("ends", "ticks"),
    [
        ((0.61, 0.83), [0.6, 0.7, 0.8, 0.9]),
        ((0.0, 1.0), [0, 0.5, 1]),
        ((-3, 41), [-20, 0, 20, 40, 60]),
        ((0.5, 0.5), [0.5, 1]),
    ],
)
def test_ticks_are_round_and_enclose_the_ends(ends, ticks):
    assert page._ticks(*ends) == pytest.approx(ticks)


def in_node(expression, **values):
    if shutil.which("node") is None:
        pytest.skip("Node is not installed")
    known = "".join(f"const {name} = {json.dumps(value)};" for name, value in values.items())
    code = f"const page = require({json.dumps(str(SCRIPT))});{known}"
    code += f"console.log(JSON.stringify({expression}))"
    done = subprocess.run(["node", "-"], input=code, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_the_script_computes_what_scikit_learn_does(comparison, curves):
    curve, scores = curves[0], comparison.held_out_scores["logistic"]
    points = in_node("curve.thresholds.map((_, place) => page.pointOf(curve, place))", curve=curve)
    for place in (0, 200, *curve["starts"], -2):
        point, predicted = points[place], scores.to_numpy() > curve["thresholds"][place]
        assert point["precision"] == pytest.approx(precision_score(Y, predicted))
        assert point["recall"] == pytest.approx(recall_score(Y, predicted))
        assert point["f1"] == pytest.approx(f1_score(Y, predicted))
        assert point["predicted"] == predicted.sum()
        assert [point[name] for name in ("tn", "fp", "fn", "tp")] == [
            *confusion_matrix(Y, predicted).ravel()
        ]
    # Precision is 0 if no row is predicted positive.
    assert points[-1]["precision"] == 0
    assert points[-1]["cost"] == COSTS[Y, 0].mean()
    constraint = {"quantity": "precision", "bound": 0.9}
    runs = in_node("page.regions(constraint, points)", constraint=constraint, points=points)
    inside = {place for first, last in runs for place in range(first, last + 1)}
    assert inside == {n for n, point in enumerate(points) if point["precision"] >= 0.9}


def test_a_ranking_measure_and_failed_methods_have_a_page(tmp_path):
    comparison = compare({"bayes": GaussianNB()}, X, Y, measures="roc_area")
    data = page.explorer_data(comparison)
    (curve,) = data["curves"]
    assert data["measures"] == [{"name": "ROC area", "constraint": None, "curve": 0}]
    assert 0 < curve["starts"][0] < len(curve["thresholds"])
    empty = comparison.table.assign(value=np.nan, reason="broken")
    assert page.interval_chart(empty, "ROC area") == ""
    assert set(page.shown_table(empty)["Chosen"]) == {"failed: broken"}


@pytest.fixture(scope="module")
def chromium():
    driver = pytest.importorskip("playwright.sync_api")
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    with driver.sync_playwright() as browsers:
        try:
            browser = browsers.chromium.launch(executable_path=path, args=["--no-sandbox"])
        except driver.Error as error:
            pytest.skip(f"Chromium cannot be started: {error.message.splitlines()[0]}")
        yield browser
        browser.close()


@pytest.fixture(params=[1300, 390])
def view(request, chromium, file):
    """Open the page, and check that no script failed and nothing is wider than the window."""
    context = chromium.new_context(viewport={"width": request.param, "height": 844}, offline=True)
    view = context.new_page()
    errors = []
    view.on("pageerror", lambda error: errors.append(str(error)))
    view.goto(file.as_uri())
    yield view
    assert view.evaluate("() => document.documentElement.scrollWidth - innerWidth") == 0
    assert errors == []
    context.close()


@pytest.mark.slow
def test_the_winner_is_fully_visible(view):
    width = view.viewport_size["width"]
    for chart in view.locator("figure").all():
        for mark in chart.locator("g").first.locator("text, circle").all():
            box = mark.bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
    view.get_by_text("All numbers").first.click()
    assert view.locator("details table").first.is_visible()


@pytest.mark.slow
def test_the_explorer_shows_the_numbers_of_scikit_learn(view, comparison, data):
    slider = view.get_by_role("slider")

    def shown(name):
        return float(view.locator(f"#{name}").inner_text())

    def check(curve, place):
        predicted = comparison.held_out_scores[curve["name"]] > curve["thresholds"][place]
        tn, fp, fn, tp = confusion_matrix(Y, predicted).ravel()
        assert [shown(name) for name in ("tn", "fp", "fn", "tp")] == [tn, fp, fn, tp]
        assert shown("predicted") == predicted.sum()
        for name, score in (
            ("precision", precision_score),
            ("recall", recall_score),
            ("f1", f1_score),
        ):
            assert shown(name) == pytest.approx(score(Y, predicted, zero_division=0), abs=6e-4)
        assert shown("cost") == pytest.approx(COSTS[Y, predicted * 1].mean(), rel=1e-4)
        precision = precision_score(Y, predicted, zero_division=0)
        said = "holds" if precision >= 0.9 else "does not hold"
        region = view.locator("#region")
        assert region.is_hidden() or region.inner_text() == said

    for number, measure in enumerate(data["measures"]):
        view.get_by_label("Best for").select_option(str(number))
        curve = data["curves"][measure["curve"]]
        start, last = curve["starts"][number], len(curve["thresholds"]) - 1
        assert view.locator("#region").is_visible() == (measure["constraint"] is not None)
        assert (view.locator("#plot rect").count() > 0) == (measure["constraint"] is not None)
        check(curve, start)
        slider.focus()
        for key, place in (("ArrowRight", start + 1), ("Home", 0), ("End", last)):
            view.keyboard.press(key)
            check(curve, place)
        assert "precision" in slider.get_attribute("aria-valuetext")
        view.get_by_label("Threshold").last.fill(repr(curve["thresholds"][123]))
        view.keyboard.press("Enter")
        check(curve, 123)
        # A tap in the middle of the plot chooses the threshold in the middle.
        view.locator("#plot").click()
        assert abs(int(slider.input_value()) - last / 2) <= last / 200 + 1
        check(curve, int(slider.input_value()))
        view.get_by_role("button").click()
        check(curve, start)
    view.get_by_label("Scores of").select_option(label="logistic")
    check(data["curves"][0], data["curves"][0]["starts"][2])
