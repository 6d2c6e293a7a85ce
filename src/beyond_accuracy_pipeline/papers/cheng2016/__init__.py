"""Cheng et al., Efficient Optimization of F-Measure with Cost-Sensitive SVM, 2016."""

from beyond_accuracy_pipeline.reporting import MainClaim, Paper

from .claims import CLAIMS, learned_nothing
from .figures import FIGURES
from .names import COLLECTIONS, METHODS, finding
from .tables import TABLES, iterations_table, page_table

PROTOCOL = """
The smallest class of each collection is the positive one. All methods maximize F1: SVM-perf by
the objective of Joachims (2005), the cost-sensitive SVMs by choosing the costs that belong to a
target F-measure t, LR-F by the expected F-measure under a logistic model. C and t are chosen by
three-fold cross-validation of the training part on one grid for all methods, which grows where
the value chosen is the last.

BM-nls-CS and BM-ls-CS are the bundle method for the cost-sensitive hinge loss without and with
line search, SVM-CS is LIBLINEAR's coordinate descent. Their final fits, and SVM-perf's, reach a
certified duality gap of 0.001. SVM-perf with its program's algorithm and stopping rule is a
reading.
Seconds are medians of repeated fits on one core. The program SVM-perf is not run, so claims on its
seconds are not judged.
"""

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
    protocol=PROTOCOL,
    proposed="bm_ls_cs",
    main_claim=MainClaim(
        "better-or-comparable-to-bm-nls-cs-and-lr-f",
        "BM-ls-CS, a fast cost-sensitive SVM, matches or beats the F1 of BM-nls-CS and LR-F.",
    ),
    finding=finding,
    page_tables=(page_table, iterations_table),
)
