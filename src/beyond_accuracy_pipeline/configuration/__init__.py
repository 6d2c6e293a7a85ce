"""What is run: models of all configuration files, their validation, and where a key stands."""
