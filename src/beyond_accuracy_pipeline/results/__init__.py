"""The files of a run's results: their paths and columns, and functions to write and read them.

Jobs of the workflow use this package to write results, and reports use it to read them.
"""
