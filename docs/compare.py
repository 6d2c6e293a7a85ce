"""`python docs/compare.py` draws docs/compare.svg, the picture in README.md.

Runs the command that README.md shows, and puts its chart between the command and the
recommendation that it prints.
"""

import subprocess
import sys
import tempfile
import textwrap
from html import escape
from pathlib import Path

import pandas as pd
from sklearn.datasets import load_digits

from beyond_accuracy.experiments.file_comparison import LABELS, RULES
from beyond_accuracy.measures import get_measure
from beyond_accuracy.reporting.method_choice import interval_chart

COMMAND = "beyond-accuracy compare digits.csv --target target --positive 8"
PICTURE = Path(__file__).with_suffix(".svg")
WIDTH, MARGIN, LINE = 680, 20, 18
# Height of a row of `interval_chart`.
ROW = 22


def main() -> None:
    """Run the command on the digits of scikit-learn and write the picture."""
    with tempfile.TemporaryDirectory() as folder:
        load_digits(as_frame=True).frame.to_csv(Path(folder, "digits.csv"), index=False)
        command = [sys.executable, "-m", "beyond_accuracy.command_line", *COMMAND.split()[1:]]
        printed = subprocess.run(
            [*command, "--quiet", "--no-open"], cwd=folder, check=True, capture_output=True
        ).stdout.decode()
        scores = pd.read_csv(Path(folder, "comparison/scores.csv"), index_col="method")
    labels = LABELS | {rule: f"Trivial rule, {label}" for rule, (label, _) in RULES.items()}
    chart = interval_chart(scores, labels, get_measure("f1").label)
    recommendation = printed[printed.index("Use: ") :].splitlines()[:2]
    below = [line for text in recommendation for line in textwrap.wrap(text, 80)]
    height = ROW * (len(scores) + 3)
    texts = [(f"$ {COMMAND}", 24)]
    texts += [(line, height + 56 + LINE * number) for number, line in enumerate(below)]
    total = texts[-1][1] + 14
    parts = [
        f'<text x="{MARGIN}" y="{y}" font-family="monospace">{escape(text)}</text>'
        for text, y in texts
    ]
    nested = chart.replace("<svg ", f'<svg x="{MARGIN}" y="34" width="640" height="{height}" ', 1)
    PICTURE.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {total}" '
        'font-family="sans-serif" font-size="12" color="#1f2328" fill="#1f2328">'
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}{nested}</svg>\n',
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
