"""The reports of Deng et al. (2006), on drawn numbers."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import rankdata, ttest_rel
from scipy.stats import t as student

from beyond_accuracy.reweighting import MetaClassReweighter, SequentialReweighter
from beyond_accuracy_pipeline.papers.deng2006 import PAPER
from beyond_accuracy_pipeline.papers.deng2006.claims import CLAIMS
from beyond_accuracy_pipeline.papers.deng2006.figures import FIGURES
from beyond_accuracy_pipeline.papers.deng2006.names import (
    BASELINE,
    DESCENT,
    GREEDY,
    OUT_OF_FOLD,
    SIX,
)
from beyond_accuracy_pipeline.papers.deng2006.tables import is_lowest
from beyond_accuracy_pipeline.papers.deng2006.values import (
    Values,
    class_sizes,
    count_comparisons,
    meta_class_sorts,
    paired_t_test,
    sequential_sorts,
    tally,
)
from beyond_accuracy_pipeline.reporting.agreement import agreement
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.tables import display
from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.results.fits import fit_jobs
from beyond_accuracy_pipeline.results.frames import write_frame
from beyond_accuracy_pipeline.results.paper_results import PaperResults
from beyond_accuracy_pipeline.results.scores import Scores, read_scores, write_scores
from beyond_accuracy_pipeline.results.variants import Variant

from .synthetic import paper_configuration, synthetic_run

# The first three are the paper's; boosting and the exact optimum have only the first.
BOTH, WORSE, EVEN, FOREIGN, ABSENT = "cmc", "flags", "nursery", "mine", "glass"
PRESENT = (BOTH, WORSE, EVEN)
ADDED = "added_method"
TREE = [
    {"parent": None, "side": None, "classes": ["a", "b", "c"], "n_examples": 60,
     "log_threshold": 0.5},
    {"parent": 0, "side": "left", "classes": ["a"], "n_examples": 20, "log_threshold": None},
    {"parent": 0, "side": "right", "classes": ["b", "c"], "n_examples": 40, "log_threshold": -1.0},
    {"parent": 2, "side": "left", "classes": ["b"], "n_examples": 20, "log_threshold": None},
    {"parent": 2, "side": "right", "classes": ["c"], "n_examples": 20, "log_threshold": None},
]  # fmt: skip


def effect(method, data_set):
    """Return how much a method changes naive Bayes' value: far beyond the noise, or nothing."""
    if method.startswith("linear_program"):
        return 0.2
    if method == "genetic":
        return -0.1
    return {BOTH: -0.05, WORSE: 0.05}.get(data_set, 0.0) if method != BASELINE else 0.0


def changed(frame, change):
    """Return values of naive Bayes by cost matrix and fold, plus a change and some noise.

    The noise of a method alternates over the folds, so methods without a change do not differ.
    """
    base = np.random.default_rng(2).random(1000)[
        frame.groupby(["data_set", "task", "fold"]).ngroup()
    ]
    changes = [change(*key) for key in zip(frame["method"], frame["data_set"], strict=True)]
    noise = 1e-5 * pd.factorize(frame["method"])[0] * (-1.0) ** frame["fold"]
    # Out-of-fold scores are slightly worse.
    noise += 1e-4 * frame["measure"].str.endswith("out_of_fold")
    values = 0.3 + 0.02 * base + changes + noise
    return frame.assign(value=np.where(frame["status"] == "ok", values, np.nan))


