# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Weighted longest common subsequences for a whole batch of pairs, one row of the table at a time, without the GIL.

`weighted_lcs.py` checks the arguments; nothing is checked here.
"""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset


ctypedef struct Cell:
    double weight
    int64_t run  # matches in a row that end here


cdef double pair_weight(
    const int32_t* a, int64_t m, const int32_t* b, int64_t n, const double* gains, Cell* row
) noexcept nogil:
    cdef int64_t i, j
    cdef int32_t word
    cdef Cell above, across
    cdef double before
    memset(row, 0, <size_t>n * sizeof(Cell))
    for i in range(m):
        word = a[i]
        across.weight = 0
        across.run = 0
        before = 0
        for j in range(n):
            above = row[j]
            if b[j] == word:
                before = across.weight + gains[across.run]
                row[j].run = across.run + 1
            else:
                before = max(above.weight, before)
                row[j].run = 0
            row[j].weight = before
            across = above
    return row[n - 1].weight


def weighted_lcs(
    const int32_t[::1] tokens,
    const int64_t[::1] offsets,
    const int64_t[::1] left,
    const int64_t[::1] right,
    const double[::1] gains,
    double[::1] out,
):
    """Fill `out`, all 0 before, with the weight for each pair of texts; `gains` is longer than any text."""
    cdef int64_t k, m, n
    cdef int64_t longest = gains.shape[0]
    cdef Cell* row = <Cell*>malloc(<size_t>longest * sizeof(Cell))
    if row == NULL:
        raise MemoryError(f"no memory for a row of {longest} words")
    with nogil:
        for k in range(left.shape[0]):
            m = offsets[left[k] + 1] - offsets[left[k]]
            n = offsets[right[k] + 1] - offsets[right[k]]
            if m > 0 and n > 0:
                out[k] = pair_weight(&tokens[offsets[left[k]]], m, &tokens[offsets[right[k]]], n, &gains[0], row)
    free(row)
