"""The guide's table of measures says where each of them can be used."""

import re

from beyond_accuracy.measures import MEASURE_NAMES, get_measure
from beyond_accuracy.measures.threshold_measures import NAMES, find_threshold_measure


def test_the_table_of_measures_is_that_of_the_code(repository):
    text = (repository / "docs/guide/measures.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(.+)` \| (.+) \| (yes|–) \| (yes|–) \| (yes|–) \|$", text, re.M)
    names = [name for name, *_ in rows]
    assert (
        len(names) == len(set(names)) == len(text.split("|---|\n")[1].split("\n\n")[0].split("\n"))
    )
    # Names with a number stand for all of their kind.
    assert {name for name in (*MEASURE_NAMES, *NAMES) if "<" not in name} < set(names)
    for name, label, compared, thresholds, trained in rows:
        found = []
        for find in (get_measure, find_threshold_measure):
            try:
                found.append(find(name))
            except ValueError:
                found.append(None)
        measure, of_threshold = found
        assert label == (measure or of_threshold).label
        assert (compared == "yes") == (measure is not None)
        assert (thresholds == "yes") == (of_threshold is not None)
        assert (trained == "yes") == (measure is not None and measure.loss is not None)
