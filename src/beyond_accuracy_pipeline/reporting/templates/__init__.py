"""Templates of pages and tables; a package, so that only what uses them depends on them."""
