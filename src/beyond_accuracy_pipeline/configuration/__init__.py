"""Models of all configuration files, their validation, and the lines of keys."""
