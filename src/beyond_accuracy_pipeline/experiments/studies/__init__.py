"""Studies: additional experiments of a paper, besides the comparison of its methods.

A study is a function ``study(data, settings, stream)`` of a prepared data set, its settings, and
the names from which its seeds are derived. It returns rows of results and rows of times.
"""
