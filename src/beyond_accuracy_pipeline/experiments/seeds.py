"""Random streams, one for every named purpose."""

import hashlib


def derive_seed(seed: int, *names: str) -> int:
    """A seed in [0, 2³²) that depends on the run's seed and on the names, and on nothing else."""
    text = "\0".join([str(seed), *map(str, names)])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")
