"""Williams' squares: Latin squares that also balance what follows what."""

from __future__ import annotations

Row = tuple[int, ...]
Square = tuple[Row, ...]


def zigzag(n: int) -> Row:
    """The first row of a Williams square: 0, 1, n-1, 2, n-2 and so on.

    For even n its steps (mod n) are all numbers from 1 to n-1, each once; for odd n, its steps and those of the row
    read backwards are each of them twice.

    >>> zigzag(6)
    (0, 1, 5, 2, 4, 3)
    """
    return tuple((step + 1) // 2 if step % 2 else (n - step // 2) % n for step in range(n))


def shifted(row: Row, by: int) -> Row:
    """The row with every symbol moved on.

    >>> shifted((0, 1, 3, 2), 1)
    (1, 2, 0, 3)
    """
    return tuple((symbol + by) % len(row) for symbol in row)


def williams_square(n: int) -> Square:
    """Rows in which every symbol follows every other equally often (Williams 1949).

    For even n these are the n rows of one Latin square, and each ordered pair of neighbours stands there once. For
    odd n no single cyclic square can do it: the rows of two squares are returned, and each pair stands there twice.

    >>> williams_square(4)
    ((0, 1, 3, 2), (1, 2, 0, 3), (2, 3, 1, 0), (3, 0, 2, 1))
    """
    rows = tuple(shifted(zigzag(n), by) for by in range(n))
    mirrored = tuple(tuple(reversed(row)) for row in rows)
    return rows + mirrored if n % 2 and n > 1 else rows
