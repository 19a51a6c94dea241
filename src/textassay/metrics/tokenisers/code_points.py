"""Sets of characters as classes of regular expressions."""

from __future__ import annotations

from collections.abc import Iterable


def as_class(codes: Iterable[int]) -> str:
    r"""Rising code points as the inside of a character class, runs shortened.

    >>> as_class([0x30, 0x31, 0x32, 0x5D])
    '\\U00000030-\\U00000032\\U0000005d-\\U0000005d'
    """
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in _runs(codes))


def _runs(codes: Iterable[int]) -> list[tuple[int, int]]:
    """Rising numbers as runs without a gap."""
    runs: list[tuple[int, int]] = []
    for code in codes:
        if runs and runs[-1][1] == code - 1:
            runs[-1] = (runs[-1][0], code)
        else:
            runs.append((code, code))
    return runs
