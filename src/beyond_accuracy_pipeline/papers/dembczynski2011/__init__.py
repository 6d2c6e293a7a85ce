"""Dembczyński et al., An Exact Algorithm for F-Measure Maximization, NIPS 2011."""

from beyond_accuracy_pipeline.reporting import MainClaim, Paper

from .claims import CLAIMS
from .figures import FIGURES
from .names import DATA_SETS, MODELS, finding
from .tables import TABLES, beyond_table, page_table

PROTOCOL = """
PCC is a chain of ridge logistic regressions, each on the features and the labels before it, and
BR one regression a label. Features are standardized; all labels of a model share one strength, a
power of ten, chosen by the mean log-loss of three folds of the training part. H takes the labels
with a marginal of at least a half, MEUF maximizes the expected F-measure as if labels were
independent, GFM under the joint distribution, of which PCC draws samples along the chain.

The splits into training and test part are the official ones. An example without true and
predicted labels has F = 1; a label that occurs nowhere in the test part and is not predicted
counts 0 in the macro-average. Simulations of the paper's Figure 1 draw labels from its equations
with known distributions.
"""

PAPER = Paper(
    id="dembczynski2011",
    name="Dembczyński et al. 2011",
    title="An Exact Algorithm for F-Measure Maximization",
    citation=(
        "K. Dembczyński, W. Waegeman, W. Cheng, E. Hüllermeier, An Exact Algorithm for F-Measure "
        "Maximization, Advances in Neural Information Processing Systems 24 (NIPS), 2011."
    ),
    data_sets=DATA_SETS,
    methods=MODELS,
    tables=TABLES,
    figures=FIGURES,
    claims=CLAIMS,
    timed=(
        *("table1_seconds", "figure1_right", "gfm_is_drastically_faster_than_meuf"),
        *("gfm_is_drastically_faster_than_approximate_meuf", "exact_meuf_takes_days"),
    ),
    protocol=PROTOCOL,
    proposed="pcc",
    main_measures=("f1_instance",),
    main_claim=MainClaim(
        "tailored-methods-win-on-f",
        "In experiments, label sets chosen for F (by GFM or MEUF) beat thresholds of ½.",
    ),
    finding=finding,
    page_tables=(page_table, beyond_table),
)