def reported(run, change=effect, **selection):
    """Return the report of a selection, with the measurements of this selection only."""
    report = run.report(**selection)
    frame = changed(run.report().results.measurements, change)
    for column, name in (("method", "methods_selected"), ("data_set", "data_sets")):
        frame = frame[frame[column].isin(report.configuration[name])]
    vars(report.results)["measurements"] = frame.reset_index(drop=True)
    return report


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return a run with data sets of the paper, a foreign and an absent one, and a new method."""
    late = dict.fromkeys(["cost_matrix_1", "cost_matrix_2"], ("timeout", "too many operations"))
    configuration = paper_configuration(
        "deng2006", data_sets=[*PRESENT, FOREIGN, ABSENT], cost_matrices={"number": 2}
    )
    configuration["methods"][ADDED] = dict(configuration["methods"]["genetic"])
    configuration["methods_selected"].append(ADDED)
    run = synthetic_run(
        tmp_path_factory.mktemp("deng"),
        "deng2006",
        configuration=configuration,
        n_classes={ABSENT: 0},
        status=lambda data_set, method, task: (
            late if (method, data_set) == ("linear_program", EVEN) else {}
        ).get(task, ("ok", "")),
        fits=lambda row: {"root_threshold": 0.5 + row["fold"] / 10 + (row["task"] != "zero_one")},
    )
    path = run.path(layout.SCORES, data_set=BOTH, job="reweighters")
    fits = fit_jobs(configuration)[BOTH, "reweighters"]
    scores = {key: read_scores(path, key) for key in fits}
    (tree,) = (key for key, fit in fits.items() if fit.method == "meta_class")
    scores[tree].arrays["tree"] = np.array(json.dumps(TREE))
    write_scores(path, scores)
    run.write_measurements(lambda measurements: changed(measurements, effect))
    return run


OWN = paper_configuration("deng2006")["methods_selected"]


@pytest.fixture(scope="module")
def own(run):
    """Return the report on the paper's methods and data sets only."""
    return reported(run, data_sets=[*PRESENT, ABSENT], methods_selected=OWN)


@pytest.fixture(scope="module")
def tables(own):
    return {name: make(own) for name, make in PAPER.tables.items()}


def test_the_corrected_test_widens_the_variance():
    """Each of ten test parts is a ninth of its training part: the divisor is √(1 + 10/9)."""
    first, second = np.random.default_rng(1).random((2, 10))
    expected = 2 * student.sf(abs(ttest_rel(first, second).statistic) / np.sqrt(1 + 10 / 9), 9)
    assert paired_t_test(first, second, 1 / 9).p_value == pytest.approx(expected)


def test_pairs_without_spread():
    same = np.full(10, 0.25)
    assert paired_t_test(same, same).p_value == 1.0
    lower = paired_t_test(same - 0.1, same)
    assert (lower.p_value, lower.is_win, lower.is_loss) == (0.0, True, False)


def test_average_cost_pairs_fold_and_matrix(own):
    frame = own.results.measurements.query("measure == 'average_cost' and data_set == @EVEN")
    wide = frame.pivot(index=["task", "fold"], columns="method", values="value")
    plain, corrected = Values(own, "average_cost").tests(EVEN, "sequential")
    assert plain.p_value == pytest.approx(ttest_rel(wide["sequential"], wide[BASELINE]).pvalue)
    folds = wide.groupby("fold").mean()
    expected = paired_t_test(folds["sequential"], folds[BASELINE], 12 / 108)
    assert corrected.p_value == pytest.approx(expected.p_value)


def test_wins_and_losses_by_hand(own):
    values = Values(own, "error_rate")
    counts = tally(values, "sequential")
    assert (counts.significant_wins, counts.significant_losses) == (1, 1)
    assert (counts.corrected_wins, counts.corrected_losses) == (1, 1)
    assert counts.wins + counts.losses == 2
    assert tally(values, "genetic").significant_wins == 3
    assert tally(values, "linear_program").significant_losses == 3
    assert (tally(values, "genetic").ratio, counts.ratio) == (np.inf, 1)


