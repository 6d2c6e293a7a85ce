"""Joachims, A Support Vector Method for Multivariate Performance Measures, ICML 2005."""

from beyond_accuracy_pipeline.reporting import MainClaim, Paper

from .claims import CLAIMS, finding
from .figures import FIGURES
from .names import COLLECTIONS, FREQUENCY_EDGES, METHODS, PAIR
from .tables import TABLES, page_table, threshold_table

PAPER = Paper(
    id="joachims2005",
    name="Joachims 2005",
    title="A Support Vector Method for Multivariate Performance Measures",
    citation=(
        "T. Joachims, A Support Vector Method for Multivariate Performance Measures, "
        "International Conference on Machine Learning (ICML), 2005."
    ),
    data_sets=COLLECTIONS,
    methods=METHODS,
    frequency_edges=FREQUENCY_EDGES,
    tables=TABLES,
    figures=FIGURES,
    claims=CLAIMS,
    proposed="multivariate_svm",
    main_methods=PAIR.methods,
    main_claim=MainClaim(
        "most-improve",
        "An SVM trained for a measure mostly scores higher on it than an SVM with class costs.",
    ),
    doubts=(
        "the main claim is inferred from illegible counts",
        "Rec@2p is trained with at most k = 2p predicted positives, as in the author's program (in "
        "the text: exactly k)",
    ),
    finding=finding,
    page_tables=(page_table, threshold_table),
)
