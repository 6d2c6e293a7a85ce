"""Files of a run's results: their paths and columns, and functions to write and read them.

Jobs use this package to write results, and reports use it to read them.
"""
