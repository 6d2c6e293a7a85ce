"""Properties of the reports of every paper, and of its notebook."""

import ast
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import beyond_accuracy
import beyond_accuracy_pipeline
from beyond_accuracy_pipeline.papers import load_paper, paper_ids
from beyond_accuracy_pipeline.reporting import evaluate_claims
from beyond_accuracy_pipeline.reporting.drawn_values import name_values
from beyond_accuracy_pipeline.reporting.states import table_over_states
from beyond_accuracy_pipeline.reporting.table_files import SHOWN, read_shown, table_html, with_best
from beyond_accuracy_pipeline.reporting.tables import display
from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.results.frames import write_csv

from .synthetic import drawn, paper_configuration
from .whole_run import OWN, whole_run

FOREIGN = "mine"
# An added data set, and the method whose settings an added method copies.
ADDED = {
    "arena": ("letter", "lr"),
    "arena_multiclass": ("vowel", "lr"),
    "arena_multilabel": ("yeast-multilabel", "br"),
    "cheng2016": ("news20", "bm_ls_cs"),
    "dembczynski2011": ("yeast-multilabel", "br"),
    "deng2006": ("nursery", "genetic"),
    "joachims2005": ("arxiv-physics", "multivariate_svm"),
    "li2013": ("ijcnn1", "svmperf_rbf"),
}
# By default, one paper per protocol is tested; the slow tests cover every paper.
ONE_A_PROTOCOL = [
    name
    if name in ("cheng2016", "dembczynski2011", "arena_multiclass")
    else pytest.param(name, marks=pytest.mark.slow)
    for name in OWN
]
# Imports that are allowed inside the library. The pipeline may import from all these packages.
GROUND = {"compilation", "scikit_learn", "measures"}
LIBRARY = {
    "measures": set(),
    "readers": set(),
    "solvers": GROUND,
    "inference": GROUND,
    "reweighting": GROUND,
    "operating_points": GROUND,
    "estimators": GROUND | {"solvers", "inference", "reweighting", "operating_points"},
    "distributed": GROUND | {"solvers", "estimators"},
    "comparison": GROUND
    | {"estimators", "operating_points", "readers", "reweighting", "inference", "solvers"},
}
PIPELINE = {
    "results": set(),
    "datasets": set(),
    "reproduction": set(),
    "experiments": {"datasets", "results", "reproduction"},
    "reporting": {"results"},
    "papers": {"reporting", "results", "reproduction"},
}


def test_all_are_tried():
    assert sorted(OWN) == sorted(ADDED) == paper_ids()
    for paper, (data_set, _) in ADDED.items():
        assert data_set not in OWN[paper], f"ADDED[{paper!r}] needs a data set that OWN lacks"


