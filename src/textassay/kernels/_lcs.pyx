# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False
"""Longest common subsequences of whole batches of pairs, without the GIL: plain, weighted, and of unions of sentences.

Plain lengths go 64 positions at a time; one bit stands for one position of the pattern (Hyyrö 2004, "Bit-parallel
LCS-length computation revisited"). The pattern is cut into blocks of 64 positions. A block runs over the whole text
before the next one begins and leaves its carry bits behind, one per text position, so that the memory needed is one mask
per word plus one byte per text position, however long the two are. Weighted ones take one row of Lin's table at a time.

For unions the lengths' table is computed in the same way: after word j of the other sentence a bit is cleared where the
length grows with that position, which is all that the way back through the table asks. The way back goes from the last
block of 64 positions to the first. So a block's rows are kept only while the way leads through it; of the others only the
carries remain, one bit per row, from which the rows can be made again. Two sentences of 100,000 words need 20 MB.
`lcs.py` checks the arguments; nothing is checked here.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
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
    object[int32_t, mode="c"] tokens,
    object[int64_t, mode="c"] offsets,
    object[int64_t, mode="c"] left,
    object[int64_t, mode="c"] right,
    int64_t vocabulary,
    int64_t longest,
    object[int32_t, mode="c"] out,
):
    """Fill `out` with the length for each pair of texts; tokens lie in [0, vocabulary), no text is longer than `longest`."""
    cdef int64_t pairs = len(left)
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
    object[int32_t, mode="c"] tokens,
    object[int64_t, mode="c"] offsets,
    object[int64_t, mode="c"] left,
    object[int64_t, mode="c"] right,
    object[double, mode="c"] gains,
    object[double, mode="c"] out,
):
    """Fill `out`, all 0 before, with the weight for each pair of texts; `gains` is longer than any text."""
    cdef int64_t k, m, n
    cdef int64_t pairs = len(left)
    cdef int64_t longest = len(gains)
    cdef Cell* row = <Cell*>malloc(<size_t>longest * sizeof(Cell))
    if row == NULL:
        raise MemoryError(f"no memory for a row of {longest} words")
    with nogil:
        for k in range(pairs):
            m = offsets[left[k] + 1] - offsets[left[k]]
            n = offsets[right[k] + 1] - offsets[right[k]]
            if m > 0 and n > 0:
                out[k] = pair_weight(&tokens[offsets[left[k]]], m, &tokens[offsets[right[k]]], n, &gains[0], row)
    free(row)


ctypedef struct Scratch:
    uint64_t* masks  # (vocabulary) a word's places in the present block; all 0 between blocks
    int32_t* counts  # (vocabulary) how often the hypothesis still has a word; all 0 between pairs
    uint64_t* rows  # (longest) the present block's bits after each word
    uint64_t* carries  # (blocks × longest / 64) what goes into each block, a bit for each word
    uint8_t* marks  # (longest) which places of the sentence are in the union


cdef inline void set_masks(uint64_t* masks, const int32_t* block, int64_t width) noexcept nogil:
    cdef int64_t i
    for i in range(width):
        masks[block[i]] |= (<uint64_t>1) << i


cdef inline void clear_masks(uint64_t* masks, const int32_t* block, int64_t width) noexcept nogil:
    cdef int64_t i
    for i in range(width):
        masks[block[i]] = 0


cdef inline void carry_over(
    const uint64_t* masks, const int32_t* other, int64_t n, const uint64_t* before, uint64_t* after
) noexcept nogil:
    """What a block hands on to the next one, from what went into it."""
    cdef uint64_t bits = ~(<uint64_t>0)
    cdef uint64_t hits, half, total, into
    cdef int64_t j
    for j in range(n):
        if j & 63 == 0:
            after[j >> 6] = 0
        hits = bits & masks[other[j]]
        into = (before[j >> 6] >> (j & 63)) & 1
        half = bits + hits
        total = half + into
        after[j >> 6] |= (<uint64_t>((half < bits) | (total < half))) << (j & 63)
        bits = total | (bits - hits)


cdef inline void fill_rows(
    const uint64_t* masks, const int32_t* other, int64_t n, const uint64_t* before, uint64_t* rows
) noexcept nogil:
    """The block's bits after each word."""
    cdef uint64_t bits = ~(<uint64_t>0)
    cdef uint64_t hits
    cdef int64_t j
    if before == NULL:
        for j in range(n):
            hits = bits & masks[other[j]]
            bits = (bits + hits) | (bits - hits)
            rows[j] = bits
        return
    for j in range(n):
        hits = bits & masks[other[j]]
        bits = (bits + hits + ((before[j >> 6] >> (j & 63)) & 1)) | (bits - hits)
        rows[j] = bits


cdef inline int64_t way_back(
    const int32_t* block, int64_t width, const int32_t* other, int64_t n, const uint64_t* rows, uint8_t* marks
) noexcept nogil:
    """Mark the block's places on the way; how many words of the other sentence lie before it."""
    cdef int64_t i = width - 1
    cdef int64_t j = n - 1
    while i >= 0 and j >= 0:
        if block[i] == other[j]:
            marks[i] = 1
            i -= 1
            j -= 1
        elif (rows[j] >> i) & 1:  # the length does not grow with this place
            i -= 1
        else:
            j -= 1
    return j + 1


