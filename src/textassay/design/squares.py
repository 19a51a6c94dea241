"""Latin squares: the cyclic one, and Williams' that also balances what follows what."""

from __future__ import annotations

Square = tuple[tuple[int, ...], ...]


def latin_square(n: int) -> Square:
    """The cyclic Latin square: each symbol once in each row and each column.

    >>> latin_square(3)
    ((0, 1, 2), (1, 2, 0), (2, 0, 1))
    """
    return tuple(tuple((row + column) % n for column in range(n)) for row in range(n))


def williams_square(n: int) -> Square:
    """Rows in which every symbol follows every other equally often (Williams 1949).

    For even n these are the n rows of one Latin square, and each ordered pair of neighbours stands there once. For
    odd n no single square can do it: the rows of two squares are returned, and each pair stands there twice.

    >>> williams_square(4)
    ((0, 1, 3, 2), (1, 2, 0, 3), (2, 3, 1, 0), (3, 0, 2, 1))
    """
    zigzag = [0]
    for step in range(1, n):
        zigzag.append(step // 2 + 1 if step % 2 else n - step // 2)
    rows = tuple(tuple((symbol + shift) % n for symbol in zigzag) for shift in range(n))
    mirrored = tuple(tuple(reversed(row)) for row in rows)
    return rows + mirrored if n % 2 and n > 1 else rows
