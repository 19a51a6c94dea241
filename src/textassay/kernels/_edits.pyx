# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False
"""Edit distances and the kinds of edits, 64 positions at a time, for a whole batch of pairs, without the GIL.

One bit stands for one position of the pattern: where the distance grows (`up`) or falls (`down`) from one position to
the next (Myers 1999; Hyyrö 2003, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances"). The
pattern is cut into blocks of 64 positions. Those of a small pattern stay in registers. Of a larger one, four blocks run
over the whole text before the next four begin, and leave behind how the distance at their last position changes from
one text position to the next. Each of the four is one text position behind the one before it, so that all four steps
can be taken at once, in one vector.

The alignment is read off the bits from the end (Hyyrö 2004, "A note on bit-parallel alignment computation"). The bits
of a small pair are all kept. Of a large one, only what some of the blocks took in is kept, and the blocks between are
run a second time when the way back reaches them, over the few text positions where it can lie. So memory grows with
n·√m, not n·m, and the second time costs little. What is kept of each text position is turned by one bit against
the position before, so that a diagonal run, the most of any alignment, asks for the same bit all the way.

An alignment of at most k edits stays in a band of k + 1 diagonals (Ukkonen 1985, "Algorithms for approximate string
matching"). A block runs over the part of the text in the band only. Outside it distances are taken to grow by one from
position to position, as some real alignment has it, so that no distance becomes too small; one of at most k is right,
and so is each step on the way back. Long texts are tried with narrow bands first, and a band is given up as soon as
no way through it can stay within k.

Texts come as numbers of words, or as Python strings, in characters or in words by white space. The words of a pair of
strings are numbered for this pair alone, in a small table that stays in the cache. `edits.py` checks the arguments;
nothing is checked here.
"""

from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset

cdef extern from "Python.h":
    ctypedef struct PyObject
    PyObject* PyList_GetItem(object values, Py_ssize_t index) except NULL
    Py_ssize_t PyUnicode_GetLength(PyObject* text) except -1
    uint32_t* PyUnicode_AsUCS4(PyObject* text, uint32_t* out, Py_ssize_t size, int end) except NULL

include "_edit_blocks.pxi"  # distances
include "_edit_ways.pxi"  # kinds of edits


cdef inline Pair paired(
    const int32_t* tokens, const int64_t* offsets, int64_t left, int64_t right
) noexcept nogil:
    return Pair(
        tokens + offsets[left], offsets[left + 1] - offsets[left],
        tokens + offsets[right], offsets[right + 1] - offsets[right],
    )


cdef bint reserve(Memory* memory, int64_t vocabulary, int64_t longest) noexcept nogil:
    memset(memory, 0, sizeof(Memory))
    memory.masks = <uint64_t*>calloc(<size_t>(LANES * vocabulary + 1), sizeof(uint64_t))
    memory.changes = <uint8_t*>malloc(<size_t>(longest + 1))
    return memory.masks != NULL and memory.changes != NULL


cdef void release(Memory* memory) noexcept nogil:
    free(memory.masks)
    free(memory.changes)
    free(memory.kept)
    free(memory.taken)
    free(memory.begun)


def edit_distances(
    object[int32_t, mode="c"] tokens,
    object[int64_t, mode="c"] offsets,
    object[int64_t, mode="c"] left,
    object[int64_t, mode="c"] right,
    int64_t vocabulary,
    int64_t longest,
    object[int32_t, mode="c"] out,
):
    """Fill `out` with each pair's distance; tokens lie in [0, vocabulary), no text is longer than `longest`."""
    cdef Memory memory
    cdef int64_t k
    cdef int64_t pairs = len(left)
    if len(tokens) == 0 or pairs == 0:  # no text has a word
        return
    if not reserve(&memory, vocabulary, longest):
        release(&memory)
        raise MemoryError(f"no memory for the masks of {vocabulary} words")
    with nogil:
        for k in range(pairs):
            out[k] = <int32_t>pair_distance(paired(&tokens[0], &offsets[0], left[k], right[k]), &memory)
    release(&memory)


