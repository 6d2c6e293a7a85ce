#!/usr/bin/env sh
# Runs in the new environment, from the folder in which snakemake was started.
set -eu
python -m pip install --require-hashes --requirement requirements.lock
python -m pip install --no-deps --no-build-isolation --editable .
