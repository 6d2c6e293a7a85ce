"""Studies: additional experiments of a paper, besides the comparison of its methods.

A study is a function ``study(data, settings, seed_and_paper)``. `data` is a prepared data set, or
None for simulations, and `settings` is the study's section of the configuration. Seeds are derived
from `seed_and_paper`, the run's seed and the paper's id. The function returns a pair of lists of
dicts: rows of results, and rows of times.
"""
