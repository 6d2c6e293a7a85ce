"""The command `beyond-accuracy`: train and apply models, and compare classifiers on files."""
