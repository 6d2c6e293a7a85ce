"""Deng et al., New Algorithms for Optimizing Multi-Class Classifiers via ROC Surfaces, 2006."""

from beyond_accuracy_pipeline.reporting import MainClaim, Paper

from .claims import CLAIMS, finding
from .figures import FIGURES
from .names import DATA_SETS, METHODS, PAPER_COLUMNS
from .tables import TABLES, averages_table, base_classifiers_table, page_table
from .values import quantities

PAPER = Paper(
    id="deng2006",
    name="Deng et al. 2006",
    title="New Algorithms for Optimizing Multi-Class Classifiers via ROC Surfaces",
    citation=(
        "K. Deng, C. Bourke, S. Scott, N. V. Vinodchandran, New Algorithms for Optimizing "
        "Multi-Class Classifiers via ROC Surfaces, ICML Workshop on ROC Analysis in Machine "
        "Learning (ROCML), 2006."
    ),
    data_sets=DATA_SETS,
    methods=METHODS,
    tables=TABLES,
    figures=FIGURES,
    claims=CLAIMS,
    quantities=quantities,
    proposed="genetic",
    main_methods=tuple(PAPER_COLUMNS),
    main_measures=("error_rate", "average_cost"),
    main_claim=MainClaim(
        "clear-winner-under-costs",
        "Under costs, a genetic algorithm is the clear winner of six ways to re-weight classes.",
    ),
    doubts=(
        "our copy of the paper lacks its tables",
        "all data sets but nursery are our choice",
        "LP's verdicts change with its solver and constraints",
        "the default readings change LF, MC and CD alone",
    ),
    finding=finding,
    page_tables=(page_table, averages_table, base_classifiers_table),
)
