"""What the paper compares, and how its reports call it."""

MEASURE = "f1"

# The five methods of the paper, and those added.
PAPER_METHODS = {
    "svm_perf": "SVM-perf",
    "svm_cs": "SVM-CS",
    "lr_f": "LR-F",
    "bm_nls_cs": "BM-nls-CS",
    "bm_ls_cs": "BM-ls-CS",
}
METHODS = {
    **PAPER_METHODS,
    "lr_tuned": "LR, tuned threshold",
    "error_rate": "Error rate",
}
COLLECTIONS = ("a3a", "acoustic", "ijcnn1", "letter", "news20", "satimage")

PROPOSED = "bm_ls_cs"
COST_SENSITIVE = ("svm_cs", "bm_nls_cs", PROPOSED)
