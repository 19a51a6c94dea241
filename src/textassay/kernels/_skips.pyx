# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False
"""Clipped matches of skip-bigrams for a whole batch of pairs, without the GIL.

All skip-bigrams that begin with one word are dealt with before the next word, so that counts by second word are all
that is kept. The words that follow are found window by window, or, where the windows together would be longer than the
text, in one walk over the text that knows how many windows are open. `skips.py` checks the arguments; nothing is
checked here.
"""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset


cdef enum Deed:
    ADD
    TAKE
    CLEAR

ctypedef struct Text:
    const int32_t* words
    int64_t n
    int32_t* first  # (vocabulary) a word's first place, -1 where it has none; all -1 between pairs
    int32_t* times  # (vocabulary) how often it occurs; means nothing where it has no place
    int32_t* next  # (longest) the next place of the same word, -1 after the last


cdef inline int64_t deal(int64_t* count, int64_t times, Deed deed) noexcept nogil:
    """Do what is to be done with one second word's count; how many matches that gave."""
    cdef int64_t taken
    if deed == ADD:
        count[0] += times
        return 0
    if deed == CLEAR:
        count[0] = 0
        return 0
    taken = min(times, count[0])
    count[0] -= taken
    return taken


cdef inline int64_t by_windows(const Text* text, int32_t word, int64_t gap, int64_t* counts, Deed deed) noexcept nogil:
    cdef int64_t matches = 0
    cdef int64_t i = text.first[word]
    cdef int64_t j
    while i >= 0:
        for j in range(i + 1, min(i + gap + 2, text.n)):
            matches += deal(&counts[text.words[j]], 1, deed)
        i = text.next[i]
    return matches


cdef inline int64_t by_walk(const Text* text, int32_t word, int64_t gap, int64_t* counts, Deed deed) noexcept nogil:
    cdef int64_t matches = 0
    cdef int64_t opened = text.first[word]  # the next place whose window opens behind it
    cdef int64_t closing = opened  # the next place whose window ends
    cdef int64_t open = 0
    cdef int64_t j
    for j in range(opened + 1, text.n):
        if opened == j - 1:
            open += 1
            opened = text.next[opened]
        if closing >= 0 and closing < j - gap - 1:
            open -= 1
            closing = text.next[closing]
        if open > 0:
            matches += deal(&counts[text.words[j]], open, deed)
    return matches


cdef inline int64_t followers(const Text* text, int32_t word, int64_t gap, int64_t* counts, Deed deed) noexcept nogil:
    """Deal with all words that follow `word` within the gap."""
    if text.times[word] * (gap + 1) <= text.n - text.first[word]:
        return by_windows(text, word, gap, counts, deed)
    return by_walk(text, word, gap, counts, deed)


cdef inline void find_places(Text* text) noexcept nogil:
    cdef int64_t i
    cdef int32_t word
    for i in range(text.n - 1, -1, -1):
        word = text.words[i]
        text.times[word] = 1 if text.first[word] < 0 else text.times[word] + 1
        text.next[i] = text.first[word]
        text.first[word] = <int32_t>i


cdef inline void forget_places(Text* text) noexcept nogil:
    cdef int64_t i
    for i in range(text.n):
        text.first[text.words[i]] = -1


cdef int64_t pair_matches(Text* a, Text* b, int64_t gap, int64_t* counts) noexcept nogil:
    """The matches of one pair; `counts` is all 0 before and after."""
    cdef int64_t matches = 0
    cdef int64_t i
    cdef int32_t word
    find_places(a)
    find_places(b)
    for i in range(a.n):
        word = a.words[i]
        if a.first[word] == i and b.first[word] >= 0:
            followers(a, word, gap, counts, ADD)
            matches += followers(b, word, gap, counts, TAKE)
            followers(a, word, gap, counts, CLEAR)
    forget_places(a)
    forget_places(b)
    return matches


cdef bint allocate(Text* text, int64_t vocabulary, int64_t longest) noexcept nogil:
    cdef size_t words = <size_t>(vocabulary + 1) * sizeof(int32_t)
    text.first = <int32_t*>malloc(words)
    text.times = <int32_t*>malloc(words)
    text.next = <int32_t*>malloc(<size_t>(longest + 1) * sizeof(int32_t))
    if text.first == NULL or text.times == NULL or text.next == NULL:
        return False
    memset(text.first, 0xFF, words)  # -1 everywhere
    return True


cdef void release(Text* text) noexcept nogil:
    free(text.first)
    free(text.times)
    free(text.next)


def skip_matches(
    object[int32_t, mode="c"] tokens,
    object[int64_t, mode="c"] offsets,
    object[int64_t, mode="c"] left,
    object[int64_t, mode="c"] right,
    int64_t gap,
    int64_t vocabulary,
    int64_t longest,
    object[int64_t, mode="c"] out,
):
    """Fill `out`, all 0 before, with the matches of each pair; tokens lie in [0, vocabulary), no text is longer than `longest`."""
    cdef Text a
    cdef Text b
    cdef int64_t k
    cdef int64_t pairs = len(left)
    cdef int64_t* counts = <int64_t*>calloc(<size_t>(vocabulary + 1), sizeof(int64_t))
    cdef bint ready = allocate(&a, vocabulary, longest)
    ready = allocate(&b, vocabulary, longest) and ready and counts != NULL
    if ready:
        with nogil:
            for k in range(pairs):
                a.n = offsets[left[k] + 1] - offsets[left[k]]
                b.n = offsets[right[k] + 1] - offsets[right[k]]
                if a.n > 0 and b.n > 0:
                    a.words = &tokens[offsets[left[k]]]
                    b.words = &tokens[offsets[right[k]]]
                    out[k] = pair_matches(&a, &b, gap, counts)
    release(&a)
    release(&b)
    free(counts)
    if not ready:
        raise MemoryError(f"no memory for the places of {vocabulary} words")
