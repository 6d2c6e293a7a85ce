"""Arenas: comparisons of many methods on many data sets, separately for each measure."""
