"""The layout of a run's results: where files are, what is in them, how they are written and read.

Both sides stand on it: the jobs that write results, and the reports that are made from them.
"""
