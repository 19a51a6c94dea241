"""Named random streams from one seed.

Every random draw comes from a stream that has a name (`Stream(seed, "order", "slot", 3)`), so that adding a draw in
one place changes nothing in another. The bits come from NumPy's Philox, which is stable over versions and machines;
bounded integers, shuffles and normal deviates are derived from them here, because NumPy's own methods may change.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import MutableSequence, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from numpy.random.bit_generator import ISeedSequence

_TO_UNIT = 2.0**-53
_RANGE = 1 << 64
T = TypeVar("T")


class _Key(ISeedSequence):
    """The key of Philox.

    Given as a number instead, NumPy first asks the system for a seed that it then does not use: three times as slow,
    and a simulated study makes a stream for each of its answers.
    """

    def __init__(self, digest: bytes) -> None:
        self.digest = digest

    def generate_state(self, n_words: int, dtype: npt.DTypeLike = np.uint32) -> np.ndarray:
        """The first bytes of the digest, lowest first."""
        return np.frombuffer(self.digest, dtype=np.dtype(dtype).newbyteorder("<"), count=n_words).astype(dtype)


class Stream:
    """A stream of random draws that depends only on the seed and its name.

    >>> Stream(7, "demo").permutation(5) == Stream(7, "demo").permutation(5)
    True
    >>> Stream(7, "demo").permutation(5) == Stream(7, "other").permutation(5)
    False
    """

    def __init__(self, seed: int, *name: str | int) -> None:
        text = "\x1f".join([str(seed), *(f"{type(part).__name__}:{part}" for part in name)])
        digest = hashlib.sha256(text.encode()).digest()
        self.seed = seed
        self.name = name
        self._bits = np.random.Philox(_Key(digest))  # type: ignore[arg-type]  # its stubs allow only NumPy's own

    def child(self, *name: str | int) -> Stream:
        """An independent stream below this one's name; drawing from it does not advance this one."""
        return Stream(self.seed, *self.name, *name)

    def raw(self, size: int) -> np.ndarray:
        """`size` unsigned 64-bit integers."""
        return np.asarray(self._bits.random_raw(size), dtype=np.uint64)

    def below(self, n: int) -> int:
        """An integer from 0 to n-1, each equally likely (rejection, no modulo bias)."""
        if not 1 <= n <= _RANGE:
            raise ValueError(f"below() needs n from 1 to 2**64, got {n}")
        limit = _RANGE - _RANGE % n
        while True:
            draw = int(self._bits.random_raw())
            if draw < limit:
                return draw % n

    def uniform(self) -> float:
        """A number in [0, 1) with 53 random bits."""
        return (int(self._bits.random_raw()) >> 11) * _TO_UNIT

    def normal(self, mean: float = 0.0, sd: float = 1.0) -> float:
        """A normal deviate (Box and Muller; the second of the pair is discarded, so that draws can be counted)."""
        radius = math.sqrt(-2.0 * math.log(1.0 - self.uniform()))
        return mean + sd * radius * math.cos(2.0 * math.pi * self.uniform())

    def uniforms(self, size: int) -> np.ndarray:
        """`size` numbers in [0, 1), the same as from `size` calls of `uniform`."""
        return np.asarray((self.raw(size) >> np.uint64(11)) * _TO_UNIT, dtype=float)

    def normals(self, size: int) -> np.ndarray:
        """`size` standard normal deviates, the same (up to rounding) as from `size` calls of `normal`."""
        radius, angle = self.uniforms(2 * size).reshape(size, 2).T
        return np.asarray(np.sqrt(-2.0 * np.log1p(-radius)) * np.cos(2.0 * np.pi * angle), dtype=float)

    def shuffle(self, values: MutableSequence[T]) -> None:
        """Shuffle in place (Fisher and Yates)."""
        for last in range(len(values) - 1, 0, -1):
            other = self.below(last + 1)
            values[last], values[other] = values[other], values[last]

    def permutation(self, n: int) -> list[int]:
        """The integers 0 to n-1 in random order."""
        values = list(range(n))
        self.shuffle(values)
        return values

    def shuffled(self, values: Sequence[T]) -> list[T]:
        """A new list with the values in random order."""
        return [values[index] for index in self.permutation(len(values))]

    def choice(self, values: Sequence[T]) -> T:
        """One of the values, each equally likely."""
        return values[self.below(len(values))]
