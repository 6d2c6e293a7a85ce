"""What is compared, on what, and how reports call it."""

from beyond_accuracy_pipeline.reporting.arena.recommendation import Contestants

DATA_SETS = (
    "a3a", "acoustic", "breast-cancer", "ijcnn1", "news20", "splice", "usps-01234",
    "arxiv-quant-ph-1992-2004", "balance-scale", "covertype", "digits", "ecoli", "enron", "glass",
    "letter-classes", "page-blocks", "reuters21578-modapte", "scene", "shuttle", "vehicle",
    "wine-weka", "yeast", "yeast-multilabel",
)  # fmt: skip

METHODS = {
    "lr": "LR",
    "lr_tuned": "LR, threshold tuned",
    "lr_balanced": "LR, class-weighted",
    "lr_smote": "LR after SMOTE",
    "lr_f": "LR-F",
    "hgb": "HGB",
    "hgb_tuned": "HGB, threshold tuned",
    "hgb_balanced": "HGB, class-weighted",
    "hgb_smote": "HGB after SMOTE",
    "cost_svm": "Cost-sensitive SVM",
    "cost_svm_tuned": "Cost-sensitive SVM, threshold tuned",
    "multivariate_svm": "Multivariate SVM",
    "capo_cvm": "CAPO on CVM",
    "capo_hgb": "CAPO on HGB",
}
"""From simple to elaborate: the order in which one is preferred to others as good."""

CONTESTANTS = Contestants(
    simple_first=tuple(METHODS),
    probabilistic=("lr", "lr_tuned", "hgb", "hgb_tuned"),
    plain=("lr", "hgb"),
    tuned=("lr_tuned", "hgb_tuned"),
)
