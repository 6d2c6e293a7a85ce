"""Arena: benchmark of the papers' methods and today's baselines on binary tasks."""

from beyond_accuracy_pipeline.reporting.arena.paper import arena
from beyond_accuracy_pipeline.reporting.arena.recommendation import Contestants

PROTOCOL = """
Of each data set a sample of rows and at most two classes are drawn, each class against the rest;
the sample is drawn anew for each seed. Every method chooses one of six candidates by three
folds of the training part and by the measure itself, and is fitted to all of it. Dense features are
standardized on the training part. Methods that are trained on a measure are fitted for each; the
others share fits. A tuned threshold is the exact best one of each fold, on average. A multivariate
SVM has none of its own: where w = 0 is optimal at each C it predicts one class, and its F1 is 0.
LR is logistic regression, HGB scikit-learn's histogram gradient boosting.

Methods are ranked by data set, for each measure by itself, never over measures. Methods that take
dense features only have no value on sparse data, which then take no part in comparisons with them.
"""

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
    protocol=PROTOCOL,
)  # fmt: skip
