"""C4.5 decision trees stored in arrays: growing, pessimistic pruning, and prediction."""