def test_cells_are_marked_and_timeouts_explained(tables):
    cells, styles = display(tables["table1"])
    assert list(cells.index) == [
        *(BOTH, WORSE, EVEN, ABSENT),
        *("Wins/losses", "Significant", "Significant, corrected test"),
    ]
    assert styles.loc[BOTH, "GA"] == "bold underline"
    assert styles.loc[BOTH, "LF"] == "bold"
    assert styles.loc[BOTH, "NB"] == ""
    assert cells.loc[WORSE, "LF"].endswith("*")
    assert cells.loc["Significant", "GA"] == "3/0"
    assert cells.loc[ABSENT, "GA"] == "n/a"
    assert tables["table1"].frame["published"].isna().all()
    cells, _ = display(tables["table2"])
    assert cells.loc[EVEN, "LP"] == "timeout"
    assert any("too many operations" in note for note in tables["table2"].notes)
    assert "NB, least expected cost" in cells


def test_the_lowest_number_of_a_row_is_one_that_is_shown():
    """Ties share the mark. Only the paper's columns count, and no fits that ended early."""
    rows = [
        ("a", "genetic", 0.3, "ok"),
        ("a", "sequential", 0.3 + 1e-15, "ok"),
        ("a", DESCENT, 0.1, "ok"),
        ("a", "linear_program", 0.2, "timeout"),
        ("b", "genetic", np.nan, "unavailable"),
    ]
    frame = pd.DataFrame(rows, columns=["data_set", "method", "value", "_status"])
    assert is_lowest(frame).tolist() == [True, True, False, False, False]


def means_of_six(**changes):
    """Return means of the six methods on twelve data sets: 0.3 plus changes and some noise."""
    noise = np.random.default_rng(5).random((12, len(SIX)))
    means = pd.DataFrame(0.3 + 0.01 * noise, columns=list(SIX))
    return means + pd.Series(changes, dtype=float).reindex(list(SIX), fill_value=0.0)


LOW, HIGH = {"genetic": -0.1, "linear_program": 0.1}, {"meta_class": 0.2}


def test_an_added_method_that_lacks_a_data_set_has_no_rank(run):
    """It would remove this data set from all ranks."""
    report = reported(run)
    frame = report.results.measurements
    elsewhere = (frame["method"] == ADDED) & (frame["data_set"] == WORSE)
    vars(report.results)["measurements"] = frame[~elsewhere]
    assert ADDED not in set(PAPER.tables["table_ranks"](report).frame["method"])


def test_an_added_measure_stands_beside_the_papers_two(tmp_path):
    added, methods = "balanced_error_rate", ["naive_bayes", "sequential", "genetic"]
    configuration = paper_configuration(
        "deng2006", data_sets=[*PRESENT], methods_selected=methods, cost_matrices={"number": 2}
    )
    configuration["measures"].append(added)
    for method in methods:
        configuration["methods"][method]["measures"] = []
    report = synthetic_run(tmp_path, "deng2006", configuration=configuration).report()
    values = Values(report, added)
    means = values.means(methods)
    frame = PAPER.tables["table_ranks"](report).frame.query("measure == @added")
    expected = rankdata(means.round(12), axis=1).mean(axis=0)
    assert frame["average_rank"].tolist() == pytest.approx(expected)
    cells, _ = display(PAPER.tables["table_ranks"](report))
    assert "Balanced error rate" in cells.columns.get_level_values(0)


def test_figures_are_of_the_selection(run, own):
    texts = [text.get_text() for text in FIGURES["figure1"].draw(own).axes[0].texts]
    assert {"b\n20", "≥ 1.65", "< 0.368"} <= set(texts)
    # Nursery is not selected, so its published threshold is not next to another one.
    title = FIGURES["figure1"].draw(own).axes[0].get_title(loc="left").replace("\n", " ")
    assert "0.5 to 1.4, median 0.95" in title
    assert "inverse ratio: 0.714 to 2, median 1.06" in title
    assert "0.8169" not in title
    # Files of methods that are not selected any more are still there.
    few = reported(run, methods_selected=[BASELINE])
    assert "no tree" in FIGURES["figure1"].draw(few).texts[0].get_text()


