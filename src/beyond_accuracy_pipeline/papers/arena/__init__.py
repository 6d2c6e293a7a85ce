"""Arena: a comparison of the papers' methods and today's baselines on many binary tasks."""

from beyond_accuracy_pipeline.reporting.arena.paper import arena
from beyond_accuracy_pipeline.reporting.arena.recommendation import Contestants

# From simple to elaborate: a simpler method is preferred to an equally good one.
METHODS = {
    "lr": "LR",
    "lr_tuned": "LR, threshold tuned",
    "lr_balanced": "LR, class-weighted",
    "lr_smote": "LR after SMOTE",
    "lr_f": "LR-F",
    "metro": "LR by METRO",
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

PAPER = arena(
    "arena",
    "Arena",
    "The arena: which method for which measure",
    data_sets=(
        "a3a", "acoustic", "breast-cancer", "ijcnn1", "news20", "splice", "usps-01234",
        "arxiv-quant-ph-1992-2004", "balance-scale", "covertype", "digits", "ecoli", "enron",
        "glass", "letter-classes", "page-blocks", "reuters21578-modapte", "scene", "shuttle",
        "vehicle", "wine-weka", "yeast", "yeast-multilabel",
    ),
    methods=METHODS,
    contestants=Contestants(
        simple_first=tuple(METHODS),
        probabilistic=("lr", "lr_tuned", "hgb", "hgb_tuned"),
        plain=("lr", "hgb"),
        tuned=("lr_tuned", "hgb_tuned"),
    ),
)  # fmt: skip