def edit_counts(
    object[int32_t, mode="c"] tokens,
    object[int64_t, mode="c"] offsets,
    object[int64_t, mode="c"] left,
    object[int64_t, mode="c"] right,
    int64_t vocabulary,
    int64_t longest,
    object[int32_t, ndim=2, mode="c"] out,
):
    """Fill `out` with hits, substitutions, deletions, insertions; the arguments are those of `edit_distances`."""
    cdef Memory memory
    cdef int64_t k
    cdef int64_t pairs = len(left)
    cdef bint done = True
    if len(tokens) == 0 or pairs == 0:
        return
    if not reserve(&memory, vocabulary, longest):
        release(&memory)
        raise MemoryError(f"no memory for the masks of {vocabulary} words")
    with nogil:
        for k in range(pairs):
            if not pair_counts(paired(&tokens[0], &offsets[0], left[k], right[k]), &memory, &out[k, 0]):
                done = False
                break
    release(&memory)
    if not done:
        raise MemoryError(f"no memory to align texts of {longest} words")


cdef struct Word:
    uint64_t hashed
    const int32_t* start
    int64_t length
    int32_t number
    int32_t pair  # the pair that it is of; the word of another one does not count


cdef struct Strings:
    int32_t* characters  # of both texts of a pair, one after the other
    int32_t* numbers  # of their words
    Word* table
    int32_t pair  # counted from 1


cdef inline bint is_space(int32_t code) noexcept nogil:
    """What Python's `str.isspace` takes for white space."""
    if code < 0x85:
        return code == 32 or 9 <= code <= 13 or 28 <= code <= 31
    return (
        code == 0x85 or code == 0xA0 or code == 0x1680 or 0x2000 <= code <= 0x200A or code == 0x2028
        or code == 0x2029 or code == 0x202F or code == 0x205F or code == 0x3000
    )


cdef inline int32_t number_of(
    Strings* strings, uint64_t mask, const int32_t* start, int64_t length, int32_t* known
) noexcept nogil:
    """The number of a word in its pair; a new one gets the next."""
    cdef uint64_t hashed = <uint64_t>length
    cdef Word* word
    cdef int64_t k
    for k in range(length):
        hashed = (hashed ^ <uint64_t>start[k]) * <uint64_t>0x9E3779B97F4A7C15ULL
    hashed ^= hashed >> 32
    word = &strings.table[hashed & mask]
    while word.pair == strings.pair:
        if word.hashed == hashed and word.length == length:
            if memcmp(word.start, start, <size_t>length * sizeof(int32_t)) == 0:
                return word.number
        hashed += 1  # the next slot; equal words pass the same ones
        word = &strings.table[hashed & mask]
    word.hashed = hashed
    word.start = start
    word.length = length
    word.number = known[0]
    word.pair = strings.pair
    known[0] += 1
    return word.number


cdef inline int64_t numbered(
    Strings* strings, uint64_t mask, const int32_t* text, int64_t n, int32_t* out, int32_t* known
) noexcept nogil:
    """The numbers of the words of a text, and how many there are."""
    cdef int64_t words = 0
    cdef int64_t i = 0
    cdef int64_t begin
    while True:
        while i < n and is_space(text[i]):
            i += 1
        if i == n:
            return words
        begin = i
        while i < n and not is_space(text[i]):
            i += 1
        out[words] = number_of(strings, mask, text + begin, i - begin, known)
        words += 1


cdef inline Pair characters_of(const int32_t* first, int64_t m, const int32_t* second, int64_t n) noexcept nogil:
    """Both without white space at their ends."""
    while m > 0 and is_space(first[m - 1]):
        m -= 1
    while m > 0 and is_space(first[0]):
        first += 1
        m -= 1
    while n > 0 and is_space(second[n - 1]):
        n -= 1
    while n > 0 and is_space(second[0]):
        second += 1
        n -= 1
    return Pair(first, m, second, n)


