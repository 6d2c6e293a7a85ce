"""The program `beyond-accuracy`: train and apply multivariate SVMs on SVMlight files."""
