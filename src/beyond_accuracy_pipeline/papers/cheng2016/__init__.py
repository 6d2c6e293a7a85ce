"""Cheng et al., Efficient Optimization of F-Measure with Cost-Sensitive SVM, 2016."""

from beyond_accuracy_pipeline.reporting import MainClaim, Paper

from .claims import CLAIMS, finding, learned_nothing
from .figures import FIGURES
from .names import COLLECTIONS, METHODS, PAPER_METHODS
from .tables import TABLES, iterations_table, page_table, seconds_table

PAPER = Paper(
    id="cheng2016",
    name="Cheng et al. 2016",
    title="Efficient Optimization of F-Measure with Cost-Sensitive SVM",
    citation=(
        "F. Cheng et al., Efficient Optimization of F-Measure with Cost-Sensitive SVM, "
        "Mathematical Problems in Engineering, 2016."
    ),
    data_sets=COLLECTIONS,
    methods=METHODS,
    tables=TABLES,
    figures=FIGURES,
    claims=CLAIMS,
    remark=learned_nothing,
    timed=(
        *("table3_seconds", "table_readings"),
        *("faster_than_bm_nls_cs_and_lr_f", "slower_than_svm_cs_on_news20_alone"),
        *("news20_seconds", "faster_than_svm_perf", "bm_nls_cs_is_faster_than_svm_perf"),
        "speed_ups_of_hundreds",
    ),
    proposed="bm_ls_cs",
    main_methods=tuple(PAPER_METHODS),
    main_claim=MainClaim(
        "better-or-comparable-to-bm-nls-cs-and-lr-f",
        "BM-ls-CS trains much faster than other F1 learners, with a better or comparable F1.",
    ),
    doubts=(
        "the main claim is judged by F1 alone, as the program SVM-perf is not run",
        "the positive classes are our choice",
    ),
    finding=finding,
    page_tables=(page_table, iterations_table, seconds_table),
)
