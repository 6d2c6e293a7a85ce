"""Jinja templates of pages and tables.

They are a package of their own, so that only the code that uses them depends on them.
"""
