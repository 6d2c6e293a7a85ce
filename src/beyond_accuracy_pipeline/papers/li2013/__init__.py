"""Li, Tsang, Zhou, Optimization of Performance Measures by Classifier Adaptation, TPAMI 2013."""

from beyond_accuracy_pipeline.reporting import MainClaim, Paper
from beyond_accuracy_pipeline.reporting.readings import table_readings

from . import distances, tables, times
from .claims import CLAIMS
from .claims.values import finding
from .figures import FIGURES
from .names import COLLECTIONS, METHODS, TABLE2_METHODS
from .page import page_table, rivals_table

PAPER = Paper(
    id="li2013",
    name="Li et al. 2013",
    title="Efficient Optimization of Performance Measures by Classifier Adaptation",
    citation=(
        "N. Li, I. W. Tsang, Z.-H. Zhou, Efficient Optimization of Performance Measures by "
        "Classifier Adaptation, IEEE TPAMI 35(6), 2013."
    ),
    data_sets=COLLECTIONS,
    methods=METHODS,
    tables={
        "table1": tables.table1,
        "table2": tables.table2,
        "table3": times.table3,
        "table4": times.table4,
        "table5": tables.table5,
        "table_distances": distances.table_distances,
        "table_readings": table_readings,
    },
    figures=FIGURES,
    claims=CLAIMS,
    timed=(
        *("table3", "table4", "figure3_seconds", "figure4_seconds", "figure5_seconds"),
        *("faster_than_linear_svm_perf", "cheapest_with_auxiliaries", "star_faster_than_cvm"),
        "better_at_lower_cost",
        "similar_seconds_on_reuters",
        *("much_faster_than_rbf", "scales_better_in_C", "scales_in_training_size"),
        *("five_better_and_cheaper_at_every_size", "comparable_seconds_along_B"),
        *("comparable_seconds_along_C", "five_faster_than_one"),
    ),
    proposed="capo_star",
    # Auxiliaries on their own are no rivals.
    main_methods=TABLE2_METHODS,
    main_claim=MainClaim(
        "more-effective-than-rivals",
        "Adapting trained classifiers (CAPO) beats SVM-perf and SVMs with class costs (cost "
        "model), at lower cost (judged separately).",
    ),
    finding=finding,
    page_tables=(rivals_table, page_table),
)