def test_the_threshold_at_the_root_stands_beside_the_published_one(tmp_path):
    run = synthetic_run(
        tmp_path,
        "deng2006",
        configuration=paper_configuration(
            "deng2006", data_sets=["nursery"], methods_selected=["meta_class"], readings_selected=[]
        ),
        n_classes={"nursery": 5},
        fits=lambda row: {"root_threshold": 0.5 + row["fold"] / 10},
    )
    (row,) = agreement(run.report()).to_dict("records")
    assert (row["published"], row["ours"]) == (0.8169, pytest.approx(0.95))
    assert "examples" in row["reason"]


# Claims in order: each improves; own algorithms improve; no winner; all but LP competitive;
# LP last; GA best under costs; GA the clear winner under costs; GAs improve most often; global
# search ends lower; MC faster; resubstitution makes little difference; it does no harm; greedy
# methods beat sophisticated ones; greedy methods beat GA.
UP, HALF, DOWN, OPEN = "reproduced", "partly", "not reproduced", "undecided"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        # The linear program improves nothing, the other five do. Three data sets decide no test.
        (effect, (HALF, DOWN, UP, UP, UP, UP, HALF, UP, "-", "-", UP, UP, OPEN, OPEN)),
        # Three methods lose everywhere, so none of them alone is last.
        (
            lambda method, data_set: {BASELINE: 0.0}.get(method, -0.1 if method in GREEDY else 0.1),
            (DOWN, DOWN, UP, HALF, DOWN, DOWN, DOWN, DOWN, "-", "-", UP, UP, OPEN, OPEN),
        ),
        (
            lambda method, data_set: -0.1 * SIX.index(method) if method in SIX else 0.0,
            (HALF, DOWN, UP, DOWN, DOWN, UP, HALF, UP, "-", "-", UP, UP, OPEN, OPEN),
        ),
    ],
)
def test_verdicts_follow_their_rules(run, change, expected):
    report = reported(run, change, data_sets=[*PRESENT, ABSENT])
    for name, verdict in zip(CLAIMS, expected, strict=True):
        assert verdict in ("-", CLAIMS[name](report).verdict), name


@pytest.mark.parametrize(("several", "expected"), [(2, UP), (3, DOWN)])
def test_several_improvements_are_counted_per_algorithm(run, monkeypatch, several, expected):
    """MC, LP and GA win on both data sets that have values of all methods."""
    monkeypatch.setattr("beyond_accuracy_pipeline.papers.deng2006.claims.SEVERAL", several)
    winning = ("meta_class", "linear_program", "genetic")
    report = reported(run, lambda method, _: -0.1 * (method in winning), data_sets=[*PRESENT])
    rule = CLAIMS["own_algorithms_improve"]
    assert rule(report).verdict == expected
    fewer = reported(run, lambda method, _: -0.1 * (method in GREEDY), data_sets=[*PRESENT])
    assert rule(fewer).verdict == DOWN


@pytest.mark.parametrize(
    ("lower", "higher", "expected", "places"),
    [
        # OG wins on two data sets and GA on one, and neither loses: both ratios are infinite.
        ({"boundary_matrix": (BOTH, WORSE), "genetic": (BOTH,)}, (), UP, [1, 1]),
        # GA has the highest ratio, 0, but wins nowhere.
        ({}, (), DOWN, [1, 1]),
        ({"boundary_matrix": (BOTH,), "genetic": (BOTH,)}, (WORSE,), HALF, [2, 1]),
    ],
)
def test_a_tie_of_ratios_counts_as_highest(run, lower, higher, expected, places):
    """Methods are better on the data sets `lower`, and GA is worse on the data sets `higher`."""

    def change(method, data_set):
        wins, loses = data_set in lower.get(method, ()), data_set in higher
        return 0.1 * (loses and method == "genetic") - 0.1 * wins

    report = reported(run, change, data_sets=[*PRESENT, ABSENT])
    verdict = CLAIMS["genetic_algorithm_is_best_under_costs"](report)
    assert verdict.verdict == expected
    assert [own for name, own in verdict.numbers.items() if name.startswith("place")] == places


