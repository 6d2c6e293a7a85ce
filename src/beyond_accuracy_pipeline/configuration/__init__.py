"""Models of all configuration files, their validation, and the line numbers of keys."""
