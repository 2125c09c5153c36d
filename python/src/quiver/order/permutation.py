"""Random orders that take no memory, and the numbers they are made with."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
_FIRST = 0xBF58476D1CE4E5B9
_SECOND = 0x94D049BB133111EB
_ROUNDS = 6
_MIN_HALF_BITS = 4
_AHEAD = 256

Places = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]


def mix(z: int) -> int:
    """Apply the finishing function of SplitMix64: every bit of the input moves half the bits out."""
    z = ((z ^ (z >> 30)) * _FIRST) & MASK
    z = ((z ^ (z >> 27)) * _SECOND) & MASK
    return z ^ (z >> 31)


def mix_all(z: Words) -> Words:
    """Apply :func:`mix` to many numbers where they are."""
    z ^= z >> np.uint64(30)
    z *= np.uint64(_FIRST)
    z ^= z >> np.uint64(27)
    z *= np.uint64(_SECOND)
    z ^= z >> np.uint64(31)
    return z


def derive(seed: int, part: int) -> int:
    """Derive a seed for a part of a whole, unrelated to the seeds of its other parts."""
    return mix((seed + mix((part + GOLDEN) & MASK)) & MASK)


class SeededPermutation:
    """A random order of 0 … size − 1 by a Feistel network over the fewest bits that hold the size.

    It is walked until it lands inside. One seed gives the same order in every language.

    >>> SeededPermutation(5, seed=1).at(np.arange(5)).tolist()
    [0, 2, 4, 1, 3]
    """

    def __init__(self, size: int, seed: int):
        if size < 0:
            raise ValueError(f"a permutation of {size} places")
        self.size = size
        bits = max(size - 1, 1).bit_length()
        right_bits = max((bits + 1) // 2, _MIN_HALF_BITS)
        self._shift = np.uint64(right_bits)
        self._left_mask = np.uint64((1 << max(bits // 2, _MIN_HALF_BITS)) - 1)
        self._right_mask = np.uint64((1 << right_bits) - 1)
        self._keys = [np.uint64(mix((seed + turn * GOLDEN) & MASK)) for turn in range(1, _ROUNDS + 1)]

    def at(self, places: Places) -> Places:
        """Return the numbers at these places."""
        values = self._encrypt(places.astype(np.uint64))
        outside = np.flatnonzero(values >= self.size)
        while len(outside):
            again = self._encrypt(values[outside])
            values[outside] = again
            outside = outside[again >= self.size]
        return values.astype(np.int64)

    def _encrypt(self, values: Words) -> Words:
        """Change each half in turn by the other."""
        left = values >> self._shift
        right = values & self._right_mask
        for turn in range(0, _ROUNDS, 2):
            left ^= mix_all(right ^ self._keys[turn]) & self._left_mask
            right ^= mix_all(left ^ self._keys[turn + 1]) & self._right_mask
        left <<= self._shift
        left |= right
        return left


class SeededRandom:
    """SplitMix64 with bounded numbers by multiplication: the same numbers in every language."""

    def __init__(self, seed: int):
        self._state = seed & MASK  # what the numbers ahead follow from
        self._ahead: list[int] = []

    def below(self, bound: int) -> int:
        """Return a number from 0 up to but excluding the bound."""
        if not self._ahead:
            self._ahead = self._words(_AHEAD)[::-1].tolist()
        return (self._ahead.pop() * bound) >> 64

    def _words(self, count: int) -> Words:
        """Return the next words, which are used up."""
        steps = np.arange(1, count + 1, dtype=np.uint64)
        words = mix_all(np.full(count, self._state, np.uint64) + steps * np.uint64(GOLDEN))
        self._state = (self._state + count * GOLDEN) & MASK
        return words

    def below_all(self, bounds: Words) -> Places:
        """Return a number below each of these bounds, which are less than 2^31, one after the other."""
        self._state = (self._state - len(self._ahead) * GOLDEN) & MASK
        self._ahead = []
        z = self._words(len(bounds))
        high, low = z >> np.uint64(32), z & np.uint64(0xFFFFFFFF)
        product = (high * bounds + (low * bounds >> np.uint64(32))) >> np.uint64(32)
        return product.astype(np.int64)

    def below_same(self, bound: int, count: int) -> Places:
        """Return so many numbers below one bound, which is less than 2^62, one after the other."""
        self._state = (self._state - len(self._ahead) * GOLDEN) & MASK
        self._ahead = []
        z = self._words(count)
        half, low32 = np.uint64(32), np.uint64(0xFFFFFFFF)
        bound_high, bound_low = np.uint64(bound >> 32), np.uint64(bound & 0xFFFFFFFF)
        high, low = z >> half, z & low32
        middle = high * bound_low + (low * bound_low >> half)
        rest = low * bound_high + (middle & low32)
        product: Words = high * bound_high + (middle >> half) + (rest >> half)
        return product.astype(np.int64)
