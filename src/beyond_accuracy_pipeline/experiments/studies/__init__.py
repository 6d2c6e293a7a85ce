"""Studies: additional experiments of a paper, besides the comparison of its methods.

A study is a function ``study(data, settings, seed_and_paper)`` that returns rows of results and
rows of times. `data` is a prepared data set, or None for simulations, and `settings` is the study's
section of the configuration.
"""
