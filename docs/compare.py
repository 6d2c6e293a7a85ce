"""`python docs/compare.py` draws docs/compare.svg, the picture in README.md.

Runs the command that README.md shows, and puts its chart between the command and the
recommendation that it prints.
"""

import tempfile
import textwrap
from contextlib import chdir, redirect_stdout
from html import escape
from io import StringIO
from pathlib import Path

import pandas as pd
from sklearn.datasets import load_digits

from beyond_accuracy.command_line.main import main
from beyond_accuracy_pipeline.experiments.file_comparison import LABELS, RULES
from beyond_accuracy_pipeline.reporting.method_choice import interval_chart

COMMAND = "beyond-accuracy compare digits.csv --target target --positive 8"
PICTURE = Path(__file__).resolve().with_suffix(".svg")
MARGIN, LINE = 20, 18
# Height of a row of `interval_chart`.
ROW = 22


def draw() -> None:
    """Run the command on the digits of scikit-learn and write the picture."""
    printed = StringIO()
    with tempfile.TemporaryDirectory() as folder, chdir(folder), redirect_stdout(printed):
        load_digits(as_frame=True).frame.to_csv("digits.csv", index=False)
        main([*COMMAND.split()[1:], "--quiet", "--no-open"])
        scores = pd.read_csv("comparison/scores.csv", index_col="method")
    labels = LABELS | {rule: f"Trivial rule, {label}" for rule, (label, _) in RULES.items()}
    height = ROW * (len(scores) + 3)
    size = f'<svg x="{MARGIN}" y="34" width="640" height="{height}" '
    chart = interval_chart(scores, labels, "F1").replace("<svg ", size, 1)
    recommendation = printed.getvalue().partition("\nUse: ")[2].splitlines()[:2]
    lines = [line for text in recommendation for line in textwrap.wrap(text, 80)]
    lines[0] = f"Use: {lines[0]}"
    texts = [(24, f"$ {COMMAND}")]
    # The last row of the chart is empty.
    texts += [(height + 34 + LINE * number, line) for number, line in enumerate(lines)]
    bottom = texts[-1][0] + 14
    parts = [
        f'<text x="{MARGIN}" y="{y}" font-family="monospace">{escape(text)}</text>'
        for y, text in texts
    ]
    PICTURE.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="680" height="{bottom}" '
        f'viewBox="0 0 680 {bottom}" '
        'font-family="sans-serif" font-size="12" color="#1f2328" fill="#1f2328">'
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}{chart}</svg>\n',
        encoding="utf-8",
    )


if __name__ == "__main__":
    draw()
