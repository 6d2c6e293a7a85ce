"""`python docs/compare.py` draws docs/compare.svg, the picture in README.md.

It runs the command that README.md shows, and puts the chart between the command and the
recommendation.
"""

import tempfile
import textwrap
from contextlib import chdir, redirect_stdout
from html import escape
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
from sklearn.datasets import load_digits

from beyond_accuracy.command_line.main import main
from beyond_accuracy.comparison.page import interval_chart

COMMAND = "beyond-accuracy compare digits.csv --target target --positive 8"
PICTURE = Path(__file__).resolve().with_suffix(".svg")
MARGIN, LINE, WIDTH = 20, 18, 680


def draw() -> None:
    """Run the command on the digits of scikit-learn and write the picture."""
    printed = StringIO()
    with tempfile.TemporaryDirectory() as folder, chdir(folder), redirect_stdout(printed):
        load_digits(as_frame=True).frame.to_csv("digits.csv", index=False)
        main([*COMMAND.split()[1:], "--quiet", "--no-open"])
        scores = pd.read_csv(
            "comparison/scores.csv", keep_default_na=False, na_values={"value": ""}
        )
    numbers = ["low", "high", "value"]
    scores[numbers] = scores[numbers].apply(pd.to_numeric)
    chart = interval_chart(scores, "F1")
    height = int(ElementTree.fromstring(chart).get("height"))
    place = f'<svg x="{MARGIN}" y="40" width="{WIDTH - 2 * MARGIN}" '
    chart = chart.replace('<svg xmlns="http://www.w3.org/2000/svg" width="100%" ', place, 1)
    sentence = next(line for line in printed.getvalue().splitlines() if line.startswith("Use "))
    texts = [(24, f"$ {COMMAND}")]
    for number, line in enumerate(textwrap.wrap(sentence, 82)):
        texts.append((height + 62 + LINE * number, line))
    bottom = texts[-1][0] + 14
    parts = [
        f'<text x="{MARGIN}" y="{y}" font-family="monospace">{escape(text)}</text>'
        for y, text in texts
    ]
    PICTURE.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{bottom}" '
        f'viewBox="0 0 {WIDTH} {bottom}" '
        'font-family="sans-serif" font-size="12" color="#1f2328" fill="#1f2328">'
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}{chart}</svg>\n',
        encoding="utf-8",
    )


if __name__ == "__main__":
    draw()
