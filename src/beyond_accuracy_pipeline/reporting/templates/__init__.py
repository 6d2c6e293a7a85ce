"""Jinja templates of pages and tables."""
