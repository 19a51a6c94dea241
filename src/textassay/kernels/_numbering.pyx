# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False
"""Numbers for pieces of text and for labels, equal ones alike, in the order in which they are first met.

Texts are cut at white space without the GIL. A piece is looked up in an open-addressing table by a hash and then compared
in full, so that two pieces never share a number. A slot has its first sixteen bytes and its length, so that one look at
memory is enough for most; all bytes of all pieces are side by side in `arena`.

Labels are any Python objects; a dictionary decides which are equal, as in plain Python. Most columns hold few objects
over and over, so the last object of each slot is remembered with its number: the same object has the same number, and no
hash is needed. This needs the GIL. `numbering.py` makes the arrays, lets them grow, and checks everything.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t, uintptr_t
from libc.string cimport memcmp, memcpy, memset

cdef extern from "Python.h":
    ctypedef struct PyObject
    PyObject* PyDict_GetItemWithError(object mapping, object key) except? NULL
    PyObject* PyTuple_GetItem(object values, Py_ssize_t index) except NULL
    PyObject* PyList_GetItem(object values, Py_ssize_t index) except NULL

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define TEXTASSAY_PREFETCH(place) __builtin_prefetch(place)
    #else
    #define TEXTASSAY_PREFETCH(place) ((void)(place))
    #endif
    """
    void prefetch "TEXTASSAY_PREFETCH"(const void* place) noexcept nogil

cdef enum:
    SLOTS = 4096
    BATCH = 32  # pieces looked up together
    SLOT = 4  # 8-byte numbers in a slot
    AHEAD = 12  # pieces between one that is expanded and one whose tokens are asked of the memory

ctypedef struct Slot:
    uint64_t key  # the first eight bytes of the piece, 0 where it is shorter
    uint64_t second  # the next eight
    int64_t start  # where its bytes begin in the arena
    int32_t length
    int32_t number  # from 1 on; 0 where the slot is free

ctypedef struct Piece:
    uint64_t key
    uint64_t second
    uint64_t hashed
    int64_t length


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


cdef inline bint space_beyond_ascii(const uint8_t* text, int64_t i, int64_t end) noexcept nogil:
    """Whether white space begins at i, where a byte above 127 is; few first bytes leave it open."""
    cdef uint8_t byte = text[i]
    return (byte == 0xC2 or (0xE1 <= byte <= 0xE3)) and space_at(text, i, end) > 0


cdef inline int64_t character_length(uint8_t byte) noexcept nogil:
    """How many bytes the character has that begins with this one, which is above 127."""
    return 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4


cdef inline int64_t plain_bytes(const uint8_t* text) noexcept nogil:
    """How many of the next eight bytes, from the first on, are neither below 33 nor above 127: plain ASCII.

    All eight at a time: a borrow or a high bit shows in a byte's own top bit, and below the first such byte nothing is
    disturbed. The lowest byte must be the first in memory; `numbering.py` keeps other machines away from here.
    """
    cdef uint64_t word
    cdef uint64_t marks
    memcpy(&word, text, 8)
    marks = ((word - <uint64_t>0x2121212121212121ULL) | word) & <uint64_t>0x8080808080808080ULL
    if marks == 0:
        return 8
    # One bit for each byte up to the marked one, added up in the highest byte.
    return <int64_t>((((marks - 1) & <uint64_t>0x0101010101010101ULL) * <uint64_t>0x0101010101010101ULL) >> 56) - 1


cdef inline uint64_t hash_of(const uint8_t* piece, int64_t length, uint64_t key, uint64_t second) noexcept nogil:
    """Of eight bytes at a time. Eight bytes or more follow the piece."""
    cdef uint64_t hashed = (key ^ <uint64_t>length) * <uint64_t>0x9E3779B97F4A7C15ULL
    cdef uint64_t word
    cdef int64_t k = 16
    if length > 8:
        hashed = (hashed ^ (hashed >> 32) ^ second) * <uint64_t>0xC2B2AE3D27D4EB4FULL
        while k < length:
            memcpy(&word, piece + k, 8)
            if length - k < 8:
                word &= ((<uint64_t>1) << (8 * (length - k))) - 1
            hashed = (hashed ^ (hashed >> 32) ^ word) * <uint64_t>0x9E3779B97F4A7C15ULL
            k += 8
    return hashed ^ (hashed >> 32)  # the low bits choose the slot, the high ones are mixed best


