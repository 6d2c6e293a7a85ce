"""The notebooks run on the results folder alone and are committed without outputs."""

from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[2] / "notebooks"
N_PICTURES = {
    "cheng2016": 5,
    "dembczynski2011": 5,
    "deng2006": 4,
    "joachims2005": 4,
    "li2013": 9,
}


def test_notebook_is_committed_without_outputs_and_runs(paper_run, monkeypatch):
    monkeypatch.setenv("RESULTS", str(paper_run.folder))
    notebook = nbformat.read(FOLDER / f"{paper_run.paper}.ipynb", as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in code)
    # An error in a cell is raised.
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    outputs = [output for cell in code for output in cell.outputs]
    assert not [output for output in outputs if output.get("name") == "stderr"], outputs
    pictures = [output for output in outputs if "image/png" in output.get("data", {})]
    assert len(pictures) >= N_PICTURES[paper_run.paper]
