# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Cuts texts at white space and numbers the pieces, equal pieces alike, without the GIL.

A piece is looked up in an open-addressing table by a 64-bit hash and then compared byte by byte, so that two pieces
never share a number. The bytes of every distinct piece are kept one after the other in `arena`. `pieces.py` makes
the arrays, lets them grow, and checks everything; nothing is checked here.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcmp, memcpy


cdef inline int64_t space_at(const uint8_t* text, int64_t i, int64_t end) noexcept nogil:
    """How many bytes of white space begin at i: 0 for none. White space is what Python's `str.split` takes for it."""
    cdef uint8_t byte = text[i]
    if byte > 32:
        if byte < 0xC2 or byte > 0xE3:
            return 0
        if byte == 0xC2:  # U+0085, U+00A0
            return 2 if i + 1 < end and (text[i + 1] == 0x85 or text[i + 1] == 0xA0) else 0
        if i + 2 >= end:
            return 0
        if byte == 0xE2:
            if text[i + 1] == 0x80:  # U+2000 to U+200A, U+2028, U+2029, U+202F
                return 3 if text[i + 2] <= 0x8A or text[i + 2] in (0xA8, 0xA9, 0xAF) else 0
            return 3 if text[i + 1] == 0x81 and text[i + 2] == 0x9F else 0  # U+205F
        if byte == 0xE1:  # U+1680
            return 3 if text[i + 1] == 0x9A and text[i + 2] == 0x80 else 0
        return 3 if byte == 0xE3 and text[i + 1] == 0x80 and text[i + 2] == 0x80 else 0  # U+3000
    return 1 if byte == 32 or 9 <= byte <= 13 or 28 <= byte <= 31 else 0


cdef inline int32_t number_of(
    const uint8_t* piece, int64_t length, uint64_t hashed, int32_t* slots, uint64_t mask,
    uint64_t* hashes, int64_t* starts, uint8_t* arena, int64_t* count
) noexcept nogil:
    """The piece's number; a new piece gets the next one and its bytes are kept."""
    cdef uint64_t slot = hashed & mask
    cdef int32_t found = slots[slot]
    while found >= 0:
        if (
            hashes[found] == hashed
            and starts[found + 1] - starts[found] == length
            and memcmp(arena + starts[found], piece, <size_t>length) == 0
        ):
            return found
        slot = (slot + 1) & mask
        found = slots[slot]
    found = <int32_t>count[0]
    slots[slot] = found
    hashes[found] = hashed
    memcpy(arena + starts[found], piece, <size_t>length)
    starts[found + 1] = starts[found] + length
    count[0] += 1
    return found


def number_pieces(
    const uint8_t[::1] data,
    const int64_t[::1] bounds,
    int64_t text,
    int32_t[::1] slots,
    uint64_t[::1] hashes,
    int64_t[::1] starts,
    uint8_t[::1] arena,
    int64_t count,
    int32_t[::1] out,
    int64_t[::1] offsets,
):
    """Number the pieces of texts from `text` on until the table may be too small for the next one.

    Text k is data[bounds[k]:bounds[k + 1]]; its piece numbers go to out[offsets[k]:offsets[k + 1]]. Returns the text
    to go on with and how many distinct pieces there are.
    """
    cdef int64_t texts = bounds.shape[0] - 1
    cdef int64_t i, end, begin, width, written
    cdef uint64_t hashed
    cdef uint64_t mask = <uint64_t>slots.shape[0] - 1
    cdef int64_t room = hashes.shape[0]
    cdef const uint8_t* bytes_
    if data.shape[0] == 0:
        offsets[:] = 0
        return texts, count
    bytes_ = &data[0]
    written = offsets[text]
    with nogil:
        while text < texts:
            i = bounds[text]
            end = bounds[text + 1]
            if count + (end - i) // 2 + 1 > room or starts[count] + (end - i) > arena.shape[0]:
                break
            while True:
                while i < end:
                    width = space_at(bytes_, i, end)
                    if width == 0:
                        break
                    i += width
                if i >= end:
                    break
                begin = i
                hashed = 14695981039346656037ULL
                while i < end:
                    if (bytes_[i] <= 32 or bytes_[i] >= 0xC2) and space_at(bytes_, i, end):
                        break
                    hashed = (hashed ^ bytes_[i]) * <uint64_t>1099511628211ULL
                    i += 1
                hashed ^= hashed >> 32  # the low bits choose the slot, the high ones are mixed best
                out[written] = number_of(
                    bytes_ + begin, i - begin, hashed, &slots[0], mask, &hashes[0], &starts[0], &arena[0], &count
                )
                written += 1
            text += 1
            offsets[text] = written
    return text, count


def fill_slots(const uint64_t[::1] hashes, int64_t count, int32_t[::1] slots):
    """Put `count` pieces into a table of empty slots (-1), larger than before."""
    cdef uint64_t mask = <uint64_t>slots.shape[0] - 1
    cdef uint64_t slot
    cdef int64_t k
    with nogil:
        for k in range(count):
            slot = hashes[k] & mask
            while slots[slot] >= 0:
                slot = (slot + 1) & mask
            slots[slot] = <int32_t>k


def expanded_length(const int32_t[::1] pieces, const int64_t[::1] run_offsets):
    """How many tokens the pieces stand for."""
    cdef int64_t k
    cdef int64_t total = 0
    with nogil:
        for k in range(pieces.shape[0]):
            total += run_offsets[pieces[k] + 1] - run_offsets[pieces[k]]
    return total


def expand(
    const int32_t[::1] pieces,
    const int64_t[::1] offsets,
    const int32_t[::1] run_tokens,
    const int64_t[::1] run_offsets,
    int32_t[::1] out,
    int64_t[::1] out_offsets,
):
    """Each piece replaced by its run of tokens; `out` has room for all of them."""
    cdef int64_t texts = offsets.shape[0] - 1
    cdef int64_t text, k, j
    cdef int64_t written = 0
    with nogil:
        out_offsets[0] = 0
        for text in range(texts):
            for k in range(offsets[text], offsets[text + 1]):
                for j in range(run_offsets[pieces[k]], run_offsets[pieces[k] + 1]):
                    out[written] = run_tokens[j]
                    written += 1
            out_offsets[text + 1] = written
