"""Files of a run's results: their paths and columns, and functions to write and read them.

Both sides stand on it: the jobs that write results, and the reports that are made from them.
"""