cdef inline Pair words_of(
    Strings* strings, const int32_t* first, int64_t m, const int32_t* second, int64_t n
) noexcept nogil:
    """The words of both as numbers."""
    cdef uint64_t mask = 7
    cdef int32_t known = 0
    cdef int64_t ours, theirs
    while mask < <uint64_t>(m + n):  # no more than half of them have a word
        mask = 2 * mask + 1
    ours = numbered(strings, mask, first, m, strings.numbers, &known)
    theirs = numbered(strings, mask, second, n, strings.numbers + ours, &known)
    return Pair(strings.numbers, ours, strings.numbers + ours, theirs)


cdef bint string_room(Strings* strings, int64_t longest, bint words) noexcept nogil:
    """Whether there is memory for pairs of texts of so many characters."""
    cdef int64_t slots = 8
    while slots <= 2 * longest:
        slots *= 2
    memset(strings, 0, sizeof(Strings))
    strings.characters = <int32_t*>malloc(<size_t>(2 * longest + 2) * sizeof(int32_t))
    if words:
        strings.numbers = <int32_t*>malloc(<size_t>(longest + 2) * sizeof(int32_t))
        strings.table = <Word*>calloc(<size_t>slots, sizeof(Word))
    return strings.characters != NULL and (not words or (strings.numbers != NULL and strings.table != NULL))


def string_edits(
    list left not None,
    list right not None,
    bint words,
    bint kinds,
    object[int32_t, ndim=2, mode="c"] out,
):
    """Fill `out` with what is asked for of each pair of strings.

    With `kinds` hits, substitutions, deletions and insertions, else the distance and the lengths of both.
    """
    cdef Memory memory
    cdef Strings strings
    cdef Pair pair
    cdef PyObject* first
    cdef PyObject* second
    cdef int64_t m, n
    cdef int64_t pairs = len(left)
    cdef int64_t k = 0
    cdef int64_t longest = max(longest_of(left), longest_of(right))
    cdef bint done = reserve(&memory, longest + 2 if words else 0x110000, longest)
    done = string_room(&strings, longest, words) and done
    try:
        while done and k < pairs:
            first = PyList_GetItem(left, k)
            second = PyList_GetItem(right, k)
            m = PyUnicode_GetLength(first)
            n = PyUnicode_GetLength(second)
            PyUnicode_AsUCS4(first, <uint32_t*>strings.characters, m + 1, 1)
            PyUnicode_AsUCS4(second, <uint32_t*>strings.characters + m, n + 1, 1)
            strings.pair += 1
            if m + n < SHARED:  # too soon done to let others run meanwhile
                pair = pair_of(&strings, m, n, words)
                done = edits_of(pair, kinds, &memory, &out[k, 0])
            else:
                with nogil:
                    pair = pair_of(&strings, m, n, words)
                    done = edits_of(pair, kinds, &memory, &out[k, 0])
            k += 1
    finally:
        release(&memory)
        free(strings.characters)
        free(strings.numbers)
        free(strings.table)
    if not done:
        raise MemoryError(f"no memory to align texts of {longest} characters")


cdef int64_t longest_of(list texts) except -1:
    """How many characters the longest text has."""
    cdef int64_t longest = 0
    cdef int64_t k
    for k in range(len(texts)):
        longest = max(longest, PyUnicode_GetLength(PyList_GetItem(texts, k)))
    return longest


cdef inline Pair pair_of(Strings* strings, int64_t m, int64_t n, bint words) noexcept nogil:
    if words:
        return words_of(strings, strings.characters, m, strings.characters + m, n)
    return characters_of(strings.characters, m, strings.characters + m, n)


cdef inline bint edits_of(Pair pair, bint kinds, Memory* memory, int32_t* out) noexcept nogil:
    if kinds:
        return pair_counts(pair, memory, out)
    out[0] = <int32_t>pair_distance(pair, memory)
    out[1] = <int32_t>pair.m
    out[2] = <int32_t>pair.n
    return True