cdef void mark_common(Scratch* s, const int32_t* sentence, int64_t m, const int32_t* other, int64_t n) noexcept nogil:
    cdef int64_t blocks = (m + 63) // 64
    cdef int64_t stride = (n + 63) // 64
    cdef int64_t whole = n
    cdef int64_t b, width
    if blocks > 1:
        memset(s.carries, 0, <size_t>stride * sizeof(uint64_t))
    for b in range(blocks - 1):
        set_masks(s.masks, sentence + b * 64, 64)
        carry_over(s.masks, other, whole, s.carries + b * stride, s.carries + (b + 1) * stride)
        clear_masks(s.masks, sentence + b * 64, 64)
    for b in range(blocks - 1, -1, -1):
        width = min(<int64_t>64, m - b * 64)
        set_masks(s.masks, sentence + b * 64, width)
        fill_rows(s.masks, other, n, NULL if b == 0 else s.carries + b * stride, s.rows)
        clear_masks(s.masks, sentence + b * 64, width)
        n = way_back(sentence + b * 64, width, other, n, s.rows, s.marks + b * 64)


cdef int32_t count_marked(Scratch* s, const int32_t* sentence, int64_t m) noexcept nogil:
    cdef int32_t matches = 0
    cdef int64_t i
    for i in range(m):
        if s.marks[i] and s.counts[sentence[i]] > 0:
            s.counts[sentence[i]] -= 1
            matches += 1
    return matches


cdef int32_t pair_matches(
    Scratch* s,
    const int32_t* tokens,
    const int64_t* offsets,
    const int64_t* hypothesis,
    int64_t its,
    const int64_t* reference,
    int64_t theirs,
) noexcept nogil:
    """The matches of one pair: `its` sentences of the hypothesis with `theirs` of the reference."""
    cdef int32_t matches = 0
    cdef int64_t h, r, i, m, n
    for h in range(its):
        for i in range(offsets[hypothesis[h]], offsets[hypothesis[h] + 1]):
            s.counts[tokens[i]] += 1
    for r in range(theirs):
        m = offsets[reference[r] + 1] - offsets[reference[r]]
        memset(s.marks, 0, <size_t>m)
        for h in range(its):
            n = offsets[hypothesis[h] + 1] - offsets[hypothesis[h]]
            mark_common(s, tokens + offsets[reference[r]], m, tokens + offsets[hypothesis[h]], n)
        matches += count_marked(s, tokens + offsets[reference[r]], m)
    for h in range(its):
        for i in range(offsets[hypothesis[h]], offsets[hypothesis[h] + 1]):
            s.counts[tokens[i]] = 0
    return matches


cdef bint allocate(Scratch* s, int64_t vocabulary, int64_t longest) noexcept nogil:
    cdef size_t blocks = <size_t>(longest // 64 + 1)
    s.masks = <uint64_t*>calloc(<size_t>(vocabulary + 1), sizeof(uint64_t))
    s.counts = <int32_t*>calloc(<size_t>(vocabulary + 1), sizeof(int32_t))
    s.rows = <uint64_t*>malloc(<size_t>(longest + 1) * sizeof(uint64_t))
    s.carries = <uint64_t*>malloc(blocks * blocks * sizeof(uint64_t))
    s.marks = <uint8_t*>malloc(<size_t>(longest + 1))
    return s.masks != NULL and s.counts != NULL and s.rows != NULL and s.carries != NULL and s.marks != NULL


def union_lcs(
    object[int32_t, mode="c"] tokens,
    object[int64_t, mode="c"] offsets,
    object[int64_t, mode="c"] sentences,
    object[int64_t, mode="c"] first_sentence,
    object[int64_t, mode="c"] left,
    object[int64_t, mode="c"] right,
    int64_t vocabulary,
    int64_t longest,
    object[int32_t, mode="c"] out,
):
    """Fill `out`, all 0 before, with the matches of each pair; no sentence is longer than `longest`."""
    cdef Scratch s
    cdef int64_t k, a, b, its, theirs
    cdef int64_t pairs = len(left)
    cdef bint ready
    if len(tokens) == 0 or len(sentences) == 0 or pairs == 0:
        return
    ready = allocate(&s, vocabulary, longest)
    if ready:
        with nogil:
            for k in range(pairs):
                a = first_sentence[left[k]]
                b = first_sentence[right[k]]
                its = first_sentence[left[k] + 1] - a
                theirs = first_sentence[right[k] + 1] - b
                if its > 0 and theirs > 0:
                    out[k] = pair_matches(&s, &tokens[0], &offsets[0], &sentences[a], its, &sentences[b], theirs)
    free(s.masks)
    free(s.counts)
    free(s.rows)
    free(s.carries)
    free(s.marks)
    if not ready:
        raise MemoryError(f"no memory for sentences of {longest} words")
