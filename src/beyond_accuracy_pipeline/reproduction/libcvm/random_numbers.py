"""Random numbers as LibCVM draws them: an additive generator of 31 words of 32 bits."""

from typing import Literal

import numpy as np

from beyond_accuracy.compilation import compiled

_N_WORDS = 31
_N_DISCARDED = 310
_MODULUS = 2**31 - 1
Generator = Literal["bundled", "gnu"]


class RandomNumbers:
    """Random generator of integers in [0, 2³¹), as used by LibCVM.

    Parameters
    ----------
    seed : int
        At least 0; taken modulo 2³².
    generator : {"bundled", "gnu"}, default "bundled"
        "bundled" is the generator in LibCVM's sources, which its Windows programs use. "gnu" is
        `random` of the GNU C library, which a Linux build uses. Only their initial words differ.

    Attributes
    ----------
    words : array of uint32, shape (31,)
        Internal state of the generator.
    count : array of int64, shape (1,)
        How many numbers have been drawn, including the 310 that are discarded at the start.
    """

    def __init__(self, seed: int, generator: Generator = "bundled"):
        words = [seed % 2**32]
        if generator == "gnu":
            words[0] = words[0] or 1
            # The C library takes the seed for a signed number.
            word = words[0] - 2**32 if words[0] >= 2**31 else words[0]
        for _ in range(_N_WORDS - 1):
            if generator == "gnu":
                word = 16807 * word % _MODULUS
                words.append(word)
            else:
                words.append((1103515145 * words[-1] + 12345) % 2**32)
        self.words = np.array(words, dtype=np.uint32)
        self.count = np.zeros(1, dtype=np.int64)
        for _ in range(_N_DISCARDED):
            next_number(self.words, self.count)

    @property
    def n_drawn(self) -> int:
        """How many numbers have been drawn, without those discarded at the start."""
        return int(self.count[0]) - _N_DISCARDED


@compiled
def next_number(words, count):
    """Return the next random integer in [0, 2³¹), and update `words` and `count` in place."""
    position = (count[0] + 3) % 31
    word = np.uint32(words[position] + words[(position + 28) % 31])
    words[position] = word
    count[0] += 1
    return np.int64(word) >> 1
