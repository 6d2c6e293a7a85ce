"""Benchmarks of the solvers, side by side in one run: `python -m benchmarks` or `make bench`."""