@pytest.mark.parametrize(
    ("above", "expected"),
    [((0.1, 0.1), DOWN), ((-0.1, -0.1), UP), ((0, 0), OPEN), ((0, -0.1), HALF)],
)
def test_global_search_wins_if_it_ends_lower_on_the_training_part(run, above, expected):
    """On all data sets, GA's objective is above or below coordinate descent's."""
    report = reported(run)
    names = [f"set {number}" for number in range(12)]
    rows = [
        (name, measure, method, 0.3 + place / 100 + (change if method == "genetic" else 0.0))
        for measure, change in zip(("error_rate", "average_cost"), above, strict=True)
        for place, name in enumerate(names)
        for method in ("genetic", DESCENT, "sequential")
    ]
    fits = pd.DataFrame(rows, columns=["data_set", "measure", "method", "objective"])
    vars(report.results)["fits"] = fits.assign(task="", fold=0, status="ok")
    values = {measure: DrawnValues(None, report, names) for measure in OUT_OF_FOLD}
    verdict, numbers = CLAIMS["global_search_ends_lower"].args[0](values)
    assert verdict == expected
    assert numbers["Table 2: data sets, GA below CD"] == 12 * (above[1] < 0)
    assert numbers["Table 2: data sets, GA above LF"] == 12 * (above[1] > 0)


class DrawnValues:
    """Means of the six methods on twelve data sets, used instead of a run's values in rules."""

    def __init__(self, means, report=None, data_sets=()):
        self.report = report
        self.data_sets = data_sets
        self._means = means

    def means(self, methods):
        return self._means[list(methods)]

    def methods(self, own):
        return list(own)


def ruled(name, means):
    rule = CLAIMS[name].args[0]
    return rule({measure: DrawnValues(means) for measure in ("error_rate", "average_cost")})


@pytest.mark.parametrize(
    ("means", "no_winner", "genetic_wins", "groups", "against_genetic"),
    [
        (means_of_six(), UP, "-", "-", "-"),
        (means_of_six(**LOW), DOWN, UP, "-", DOWN),
        (means_of_six(genetic=-0.002), UP, HALF, "-", "-"),
        (means_of_six(**dict.fromkeys(GREEDY, -0.1)), UP, DOWN, UP, UP),
        (means_of_six(**dict.fromkeys(GREEDY, 0.1)), UP, "-", DOWN, DOWN),
        (means_of_six(boundary_matrix=-0.2, **LOW, **HIGH), DOWN, DOWN, OPEN, UP),
        (means_of_six() * 0.0, UP, DOWN, OPEN, OPEN),
    ],
)
def test_claims_on_ranks_are_decided_by_tests(
    means, no_winner, genetic_wins, groups, against_genetic
):
    expected = {
        "no_method_wins_by_error_rates": no_winner,
        "genetic_algorithm_is_the_clear_winner_under_costs": genetic_wins,
        "greedy_methods_beat_sophisticated_ones": groups,
        "some_greedy_method_beats_the_genetic_algorithm": against_genetic,
    }
    for name, verdict in expected.items():
        assert verdict in ("-", ruled(name, means)[0]), name


@pytest.mark.parametrize(
    ("change", "difference", "harm"),
    [(-0.1, DOWN, DOWN), (0.1, DOWN, UP), (0.0, "not testable", "not testable")],
)
def test_resubstitution_is_judged_against_out_of_fold_scores(run, change, difference, harm):
    """All methods of both tables change alike; without a change, all scores are out of fold."""
    report = reported(run, lambda method, data_set: 0.0)
    names = [f"set {number}" for number in range(12)]
    frame = report.results.measurements
    shift = np.where(frame["measure"].str.endswith("out_of_fold"), change, 0.0)
    one = frame[(frame["data_set"] == EVEN)].assign(value=0.3 + shift[frame["data_set"] == EVEN])
    vars(report.results)["measurements"] = pd.concat([one.assign(data_set=n) for n in names])
    vars(report.results)["fits"] = report.results.fits.iloc[:0]
    values = {
        measure: Values(report_of(report, names), measure)
        for measure in ("error_rate", "average_cost")
    }
    names = ("resubstitution_makes_little_difference", "resubstitution_does_no_harm")
    rulings = [CLAIMS[name].args[0](values) for name in names]
    verdicts = [ruling[0] if ruling else "not testable" for ruling in rulings]
    assert verdicts == [difference, harm]


