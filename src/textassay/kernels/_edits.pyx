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
strings are numbered for this pair alone, in a small table that stays in the cache. Characters of four small pairs run
at once, a pair in each lane of a vector. `edits.py` checks the arguments; nothing is checked here.
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
include "_edit_batches.pxi"  # both for four small pairs at once
include "_white_space.pxi"
include "_edit_strings.pxi"  # strings as pairs of numbers


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
    cdef Batches batches
    cdef PyObject* first
    cdef PyObject* second
    cdef int64_t m, n
    cdef int64_t pairs = len(left)
    cdef int64_t k = 0
    cdef bint done = string_room(&strings, &memory, ROWS, words)
    # For many pairs it takes longer to look whether there is a character that is not narrow.
    if done and not words and pairs > MANY:
        done = widen(&strings, &memory)
    done = batch_room(&batches, kinds, not words) and done
    try:
        while done and k < pairs:
            first = PyList_GetItem(left, k)
            second = PyList_GetItem(right, k)
            m = PyUnicode_GetLength(first)
            n = PyUnicode_GetLength(second)
            if max(m, n) > strings.longest:
                done = more_room(&strings, &memory, max(m, n), words)
                if not done:
                    break
            PyUnicode_AsUCS4(first, <uint32_t*>strings.characters, m + 1, 1)
            PyUnicode_AsUCS4(second, <uint32_t*>strings.characters + m, n + 1, 1)
            if m + n < SHARED:  # too soon done to let others run meanwhile
                done = string_pair(&strings, m, n, words, kinds, &batches, &memory, &out[k, 0])
            else:
                with nogil:
                    done = string_pair(&strings, m, n, words, kinds, &batches, &memory, &out[k, 0])
            k += 1
        run_batches(&batches)
    finally:
        release(&memory)
        string_release(&strings)
        free(batches.batches)
        free(batches.kept)
    if not done:
        raise MemoryError("no memory to align the texts")


cdef bint string_pair(
    Strings* strings, int64_t m, int64_t n, bint words, bint kinds, Batches* batches, Memory* memory, int32_t* out
) noexcept nogil:
    """One pair of strings, at once or together with others later; whether there was memory for it."""
    cdef int64_t shared = 0  # words or characters at both ends that are equal
    cdef Pair pair
    if words:
        pair = words_of(strings, strings.characters, m, strings.characters + m, n, &shared)
    else:
        if not strings.wide and is_wide(strings.characters, m + n):
            if not widen(strings, memory):
                return False
        pair = characters_of(strings.characters, m, strings.characters + m, n)
        m = pair.m
        shed(&pair)
        shared = m - pair.m
        if joined(batches, &pair, shared, memory.masks, out):
            return True
    if kinds:
        if not pair_counts(pair, memory, out):
            return False
        out[0] += <int32_t>shared
        return True
    out[0] = <int32_t>pair_distance(pair, memory)
    out[1] = <int32_t>(pair.m + shared)
    out[2] = <int32_t>(pair.n + shared)
    return True
