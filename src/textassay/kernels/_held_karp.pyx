# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The table of Held and Karp (1962), without the GIL. `held_karp.py` checks the argument and makes the table."""

from libc.math cimport INFINITY
from libc.stdint cimport int64_t


def fill(const double[:, ::1] into, double[:, ::1] table):
    """Fill the table, subset by subset: a subset comes after all that are part of it.

    `into[j, k]` is the distance from unit k to unit j among those that are not the first; its last column has the
    distance from the first. A place that means nothing, since the last unit is not in the subset, is infinite.
    """
    cdef int64_t m = table.shape[1]
    cdef int64_t subset, rest, j, k
    cdef double least, other
    cdef const double* before
    cdef const double* steps
    with nogil:
        for subset in range(<int64_t>1 << m):
            for j in range(m):
                if not (subset >> j) & 1:
                    table[subset, j] = INFINITY
                    continue
                rest = subset ^ (<int64_t>1 << j)
                steps = &into[j, 0]
                if rest == 0:
                    table[subset, j] = steps[m]
                    continue
                before = &table[rest, 0]
                least = before[m - 1] + steps[m - 1]
                other = INFINITY
                k = 0
                while k + 1 < m:  # two at a time: neither least number waits for the other
                    least = min(least, before[k] + steps[k])
                    other = min(other, before[k + 1] + steps[k + 1])
                    k += 2
                table[subset, j] = min(least, other)
