"""The example of papers/README.md: the folder as printed there is a paper with reports."""

import re
import shutil
import sys

import pytest
import yaml

import beyond_accuracy_pipeline.papers
from beyond_accuracy_pipeline.configuration.catalogue import load_catalogue
from beyond_accuracy_pipeline.configuration.validation import validate_configuration
from beyond_accuracy_pipeline.papers import FOLDER, load_paper
from beyond_accuracy_pipeline.reporting.tables import display

from .synthetic import SyntheticRun

EXAMPLE = "example2026"
FILE = r"`(?:papers/\w+/)?(\w+\.(?:py|yaml))`[^`\n]*:\n\n```\w+\n(.*?)```"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder of papers that holds only the example."""
    guide = (FOLDER / "README.md").read_text(encoding="utf-8")
    (tmp_path / EXAMPLE).mkdir()
    for name, content in re.findall(FILE, guide, flags=re.DOTALL):
        (tmp_path / EXAMPLE / name).write_text(content, encoding="utf-8")
    monkeypatch.setattr(beyond_accuracy_pipeline.papers, "FOLDER", tmp_path)
    monkeypatch.setattr(beyond_accuracy_pipeline.papers, "__path__", [str(tmp_path)])
    yield tmp_path
    for name in [name for name in sys.modules if EXAMPLE in name]:
        del sys.modules[name]


def example_run(folder, repository, results):
    """Return a run of the example, as yet without files."""
    file = folder / EXAMPLE / "paper.yaml"
    config = {"seed": 1, "papers": [EXAMPLE], **yaml.safe_load(file.read_text())}
    config[EXAMPLE]["measures"] = ["f1", "roc_area"]
    catalogue = load_catalogue(repository / "config/datasets")
    configuration = validate_configuration(config, [file], catalogue)[EXAMPLE]
    return SyntheticRun(
        results,
        EXAMPLE,
        configuration=configuration,
        n_classes={"digits": 7},
        quality=lambda data_set, method, measure: 5.0 if method == "svm" else 1.0,
    )


def test_the_example_of_the_guide_is_a_paper(folder, repository, tmp_path):
    (folder / EXAMPLE / "published").mkdir()
    (folder / EXAMPLE / "published/table1.csv").write_text(
        "data_set,measure,method,value\ndigits,f1,svm,0.875\n"
    )
    run = example_run(folder, repository, tmp_path / "results").write()
    report = run.report()
    cells, styles = display(report.paper.tables["table1"](report))
    assert list(cells) == ["SVM for F1", "Logistic regression"]
    assert cells.index.droplevel(0).tolist() == [
        ("F1", "ours"),
        ("F1", "published"),
        ("ROC area", "ours"),
    ]
    assert cells.iloc[1].tolist() == ["87.50", ""]
    assert styles.iloc[0].tolist() == ["bold", ""]
    assert report.paper.figures["figure1"].draw(report).axes
    assert run.verdicts() == {"f1-improves": "reproduced", "f1-differs": "reproduced"}


def test_a_paper_needs_neither_figures_nor_claims(folder, repository, tmp_path):
    """Nor a protocol, published values or templates of pages, which the example lacks, too."""
    for name in ("figures", "claims"):
        (folder / EXAMPLE / f"{name}.py").unlink()
    unneeded = {"__init__.py": r".*(figures|claims).*\n", "paper.yaml": r"  claims:[\s\S]*"}
    for name, lines in unneeded.items():
        file = folder / EXAMPLE / name
        file.write_text(re.sub(lines, "", file.read_text()))
    run = example_run(folder, repository, tmp_path / "results").write().build()
    assert (run.folder / f"pages/papers/{EXAMPLE}.html").is_file()


def test_a_copied_folder_is_told_what_to_rename(folder):
    copy = f"{EXAMPLE}_copy"
    shutil.copytree(folder / EXAMPLE, folder / copy)
    valid = f"the key '{copy}', not '{EXAMPLE}'"
    with pytest.raises(ValueError, match=f"papers/{copy}/paper.yaml has {valid}"):
        load_paper(copy)
    file = folder / copy / "paper.yaml"
    file.write_text(file.read_text().replace(f"{EXAMPLE}:", f"{copy}:"))
    with pytest.raises(ValueError, match=f"PAPER.id is .*, '{copy}', not '{EXAMPLE}'"):
        load_paper(copy)
