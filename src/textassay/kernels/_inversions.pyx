# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False
"""Inversions of permutations, for a whole batch of them, without the GIL.

Short ones (up to 256 things) are turned so that a row of memory holds one place of many permutations; then every pair
of places is one comparison of whole rows, which the compiler makes of vector instructions. Long ones go bit by bit
from the top: two numbers first differ in one bit, and within a group that agrees in all higher bits the ones before
each zero are its inversions. `inversions.py` checks the shapes; whether each row is a permutation is seen here.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

cdef enum:
    LANES = 512
    SHORT = 256

ctypedef fused whole:
    int8_t
    uint8_t
    int16_t
    int32_t
    int64_t


cdef bint compare_columns(const uint8_t* columns, int64_t n, int64_t* counts, uint8_t* equal) noexcept nogil:
    """Add the inversions of LANES permutations to `counts`; whether any of them holds a number twice."""
    cdef uint8_t few[LANES]
    cdef const uint8_t* left
    cdef const uint8_t* right
    cdef int64_t i, j, k
    cdef int waiting = 0
    cdef uint8_t any_equal = 0
    memset(few, 0, LANES)
    for i in range(n - 1):
        left = columns + i * LANES
        for j in range(i + 1, n):
            right = columns + j * LANES
            for k in range(LANES):
                few[k] += left[k] > right[k]
                equal[k] |= left[k] == right[k]
            waiting += 1
            if waiting == 255:  # a byte holds no more
                for k in range(LANES):
                    counts[k] += few[k]
                memset(few, 0, LANES)
                waiting = 0
    for k in range(LANES):
        counts[k] += few[k]
        any_equal |= equal[k]
    return any_equal != 0


cdef int64_t turn_rows(
    const whole* rows, int64_t width, uint64_t n, const uint8_t* place, uint8_t* columns
) noexcept nogil:
    """Write the places of up to LANES rows to columns; the first row with a number outside 0 … n-1, or -1."""
    cdef int64_t k
    cdef uint64_t i, value
    for k in range(width):
        for i in range(n):
            value = <uint64_t>rows[k * n + i]  # negative numbers become very large
            if value >= n:
                return k
            columns[i * LANES + k] = place[value]
    return -1


cdef int64_t count_short(
    const whole* rows, int64_t m, int64_t n, const uint8_t* place, uint8_t* columns, int64_t* out
) noexcept nogil:
    """Fill `out` for rows of at most 256; the number of the first row that is no permutation, or -1."""
    cdef int64_t start, width, k, bad
    cdef uint8_t equal[LANES]
    cdef int64_t counts[LANES]
    for k in range(n):  # lanes that are not used in the last block hold a permutation too
        memset(columns + k * LANES, <int>k, LANES)
    start = 0
    while start < m:
        width = min(<int64_t>LANES, m - start)
        bad = turn_rows(rows + start * n, width, <uint64_t>n, place, columns)
        if bad >= 0:
            return start + bad
        memset(equal, 0, LANES)
        memset(counts, 0, sizeof(counts))
        if compare_columns(columns, n, counts, equal):
            for k in range(width):
                if equal[k]:
                    return start + k
        for k in range(width):
            out[start + k] = counts[k]
        start += LANES
    return -1


cdef int64_t count_by_bits(int32_t* here, int32_t* there, int64_t n) noexcept nogil:
    """The inversions of a permutation of 0 … n-1 in `here`; both arrays are overwritten."""
    cdef int64_t found = 0
    cdef int64_t span, half, start, end, position, ones, zeros, earlier, bit
    cdef int32_t value
    cdef int32_t* swap
    span = 1
    while span < n:
        span *= 2
    while span > 1:
        half = span // 2
        start = 0
        while start < n:
            end = min(start + span, n)
            ones = min(half, end - start)  # where the ones of the group begin
            zeros = ones
            for position in range(start, end):
                value = here[position]
                bit = (value & half) != 0
                # Zeros fill the first half of the group and ones the second; no branch, for bits are random.
                earlier = ones - zeros
                there[position - earlier + bit * (start + ones - position + earlier)] = value
                found += (1 - bit) * earlier
                ones += bit
            start = end
        swap = here
        here = there
        there = swap
        span = half
    return found


cdef int64_t count_long(
    const whole* rows, int64_t m, int64_t n, const int32_t* place,
    int32_t* here, int32_t* there, uint8_t* seen, int64_t* out
) noexcept nogil:
    """The same for rows of any length up to 2³¹ - 1; without places (NULL) the numbers stay as they are."""
    cdef int64_t k, i, value
    cdef const whole* row
    for k in range(m):
        row = rows + k * n
        memset(seen, 0, <size_t>n)
        for i in range(n):
            value = row[i]
            if value < 0 or value >= n or seen[value]:
                return k
            seen[value] = 1
            here[i] = <int32_t>value if place == NULL else place[value]
        out[k] = count_by_bits(here, there, n)
    return -1


def short_rows(rows, object[uint8_t, mode="c"] place, object[int64_t, mode="c"] out):
    """Fill `out` with the inversions of each row, its numbers replaced by their `place`; rows of at most 256.

    Returns the number of the first row that is no permutation, or -1.
    """
    cdef object[uint8_t, mode="c"] data = rows.reshape(-1).view("uint8")
    cdef int64_t m = len(out)
    cdef int64_t n = len(place)
    cdef int kind = rows.itemsize if rows.dtype.char != "b" else -1
    cdef int64_t bad
    cdef uint8_t* columns = <uint8_t*>calloc(<size_t>(n * LANES + 1), 1)
    if columns == NULL:
        raise MemoryError("no memory for a block of permutations")
    with nogil:
        if kind == 1:
            bad = count_short(<const uint8_t*>&data[0], m, n, &place[0], columns, &out[0])
        elif kind == -1:
            bad = count_short(<const int8_t*>&data[0], m, n, &place[0], columns, &out[0])
        elif kind == 2:
            bad = count_short(<const int16_t*>&data[0], m, n, &place[0], columns, &out[0])
        elif kind == 4:
            bad = count_short(<const int32_t*>&data[0], m, n, &place[0], columns, &out[0])
        else:
            bad = count_short(<const int64_t*>&data[0], m, n, &place[0], columns, &out[0])
    free(columns)
    return bad


def long_rows(rows, object[int32_t, mode="c"] place, object[int64_t, mode="c"] out):
    """The same for longer rows; without places the numbers stay as they are."""
    cdef object[uint8_t, mode="c"] data = rows.reshape(-1).view("uint8")
    cdef int64_t m = len(out)
    cdef int64_t n = rows.shape[1]
    cdef int kind = rows.itemsize
    cdef int64_t bad
    cdef const int32_t* places = NULL if len(place) == 0 else &place[0]
    cdef int32_t* here = <int32_t*>calloc(<size_t>(n + 1), sizeof(int32_t))
    cdef int32_t* there = <int32_t*>calloc(<size_t>(n + 1), sizeof(int32_t))
    cdef uint8_t* seen = <uint8_t*>calloc(<size_t>(n + 1), 1)
    if here == NULL or there == NULL or seen == NULL:
        free(here)
        free(there)
        free(seen)
        raise MemoryError(f"no memory for a permutation of {n} things")
    with nogil:
        if kind == 1:  # no permutation of that many
            bad = 0
        elif kind == 2:
            bad = count_long(<const int16_t*>&data[0], m, n, places, here, there, seen, &out[0])
        elif kind == 4:
            bad = count_long(<const int32_t*>&data[0], m, n, places, here, there, seen, &out[0])
        else:
            bad = count_long(<const int64_t*>&data[0], m, n, places, here, there, seen, &out[0])
    free(here)
    free(there)
    free(seen)
    return bad
