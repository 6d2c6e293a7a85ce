"""Studies: what a paper looks at besides its methods' measurements.

A study is a function ``study(data, settings, stream)`` of a prepared data set, of its settings and
of the names from which its random streams are derived. It returns its rows and its seconds.
"""