@pytest.mark.parametrize(("under_reading", "expected"), [(0.4, "reproduced"), (0.2, "partly")])
def test_methods_without_out_of_fold_scores_count_by_the_reading(tmp_path, under_reading, expected):
    """LF and OG do not change; under costs, only the reading gives OG out-of-fold scores."""
    names, elsewhere = [f"set {number}" for number in range(12)], list(OUT_OF_FOLD.values())
    measures = [*OUT_OF_FOLD, *elsewhere]
    methods = {"sequential": {}, "boundary_matrix": {"measures": measures[:3]}}
    changes = {"methods": {name: {"training_scores": "out_of_fold"} for name in methods}}
    whole = {"data_sets": names, "measures": measures, "methods": methods}
    whole |= {"methods_selected": [*methods], "readings": {"out_of_fold": {"changes": changes}}}
    for name in methods:
        other = {"methods": {name: {"reweighter_parameters": {"changed": True}}}}
        whole["readings"][f"other_{name}"] = {"changes": other}
    rows = [
        (reading, name, method, measure, 0.3 + shift / 100)
        for reading in ("headline", *whole["readings"])
        for shift, name in enumerate(names)
        for method in methods
        for measure in methods[method].get("measures", measures)
    ]
    columns = ["reading", "data_set", "method", "measure", "value"]
    frame = pd.DataFrame(rows, columns=columns)
    own = frame["method"].eq("boundary_matrix") & frame["measure"].eq("average_cost")
    frame.loc[own & (frame["reading"] == "out_of_fold"), "value"] = under_reading
    frame = frame.assign(paper="deng2006", task="", fold=0, status="ok", reason="", state=1)
    results = PaperResults(tmp_path, "deng2006", whole)
    write_frame(results.path(layout.MEASUREMENTS), frame)
    vars(results)["fits"] = pd.DataFrame(columns=["data_set", "n_train", "n_test"])
    report = Report(results, PAPER)
    for reading in whole["readings"]:
        vars(report.under(Variant(reading)).results)["fits"] = vars(results)["fits"]
    values = {measure: report.once(Values, measure) for measure in OUT_OF_FOLD}
    verdict, numbers = CLAIMS["resubstitution_does_no_harm"].args[0](values)
    assert verdict == expected
    # A reading that changes OG leaves nothing that differs; one that changes LF leaves OG's.
    for method, ruling in (("boundary_matrix", None), ("sequential", (expected, numbers))):
        under = report.under(Variant(f"other_{method}"))
        values_under = {measure: Values(under, measure) for measure in OUT_OF_FOLD}
        assert CLAIMS["resubstitution_does_no_harm"].args[0](values_under) == ruling
    # The paper's sentence is about LF only, which has the same values.
    assert CLAIMS["resubstitution_makes_little_difference"].args[0](values) is None
    assert [name for name in numbers if name.endswith("change")] == [
        "Table 1: LF, change",
        "Table 1: OG, change",
        "Table 2: LF, change",
        "Table 2: OG, change",
    ]


def report_of(report, data_sets):
    """Return the report with other data sets, over the same measurements."""
    whole = {**report.results.whole, "data_sets": data_sets}
    results = replace(report.results, whole=whole)
    vars(results).update({name: vars(report.results)[name] for name in ("measurements", "fits")})
    return replace(report, results=results)


