"""Names and labels of the data sets, methods and measures of Cheng et al. (2016)."""

MEASURE = "f1"

# The five methods of the paper, and added methods.
SVM_PERF = "svm_perf"
PAPER_METHODS = {
    SVM_PERF: "SVM-perf",
    "svm_cs": "SVM-CS",
    "lr_f": "LR-F",
    "bm_nls_cs": "BM-nls-CS",
    "bm_ls_cs": "BM-ls-CS",
}
TUNED = "lr_tuned"
METHODS = {**PAPER_METHODS, TUNED: "LR, tuned threshold", "error_rate": "Error rate"}
COLLECTIONS = ("a3a", "acoustic", "ijcnn1", "letter", "news20", "satimage")

SCALED = "the rows of news20, term counts in the file, are scaled to unit length here"
"""As the catalogue says; the paper's text says nothing about it."""

PROPOSED = "bm_ls_cs"
