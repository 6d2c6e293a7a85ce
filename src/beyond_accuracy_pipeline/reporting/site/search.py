"""Write the index of the search box as a script, because opened files cannot load JSON."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

_WORDS = {
    "Rec@": "recall at ",
    "Prec@": "precision at ",
    "Prec ": "precision ",
    "PRBEP": "break-even",
}
"""Full words for abbreviations in the names of measures."""


def search_index(
    papers: Sequence[dict[str, Any]],
    data_sets: Sequence[dict[str, Any]],
    methods: Sequence[dict[str, Any]],
    measures: Mapping[str, Sequence[tuple[str, str]]],
) -> str:
    """Return the text of a JavaScript file with the index for the search box of the web pages.

    `papers`, `data_sets` and `methods` have the variables of their pages. `measures` maps each
    measure's name to the (paper, page) pairs on which it occurs.
    """
    entries = []

    def add(kind: str, title: str, url: str, text: str = "") -> None:
        entry = {"id": len(entries), "kind": kind, "title": title, "url": url, "text": text}
        entries.append(entry)

    for paper in papers:
        page, name = f"pages/papers/{paper['id']}.html", paper["definition"].name
        add("Paper", paper["definition"].title, page, paper["definition"].citation)
        for claim in paper["claims"]:
            text = f"{claim['verdict']} {claim['id']} {name}"
            add("Claim", claim["statement"], f"{page}#claim-{claim['id']}", text)
        timed = f"pages/run.html#{paper['id']}-"
        for start, tables, figures in (
            (f"{page}#", paper["tables"], paper["figures"]),
            (timed, paper["timed_tables"], paper["timed_figures"]),
        ):
            for table in tables:
                add("Table", f"{table['title']} ({name})", start + table["name"])
            for figure in figures:
                title = f"{figure['title']} ({name})"
                add("Figure", title, start + figure["name"], figure["caption"])
    for data_set in data_sets:
        name = data_set["name"]
        text = f"{name} {data_set['row']['title']}"
        add("Data set", data_set["label"], f"pages/data_sets/{name}.html", text)
    for method in methods:
        title = f"{method['label']} ({method['paper']['name']})"
        text = f"{method['name']} {method['summary']}"
        add("Method", title, f"pages/methods/{method['id']}.html", text)
    for measure, pages in measures.items():
        in_full = measure
        for short, words in _WORDS.items():
            in_full = in_full.replace(short, words)
        for title, url in pages:
            add("Measure", f"{measure} ({title})", url, in_full)
    # So that no text can end the script.
    text = json.dumps(entries, ensure_ascii=False, indent=0).replace("</", "<\\/")
    return f"window.SEARCH_INDEX = {text};\n"
