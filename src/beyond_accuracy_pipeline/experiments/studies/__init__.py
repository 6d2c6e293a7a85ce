"""Studies: additional experiments of a paper, besides the comparison of its methods.

A study is a function ``study(data, settings, seed_and_paper)`` that returns rows of results and
rows of times. `data` is a `PreparedDataSet`, or None for simulations, and `settings` is the study's
section of the configuration. Only studies that draw at random use `seed_and_paper`, the pair (seed,
name of the paper). A task is one class or label of the data against the rest.
"""
