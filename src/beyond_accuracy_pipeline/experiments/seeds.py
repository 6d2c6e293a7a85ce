"""Derive a seed for each named purpose."""

import hashlib


def derive_seed(seed: int, *names: str) -> int:
    """Return a random seed in [0, 2³²) that depends only on `seed` and `names`.

    `names` describe the purpose, such as a paper, a data set and "folds".
    """
    text = "\0".join([str(seed), *map(str, names)])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")
