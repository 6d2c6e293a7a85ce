"""Many methods on many data sets: ranks, tests and recommendations, for each measure by itself."""
