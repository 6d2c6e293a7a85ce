"""Studies: additional experiments of a paper, besides the comparison of its methods.

A study is a function ``study(data, settings, stream)``:

- `data`: a prepared data set, or None for simulations.
- `settings`: mapping of the study's settings in the configuration.
- `stream`: seed, paper and further names, from which the study derives its seeds.

It returns a pair of lists of dicts: rows of results, and rows of times.
"""
