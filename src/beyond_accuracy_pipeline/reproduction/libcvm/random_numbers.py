"""Random numbers as LibCVM draws them: an additive generator of 31 words of 32 bits."""

import numpy as np

from beyond_accuracy.compilation import compiled

_N_WORDS = 31
_N_DISCARDED = 310


def start_generator(seed: int):
    """Return (words, count) for `next_number`, from a seed that is taken modulo 2³²."""
    words = [seed % 2**32]
    while len(words) < _N_WORDS:
        words.append((1103515145 * words[-1] + 12345) % 2**32)
    state = np.array(words, dtype=np.uint32), np.array([-_N_DISCARDED])
    for _ in range(_N_DISCARDED):
        next_number(*state)
    return state


@compiled
def next_number(words, count):
    """Return the next random integer in [0, 2³¹), and update `words` and `count` in place."""
    position = (count[0] + 3) % 31
    word = np.uint32(words[position] + words[(position + 28) % 31])
    words[position] = word
    count[0] += 1
    return np.int64(word) >> 1
