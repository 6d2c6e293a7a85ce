"""The documentation site: `make docs` builds it into build/docs."""

import importlib.metadata
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from article_figures import article_figures

from beyond_accuracy_pipeline.reporting.page_templates import render
from beyond_accuracy_pipeline.reporting.reference_values import PageError, Reference

project = "Beyond Accuracy"
copyright = "the Beyond Accuracy developers"
release = importlib.metadata.version("beyond-accuracy")

extensions = [
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_gallery.gen_gallery",
]
# The gallery's own pages, and those of the interface, are reStructuredText.
# Autosummary writes its pages for the first suffix.
source_suffix = {".rst": "restructuredtext", ".md": "myst-nb", ".ipynb": "myst-nb"}
exclude_patterns = ["gallery/*.ipynb", "gallery/*.py", "gallery/*.md5", "examples"]
templates_path = ["templates"]
myst_heading_anchors = 3

# The notebooks of what was run, with their pictures; where nothing was, of the reference.
here = Path(__file__).parent
results = (here.parent / os.environ.get("RESULTS", "results")).resolve()
if not any(results.glob("*/configuration.json")):
    results = here.parent / "reference"
os.environ["RESULTS"] = str(results)
shutil.rmtree(here / "notebooks", ignore_errors=True)
(here / "notebooks").mkdir()
executed = [
    shutil.copy(notebook, here / "notebooks")
    for notebook in sorted((here.parent / "notebooks").glob("*.ipynb"))
    if (results / notebook.stem / "configuration.json").is_file()
]
names = "\n".join(Path(notebook).stem for notebook in executed)
(here / "notebooks" / "index.md").write_text(
    f"# Notebooks\n\nTheir numbers are those in `{results.name}/`.\n\n"
    f"```{{toctree}}\n:maxdepth: 1\n\n{names}\n```\n",
    encoding="utf-8",
)
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 300

html_theme = "pydata_sphinx_theme"
html_title = "Beyond Accuracy"
html_show_sourcelink = False
html_theme_options = {
    "header_links_before_dropdown": 3,
    "secondary_sidebar_items": ["page-toc"],
    "show_prev_next": False,
}
# Pages without pages below them.
html_sidebars = dict.fromkeys(["*", "guide/*", "results/**"], [])
html_context = {"default_mode": "auto"}
html_static_path = ["static"]
html_css_files = ["captions.css", ("print.css", {"media": "print"})]

autosummary_generate = True
autodoc_typehints = "none"
numpydoc_show_class_members = False

sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "gallery",
    "abort_on_example_error": True,
    "plot_gallery": True,
    "min_reported_time": 60,
    "show_memory": False,
    "download_all_examples": False,
}


def plain_text(app: Any, what: str, name: str, of: Any, options: Any, lines: list[str]) -> None:
    """Escape what is mathematics in docstrings, such as |Y| and w_j, and markup to Sphinx.

    References of scikit-learn's docstrings to its own pages become their text.
    """
    for number, line in enumerate(lines):
        line = re.sub(r":(?:ref|term):`([^`<]+?)\s*(?:<[^`]*>)?`", r"\1", line)
        if not line.lstrip().startswith((">>>", "...")):
            parts = re.split(r"(`[^`]*`)", line)
            parts[::2] = [re.sub(r"\||(?<=\w)_(?!\w)", r"\\\g<0>", part) for part in parts[::2]]
            line = "".join(parts)
        lines[number] = line


def fill_in(app: Any, name: str, source: list[str]) -> None:
    """Fill the numbers and figures of `reference/` into the article, or end the build.

    Sphinx would print a traceback around an error; `sys.exit` prints the sentence alone.
    """
    if name == "article":
        try:
            values = Reference(here.parent / "reference")
            functions = {"figure": article_figures(values, here / "generated")}
            source[0] = render(source[0], f"docs/{name}.md", values, functions)
        except PageError as error:
            sys.exit(str(error))


def setup(app: Any) -> None:
    """Have docstrings escaped before numpydoc reads them, and the article filled in."""
    app.connect("source-read", fill_in)
    app.connect("autodoc-process-docstring", plain_text, priority=400)