def imported_rooms(folder):
    """Return pairs of package and subpackage that the modules of a folder import."""
    rooms = set()
    for file in folder.rglob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        names = []
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                parts = file.relative_to(folder.parents[1]).parts
                package = parts[: -node.level] if node.level else ()
                module = ".".join([*package, *filter(None, [node.module])])
                names += [f"{module}.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.Import):
                names += [alias.name for alias in node.names]
        rooms |= {tuple(name.split(".")[:2]) for name in names if "." in name}
    return rooms


@pytest.mark.parametrize("room", LIBRARY)
def test_the_library_imports_down_and_never_the_pipeline(room):
    imported = imported_rooms(Path(beyond_accuracy.__file__).parent / room)
    assert "beyond_accuracy_pipeline" not in {package for package, _ in imported}
    own = {name for package, name in imported if package == "beyond_accuracy"}
    assert own - {room} <= LIBRARY[room]


@pytest.mark.parametrize("room", PIPELINE)
def test_the_pipeline_imports_down(room):
    imported = imported_rooms(Path(beyond_accuracy_pipeline.__file__).parent / room)
    own = {name for package, name in imported if package == "beyond_accuracy_pipeline"}
    assert own - {room} <= PIPELINE[room]


@pytest.mark.parametrize("paper_run", ONE_A_PROTOCOL, indirect=True)
def test_what_is_added_is_shown_and_enters_no_claim_and_left_overs_change_no_byte(
    paper_run, tmp_path
):
    """The folder still has files of data sets and methods that are not selected any more."""
    paper, selection = paper_run.paper, paper_run.configuration
    third, method = ADDED[paper]
    methods = dict(selection["methods"]) | {FOREIGN: selection["methods"][method]}
    wider = whole_run(
        tmp_path,
        paper,
        data_sets=[third, *selection["data_sets"], FOREIGN],
        methods=methods,
        methods_selected=[FOREIGN, *selection["methods_selected"]],
    )
    added = evaluate_claims(wider.report(data_sets=[*selection["data_sets"], FOREIGN]))
    assert added.empty or set(added["verdict"]) != {"not testable"}
    # Simulations belong to no data set.
    changes = {"studies": {}} if paper == "dembczynski2011" else {}
    foreign = wider.report(data_sets=[FOREIGN], **changes)
    assert set(evaluate_claims(foreign)["verdict"]) <= {"not testable"}
    tables = {name: make(foreign) for name, make in foreign.paper.tables.items()}
    assert f"{FOREIGN}¶" in "".join(display(table)[0].to_string() for table in tables.values())
    for table in tables.values():
        assert "generated" not in " ".join([table.caption, *table.notes])
    for chart in foreign.paper.figures.values():
        assert chart.draw(foreign)
    run = replace(wider, configuration=selection)
    run.write_measurements()
    run.build_tables()
    assert (tmp_path / paper / "fits" / FOREIGN).is_dir()
    reports = list((paper_run.folder / paper / "tables").iterdir())
    assert len(reports) >= 2 * len(selection["tables"])
    for file in (paper_run.path(layout.MEASUREMENTS), *reports):
        again = tmp_path / file.relative_to(paper_run.folder)
        assert again.read_bytes() == file.read_bytes(), file.name
    report = run.report()
    claims = evaluate_claims(report)
    assert claims.equals(added)
    write_csv(tmp_path / "claims.csv", claims)
    written = paper_run.path(layout.PAPER_CLAIMS).read_bytes()
    assert (tmp_path / "claims.csv").read_bytes() == written
    for name in selection["figures"]:
        # Pictures show the same values, and take longer.
        values, _ = name_values(drawn(report, name))
        file = paper_run.path(layout.FIGURE, figure=name, suffix="csv")
        text = values.to_csv(index=False, lineterminator="\n", float_format="%.10g")
        assert text == file.read_text("utf-8"), name


@pytest.mark.slow
@pytest.mark.parametrize("paper", OWN)
def test_every_table_can_be_made_over_states(paper, tmp_path):
    # Studies use the first seed only.
    studies = paper_configuration(paper).get("studies") or {}
    studies = {name: {**study, "every_state": False} for name, study in studies.items()}
    report = whole_run(tmp_path, paper, states=2, studies=studies).report()
    tables = {name: table_over_states(report, make) for name, make in report.paper.tables.items()}
    for table in tables.values():
        assert len(table.numbers.columns)
        display(table)
    # A comparison of methods takes medians over seeds itself, so none of its tables differs.
    says_so = any(" seeds" in note for table in tables.values() for note in table.notes)
    assert says_so == bool(report.paper.claims)


@pytest.mark.parametrize("paper_run", ONE_A_PROTOCOL, indirect=True)
def test_every_report_does_without_any_single_method(paper_run):
    """Every fifth method is left out in turn."""
    selected = paper_run.configuration["methods_selected"]
    for left_out in selected[::5]:
        report = paper_run.report(methods_selected=[name for name in selected if name != left_out])
        measurements = report.results.measurements
        vars(report.results)["measurements"] = measurements[measurements["method"] != left_out]
        for make in report.paper.tables.values():
            table = make(report)
            assert len(table.numbers.columns)
            display(table)
        assert len(evaluate_claims(report)) == len(paper_run.configuration["claims"])


@pytest.mark.parametrize("paper_run", ONE_A_PROTOCOL, indirect=True)
def test_what_holds_seconds_is_on_its_own_page(paper_run):
    definition = load_paper(paper_run.paper)
    pages = [
        (paper_run.folder / layout.PAGES / page).read_text(encoding="utf-8")
        for page in (f"papers/{definition.id}.html", "run.html")
    ]
    verdicts = paper_run.verdicts()
    for claim in paper_run.configuration["claims"]:
        shown = [f'id="claim-{claim["id"]}"' in page for page in pages]
        # Every claim is on the paper's page, and only its seconds elsewhere.
        assert shown == [True, False]
        testable = verdicts[claim["id"]] != "not testable"
        timed = claim.get("function") in definition.timed and testable
        assert (f'id="seconds-{claim["id"]}"' in pages[1]) == timed
    for name in definition.tables:
        table = read_shown(paper_run.path(layout.TABLE, table=name, suffix=SHOWN))
        shown = [table_html(with_best(table), table.notes_on_pages) in page for page in pages]
        timed = name in definition.timed
        # The page names a table without values in a sentence.
        assert shown == ([not timed, timed] if table.has_values else [False, False])


def notebook_of(paper, repository):
    return nbformat.read(repository / "notebooks" / f"{paper}.ipynb", as_version=4)


@pytest.mark.parametrize("paper", OWN)
def test_a_notebook_is_committed_without_outputs(paper, repository):
    notebook = notebook_of(paper, repository)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in code)


def test_a_notebook_shows_the_reference_without_a_run(repository, tmp_path, monkeypatch):
    """The tests of the smoke run execute all notebooks on results."""
    paper = "dembczynski2011"
    monkeypatch.setenv("RESULTS", str(tmp_path / "nothing"))
    notebook = notebook_of(paper, repository)
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not [output for output in outputs if output.get("name") == "stderr"], outputs
    assert f"reference/{paper}" in outputs[0]["text"]
    kinds = {"image/png", "image/svg+xml"}
    pictures = [output for output in outputs if kinds & output.get("data", {}).keys()]
    assert len(pictures) >= 4
