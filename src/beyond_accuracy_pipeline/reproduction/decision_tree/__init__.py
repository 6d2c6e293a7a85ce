"""C4.5 decision trees stored in arrays: growing, pessimistic pruning, and prediction."""

from beyond_accuracy_pipeline.reproduction.decision_tree.growing import grow_tree
from beyond_accuracy_pipeline.reproduction.decision_tree.pruning import collapse_tree, prune_tree
from beyond_accuracy_pipeline.reproduction.decision_tree.tree import Tree

__all__ = ["Tree", "collapse_tree", "grow_tree", "prune_tree"]
