"""
A paper's figure from saved results
===================================

Draw how many iterations a line search saves, from the saved results of Cheng et al. (2016).
"""

from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

folders = [Path.cwd(), *Path.cwd().parents]
root = next(folder for folder in folders if (folder / "reference").is_dir())
points = pd.read_csv(root / "reference/cheng2016/figures/figure2.csv")
longest = points.groupby(["panel", "series"])["x"].max().unstack()
print(longest.astype(int))

# %%
# Both methods minimize the same objective. BM-ls-CS searches along a line in each iteration, and
# BM-nls-CS does not. The vertical axis is the distance to the best known lower bound, as a share of
# the distance at the start. Without a line search, the visited points also get worse in between.

data_sets = ["a3a", "ijcnn1", "letter", "satimage"]
figure, panels = plt.subplots(2, 2, figsize=(7, 5), layout="constrained")
for panel, data_set in zip(panels.flat, data_sets, strict=True):
    for series, own in points[points["panel"] == data_set].groupby("series"):
        width = 0.5 if "visited" in series else 1.5
        panel.loglog(own["x"], own["y"], linewidth=width, label=series)
    panel.set_title(data_set)
handles, labels = panel.get_legend_handles_labels()
figure.legend(handles, labels, loc="outside upper center", ncols=3)
figure.supxlabel("Iterations")
figure.supylabel("Distance to the lower bound")
plt.show()
