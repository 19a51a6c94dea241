# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Lengths of longest common subsequences, 64 positions at a time, for a whole batch of pairs, without the GIL.

One bit stands for one position of the pattern (Hyyrö 2004, "Bit-parallel LCS-length computation revisited"). The
pattern is cut into blocks of 64 positions. A block runs over the whole text before the next one begins and leaves its
carry bits behind, one a text position, so that the memory needed is one mask a word plus one byte a text position,
however long the two are. `lcs.py` checks the arguments; nothing is checked here.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset


cdef inline int64_t count_ones(uint64_t bits) noexcept nogil:
    # In plain C because compilers do not agree on a name for the instruction; it runs once a block.
    bits = bits - ((bits >> 1) & <uint64_t>0x5555555555555555)
    bits = (bits & <uint64_t>0x3333333333333333) + ((bits >> 2) & <uint64_t>0x3333333333333333)
    bits = (bits + (bits >> 4)) & <uint64_t>0x0F0F0F0F0F0F0F0F
    return <int64_t>((bits * <uint64_t>0x0101010101010101) >> 56)


cdef inline uint64_t run_alone(const int32_t* text, int64_t n, const uint64_t* masks) noexcept nogil:
    """The block's bits after the text, for a pattern that fits one block: nothing to carry."""
    cdef uint64_t bits = ~(<uint64_t>0)
    cdef uint64_t hits
    cdef int64_t j
    for j in range(n):
        hits = bits & masks[text[j]]
        bits = (bits + hits) | (bits - hits)
    return bits


cdef inline uint64_t run_linked(const int32_t* text, int64_t n, const uint64_t* masks, uint8_t* carry) noexcept nogil:
    """The block's bits after the text; takes the carry of the block before it and leaves its own."""
    cdef uint64_t bits = ~(<uint64_t>0)
    cdef uint64_t hits, half, total
    cdef int64_t j
    for j in range(n):
        hits = bits & masks[text[j]]
        half = bits + hits
        total = half + carry[j]
        carry[j] = (half < bits) | (total < half)
        bits = total | (bits - hits)
    return bits


cdef int64_t pair_length(
    const int32_t* pattern, int64_t m, const int32_t* text, int64_t n, uint64_t* masks, uint8_t* carry
) noexcept nogil:
    """The length for one pair; `masks` is all zero before and after."""
    cdef int64_t start, width, i
    cdef int64_t length = 0
    cdef uint64_t bits
    if m > 64:
        memset(carry, 0, <size_t>n)
    for start in range(0, m, 64):
        width = min(<int64_t>64, m - start)
        for i in range(width):
            masks[pattern[start + i]] |= (<uint64_t>1) << i
        bits = run_linked(text, n, masks, carry) if m > 64 else run_alone(text, n, masks)
        for i in range(width):
            masks[pattern[start + i]] = 0
        # A cleared bit is a position at which the common subsequence grew; positions past the width never clear.
        length += count_ones(~bits & ((~(<uint64_t>0)) >> (64 - width)))
    return length


cdef inline int64_t steps(int64_t m, int64_t n) noexcept nogil:
    return ((m + 63) // 64) * n + m


def lcs_lengths(
    const int32_t[::1] tokens,
    const int64_t[::1] offsets,
    const int64_t[::1] left,
    const int64_t[::1] right,
    int64_t vocabulary,
    int64_t longest,
    int32_t[::1] out,
):
    """Fill `out` with the length for each pair of texts; tokens lie in [0, vocabulary), no text is longer than `longest`."""
    cdef int64_t pairs = left.shape[0]
    cdef int64_t k, m, n
    cdef const int32_t* a
    cdef const int32_t* b
    cdef uint64_t* masks = <uint64_t*>calloc(<size_t>(vocabulary + 1), sizeof(uint64_t))
    cdef uint8_t* carry = <uint8_t*>calloc(<size_t>(longest + 1), 1)
    if masks == NULL or carry == NULL:
        free(masks)
        free(carry)
        raise MemoryError(f"no memory for the masks of {vocabulary} words")
    with nogil:
        for k in range(pairs):
            m = offsets[left[k] + 1] - offsets[left[k]]
            n = offsets[right[k] + 1] - offsets[right[k]]
            if m == 0 or n == 0:
                out[k] = 0
                continue
            a = &tokens[offsets[left[k]]]
            b = &tokens[offsets[right[k]]]
            if steps(m, n) <= steps(n, m):
                out[k] = <int32_t>pair_length(a, m, b, n, masks, carry)
            else:
                out[k] = <int32_t>pair_length(b, n, a, m, masks, carry)
    free(masks)
    free(carry)
