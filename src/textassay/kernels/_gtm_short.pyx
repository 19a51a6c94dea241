# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False
"""The General Text Matcher's greedy matching for short texts with one reference, without the GIL.

A bit stands for each of up to 64 columns (words of the reference), so that all runs of one length that begin in a row
are one number, and those of the next length come from it by a shift. `gtm.py` checks the arguments and sends other
texts to `_gtm.pyx`, which does the same for any length; nothing is checked here.
"""

from libc.math cimport pow
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset


cdef inline int highest(uint64_t bits) noexcept nogil:
    """The place of the highest bit; there is one."""
    cdef int place = 0
    cdef int step = 32
    while step:
        if bits >> step:
            bits >>= step
            place += step
        step >>= 1
    return place


cdef int64_t mark_runs(const uint64_t* hits, int64_t n, uint64_t left, uint64_t* starts) noexcept nogil:
    """The longest run; bit j of starts[(length - 1) * n + i] says that one of that length begins in row i, column j."""
    cdef int64_t length = 1
    cdef uint64_t found = 0
    cdef int64_t i
    for i in range(n):
        starts[i] = hits[i] & left
        found |= starts[i]
    while found:
        found = 0
        for i in range(n - length):
            starts[length * n + i] = starts[i] & (starts[(length - 1) * n + i + 1] >> 1)
            found |= starts[length * n + i]
        length += 1
    return length - 1


cdef int64_t take(uint64_t* hits, int64_t n, const uint64_t* starts, int64_t length, uint64_t* left) noexcept nogil:
    """Take runs of that length, the last first; how many there were."""
    cdef int64_t taken = 0
    cdef uint64_t run = (~(<uint64_t>0)) >> (64 - length)
    cdef int64_t i = n - length
    cdef uint64_t columns
    cdef int place
    while i >= 0:
        columns = starts[i]
        while columns:
            place = highest(columns)
            if (run << place) & ~left[0] == 0:
                left[0] &= ~(run << place)
                memset(hits + i, 0, <size_t>length * sizeof(uint64_t))
                taken += 1
                i -= length - 1  # what overlaps the run just taken
                break
            columns ^= (<uint64_t>1) << place
        i -= 1
    return taken


cdef double greedy(
    const int32_t* rows, int64_t n, const int32_t* cols, int64_t columns, double exponent,
    uint64_t* masks, uint64_t* hits, uint64_t* starts
) noexcept nogil:
    """The sum over all runs; `masks` is all 0 before and after."""
    cdef uint64_t left = ~(<uint64_t>0)
    cdef double total = 0
    cdef int64_t length, taken, i
    for i in range(columns):
        masks[cols[i]] |= (<uint64_t>1) << i
    for i in range(n):
        hits[i] = masks[rows[i]]
    for i in range(columns):
        masks[cols[i]] = 0
    length = mark_runs(hits, n, left, starts)
    while length >= 2:
        taken = take(hits, n, starts + (length - 1) * n, length, &left)
        for i in range(taken):  # one by one, as the loop for longer texts adds them, so that both round alike
            total += pow(<double>length, exponent)
        length -= 1
        if taken:
            length = min(length, mark_runs(hits, n, left, starts))
    for i in range(n):
        if hits[i] & left:
            left ^= (<uint64_t>1) << highest(hits[i] & left)
            total += 1
    return total


def gtm_short_sums(
    object[int32_t, mode="c"] tokens,
    object[int64_t, mode="c"] offsets,
    object[int64_t, mode="c"] hypotheses,
    object[int64_t, mode="c"] references,
    double exponent,
    int64_t vocabulary,
    object[double, mode="c"] out,
):
    """Fill `out` with the sum of each hypothesis with its one reference; no text is longer than 64 words."""
    cdef uint64_t[64] hits
    cdef uint64_t[4096] starts
    cdef int64_t k, n, columns
    cdef int64_t pairs = len(hypotheses)
    cdef uint64_t* masks = <uint64_t*>calloc(<size_t>(vocabulary + 1), sizeof(uint64_t))
    if masks == NULL:
        raise MemoryError(f"no memory for the places of {vocabulary} words")
    with nogil:
        for k in range(pairs):
            n = offsets[hypotheses[k] + 1] - offsets[hypotheses[k]]
            columns = offsets[references[k] + 1] - offsets[references[k]]
            out[k] = 0
            if n > 0 and columns > 0:
                out[k] = greedy(
                    &tokens[offsets[hypotheses[k]]], n, &tokens[offsets[references[k]]], columns, exponent,
                    masks, hits, starts,
                )
    free(masks)