def tree_of(sizes, n_left, first=0):
    """Return a row per node of a tree of classes; `n_left(n)` of n classes are on the left."""
    names = [f"class {first + place}" for place in range(len(sizes))]
    rows = [{"classes": names, "n_examples": sum(sizes)}]
    if len(sizes) > 1:
        cut = n_left(len(sizes))
        rows += tree_of(sizes[:cut], n_left, first) + tree_of(sizes[cut:], n_left, first + cut)
    return rows


@pytest.mark.parametrize(
    ("n_left", "examples", "expected", "fewer"),
    # A tree that splits off one class at a time sorts as much as Lachiche and Flach's method, if
    # this method uses the examples of the classes so far.
    [
        (lambda n: n // 2, "all", UP, "3 of 3"),
        (lambda n: n - 1, "all", UP, "3 of 3"),
        (lambda n: n - 1, "seen_classes", DOWN, "0 of 3"),
    ],
)
def test_sorting_says_whether_meta_class_is_faster(
    run, monkeypatch, n_left, examples, expected, fewer
):
    report = reported(run)
    # Read the fits, which belong to the run's configuration, before the configuration changes.
    assert len(report.results.fits)
    sequential = report.configuration["methods"]["sequential"]
    monkeypatch.setitem(sequential, "reweighter_parameters", {"examples": examples})
    values = {"error_rate": Values(report, "error_rate").on(PRESENT)}
    rule = CLAIMS["meta_class_is_faster"].args[0]

    def keep(tree):
        stored = Scores((), {"tree": np.array(json.dumps(tree))})
        vars(report.results)["scores"] = lambda data_set, method: stored

    keep(TREE)
    # Three classes are not many.
    assert rule(values) is None
    keep(tree_of([9, 8, 7, 6, 5, 4, 3, 2], n_left))
    verdict, numbers = rule(values)
    assert verdict == expected
    assert numbers["comparisons, all data sets: fewer with MC"] == fewer


SIZES = [(3, 1, 5, 2, 4), (4, 0, 6), (2, 2, 0, 0, 3, 1, 1, 1, 2)]


@pytest.fixture
def sorted_by_numpy(monkeypatch):
    """Return the list of lengths of the float arrays that NumPy sorts."""
    argsort, lengths = np.argsort, []

    def recorded(values, **options):
        if values.dtype == np.float64:
            lengths.append(len(values))
        return argsort(values, **options)

    monkeypatch.setattr(np, "argsort", recorded)
    return lengths


def stored_rows(node):
    """Return a row per node, as runs store a tree."""
    below = [] if node.left is None else [*stored_rows(node.left), *stored_rows(node.right)]
    return [{"classes": list(node.classes), "n_examples": node.n_examples}, *below]


def examples(sizes):
    """Return scores and labels; with fewer than 16 examples, a threshold search sorts all."""
    labels = np.repeat(np.arange(len(sizes)), sizes)
    return np.random.default_rng(0).dirichlet(np.ones(len(sizes)), len(labels)), labels


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("split", ["alternating", "balanced"])
def test_meta_class_sorts_the_examples_of_each_split(sorted_by_numpy, sizes, split):
    fitted = MetaClassReweighter(split=split).fit(*examples(sizes))
    tree = stored_rows(fitted.tree_)
    assert class_sizes(tree) == list(sizes)
    assert [n for n in meta_class_sorts(tree) if n] == sorted_by_numpy


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("order", ["frequency_descending", "frequency_ascending", "index", None])
@pytest.mark.parametrize("counted", ["seen_classes", "all"])
def test_the_sequential_method_sorts_once_for_each_class(sorted_by_numpy, sizes, order, counted):
    order = order or list(range(len(sizes)))[::-1]
    SequentialReweighter(order, examples=counted).fit(*examples(sizes))
    sorts = sequential_sorts(sizes, order, counted)
    assert [n for n in sorts if n] == [n for n in sorted_by_numpy if n]


def test_comparisons_by_hand():
    assert count_comparisons([8, 2, 1, 0]) == 8 * 3 + 2
