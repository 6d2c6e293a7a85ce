"""Readers for files of users; errors name the file and the line."""