cdef inline int32_t number_of(
    const uint8_t* piece, const Piece* its, Slot* slots, uint64_t mask,
    int64_t* lengths, uint8_t* arena, int64_t* count, int64_t* used
) noexcept nogil:
    """The piece's number; a new piece gets the next one and its bytes are kept."""
    cdef uint64_t place = its.hashed & mask
    cdef Slot* slot = &slots[place]
    cdef size_t rest = <size_t>(its.length - 16) if its.length > 16 else 0
    while slot.number != 0:
        if slot.key == its.key and slot.second == its.second and slot.length == <int32_t>its.length:
            if rest == 0 or memcmp(arena + slot.start + 16, piece + 16, rest) == 0:
                return slot.number - 1
        place = (place + 1) & mask
        slot = &slots[place]
    slot.key = its.key
    slot.second = its.second
    slot.start = used[0]
    slot.length = <int32_t>its.length
    memcpy(arena + used[0], piece, <size_t>its.length)
    used[0] += its.length
    lengths[count[0]] = its.length
    count[0] += 1
    slot.number = <int32_t>count[0]
    return slot.number - 1


cdef inline void look_at(const uint8_t* piece, int64_t length, Piece* its) noexcept nogil:
    """The first sixteen bytes as two numbers, and the hash. Eight bytes or more follow the piece."""
    memcpy(&its.key, piece, 8)
    its.second = 0
    if length < 8:
        its.key &= ((<uint64_t>1) << (8 * length)) - 1
    elif length > 8:
        memcpy(&its.second, piece + 8, 8)
        if length < 16:
            its.second &= ((<uint64_t>1) << (8 * (length - 8))) - 1
    its.length = length
    its.hashed = hash_of(piece, length, its.key, its.second)


def number_pieces(
    object[uint8_t, mode="c"] data,
    object[int64_t, mode="c"] bounds,
    int64_t text,
    object[uint64_t, mode="c"] slots,
    object[int64_t, mode="c"] lengths,
    object[uint8_t, mode="c"] arena,
    int64_t count,
    int64_t used,
    object[int32_t, mode="c"] out,
    object[int64_t, mode="c"] offsets,
):
    """Number the pieces of texts from `text` on until the table may be too small for the next one.

    Text k is data[bounds[k]:bounds[k + 1]], and eight bytes or more follow the last; its piece numbers go to
    out[offsets[k]:offsets[k + 1]]. Returns the text to go on with, how many distinct pieces there are, and how many
    bytes they have. Pieces are looked up some at a time, so that the memory brings their slots meanwhile.
    """
    cdef int64_t texts = len(bounds) - 1
    cdef int64_t i, end, begin, width
    cdef int64_t written = offsets[text]
    cdef int64_t known = written  # up to here pieces have their numbers
    cdef Slot* table
    cdef uint64_t mask = <uint64_t>len(slots) // SLOT - 1
    cdef int64_t capacity = len(lengths)
    cdef int64_t arena_size = len(arena)
    cdef int64_t waiting_bytes = 0
    cdef const uint8_t* bytes_
    cdef Piece waiting[BATCH]
    cdef const uint8_t* places[BATCH]
    cdef int64_t k
    if len(data) == 0:
        for i in range(texts + 1):
            offsets[i] = 0
        return texts, count, used
    bytes_ = &data[0]
    table = <Slot*>&slots[0]
    with nogil:
        while text < texts:
            i = bounds[text]
            end = bounds[text + 1]
            if count + (written - known) + (end - i) // 2 + 1 > capacity or used + waiting_bytes + (end - i) > arena_size:
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
                while i < end:
                    width = plain_bytes(bytes_ + i)
                    i += width
                    if width < 8:
                        while i < end and bytes_[i] > 127 and not space_beyond_ascii(bytes_, i, end):
                            i += character_length(bytes_[i])
                        if i >= end or bytes_[i] > 127 or space_at(bytes_, i, end):
                            break
                        if bytes_[i] <= 32:
                            i += 1  # a control character
                if i > end:
                    i = end  # the eight bytes reached into the next text
                if written - known == BATCH:
                    for k in range(BATCH):
                        out[known + k] = number_of(
                            places[k], &waiting[k], table, mask, &lengths[0], &arena[0], &count, &used
                        )
                    known = written
                    waiting_bytes = 0
                k = written - known
                look_at(bytes_ + begin, i - begin, &waiting[k])
                prefetch(&table[waiting[k].hashed & mask])
                places[k] = bytes_ + begin
                waiting_bytes += i - begin
                written += 1
            text += 1
            offsets[text] = written
        for k in range(written - known):
            out[known + k] = number_of(places[k], &waiting[k], table, mask, &lengths[0], &arena[0], &count, &used)
    return text, count, used


def fill_slots(
    object[int64_t, mode="c"] lengths,
    object[uint8_t, mode="c"] arena,
    int64_t count,
    object[uint64_t, mode="c"] slots,
):
    """Put `count` pieces, side by side in `arena`, into a table of empty slots (0), larger than before."""
    cdef uint64_t mask = <uint64_t>len(slots) // SLOT - 1
    cdef uint64_t place
    cdef Slot* table = <Slot*>&slots[0]
    cdef Piece its
    cdef int64_t k
    cdef int64_t start = 0
    with nogil:
        for k in range(count):
            look_at(&arena[start], lengths[k], &its)
            place = its.hashed & mask
            while table[place].number != 0:
                place = (place + 1) & mask
            table[place].key = its.key
            table[place].second = its.second
            table[place].start = start
            table[place].length = <int32_t>its.length
            table[place].number = <int32_t>(k + 1)
            start += lengths[k]


def expanded_length(object[int32_t, mode="c"] pieces, object[int64_t, mode="c"] run_offsets):
    """How many tokens the pieces stand for."""
    cdef int64_t k
    cdef int64_t count = len(pieces)
    cdef int64_t total = 0
    with nogil:
        for k in range(count):
            total += run_offsets[pieces[k] + 1] - run_offsets[pieces[k]]
    return total


def expand(
    object[int32_t, mode="c"] pieces,
    object[int64_t, mode="c"] offsets,
    object[int32_t, mode="c"] run_tokens,
    object[int64_t, mode="c"] run_offsets,
    object[int32_t, mode="c"] out,
    object[int64_t, mode="c"] out_offsets,
):
    """Each piece replaced by its run of tokens; `out` has space for all of them."""
    cdef int64_t texts = len(offsets) - 1
    cdef int64_t text, k, j
    cdef int64_t written = 0
    cdef int64_t count = offsets[texts]
    with nogil:
        out_offsets[0] = 0
        for text in range(texts):
            for k in range(offsets[text], offsets[text + 1]):
                if k + AHEAD < count:
                    prefetch(&run_tokens[run_offsets[pieces[k + AHEAD]]])
                for j in range(run_offsets[pieces[k]], run_offsets[pieces[k] + 1]):
                    out[written] = run_tokens[j]
                    written += 1
            out_offsets[text + 1] = written


def first_places(list objects not None, object[int64_t, mode="c"] slots, object[int64_t, mode="c"] out):
    """The number of each object to `out`, the same for the same object, from 0 in order; how many there are.

    The slots are empty (-1), a power of two of them and more than there are objects; each gets a place in the list.
    """
    cdef uint64_t mask = <uint64_t>len(slots) - 1
    cdef uint64_t slot
    cdef Py_ssize_t i
    cdef Py_ssize_t count = len(objects)
    cdef int64_t found = 0
    cdef PyObject* one
    for i in range(count):
        one = PyList_GetItem(objects, i)
        slot = ((<uint64_t><uintptr_t>one >> 4) * <uint64_t>0x9E3779B97F4A7C15ULL >> 32) & mask
        while slots[slot] >= 0 and PyList_GetItem(objects, slots[slot]) != one:
            slot = (slot + 1) & mask
        if slots[slot] < 0:
            slots[slot] = i
            out[i] = found
            found += 1
        else:
            out[i] = out[slots[slot]]
    return found


def first_seen(tuple labels not None, dict seen not None, object[int32_t, mode="c"] out):
    """The number of each label to `out`, and of each new one to `seen`. The tuple keeps all of its objects alive."""
    cdef PyObject* last[SLOTS]
    cdef int32_t number[SLOTS]
    cdef Py_ssize_t i
    cdef Py_ssize_t count = len(labels)
    cdef PyObject* label
    cdef PyObject* found
    cdef uintptr_t slot
    memset(last, 0, sizeof(last))
    for i in range(count):
        label = PyTuple_GetItem(labels, i)
        slot = (<uintptr_t>label >> 4) & (SLOTS - 1)  # objects lie on multiples of 16 bytes
        if last[slot] != label:
            found = PyDict_GetItemWithError(seen, <object>label)
            if found == NULL:
                number[slot] = <int32_t>len(seen)
                seen[<object>label] = number[slot]
            else:
                number[slot] = <object>found
            last[slot] = label
        out[i] = number[slot]
