# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False
"""Clipped n-gram matches of all orders for a whole batch of hypotheses, without the GIL.

An n-gram is known by a number: that of the (n-1)-gram which it begins with leads, with the last token, through a table
to its own. Number 0 stands for what no reference has, and leads to 0 again, so a position that has ceased to match
needs no branch. While (n-grams × tokens) is small the table is a plain matrix that stays in the cache; for long texts
it is a hash table with open addressing, which compares whole keys. Neither is cleared between orders: numbers keep
rising, and an entry counts only if it lies above the last number of the order before. `ngrams.py` checks the arguments;
nothing is checked here.
"""

from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset


cdef enum:
    MATRIX = 1 << 18  # entries: 1 MB, within the second cache of a usual machine

ctypedef struct Entry:
    uint64_t key  # number of the (n-1)-gram, last token
    int64_t number

ctypedef struct Scratch:
    int32_t* local  # (vocabulary) token → its number among one hypothesis's references; all 0 between hypotheses
    int32_t* words  # (longest) the tokens of those references, renumbered from 1, one text after the other
    int32_t* grams  # (longest) the number of the n-gram that begins at each
    int32_t* hypothesis  # (longest) the hypothesis's tokens; 0 for a token that no reference has
    int32_t* begun  # (longest) the number of the n-gram that begins at each
    int32_t* left  # (longest + 1) how many more matches of each n-gram the clipped count allows; for 0 always 0
    int32_t* seen  # (longest + 1) its count in one further reference; all 0 between references
    int32_t* matrix  # (cells)
    int64_t cells  # MATRIX, or fewer for short texts, which then wait for less memory
    int64_t matrix_last  # the highest number in the matrix
    Entry* entries  # (1 << bits)
    int64_t entries_last
    int bits


cdef inline Entry* entry_of(Entry* entries, int bits, int64_t base, uint64_t key) noexcept nogil:
    """Where the key is, or the free entry where it would be."""
    cdef uint64_t place = (key * <uint64_t>0x9E3779B97F4A7C15) >> (64 - bits)
    cdef uint64_t last = ((<uint64_t>1) << bits) - 1
    while entries[place].number > base and entries[place].key != key:
        place = (place + 1) & last
    return &entries[place]


cdef inline int32_t number_by_matrix(
    int32_t* matrix, int64_t width, int32_t base, int32_t known, int32_t* grams, const int32_t* last, int64_t n
) noexcept nogil:
    """Replace a reference's (n-1)-grams by its n-grams; the highest number given so far."""
    cdef int64_t i
    cdef int32_t found
    cdef int32_t* cell
    for i in range(n):
        cell = &matrix[grams[i] * width + last[i]]
        found = cell[0] - base
        if found <= 0:
            known += 1
            found = known
            cell[0] = base + found
        grams[i] = found
    return known


cdef inline void look_up_in_matrix(
    const int32_t* matrix, int64_t width, int32_t base, int32_t* begun, const int32_t* last, int64_t n
) noexcept nogil:
    """Replace a hypothesis's (n-1)-grams by its n-grams."""
    cdef int64_t i
    cdef int32_t found
    for i in range(n):
        found = matrix[begun[i] * width + last[i]] - base
        begun[i] = found if found > 0 else 0


cdef inline int32_t number_by_hash(
    Entry* entries, int bits, int64_t base, int32_t known, int32_t* grams, const int32_t* last, int64_t n
) noexcept nogil:
    cdef int64_t i
    cdef uint64_t key
    cdef Entry* entry
    for i in range(n):
        key = (<uint64_t>grams[i] << 32) | <uint64_t>last[i]
        entry = entry_of(entries, bits, base, key)
        if entry.number <= base:
            known += 1
            entry.key = key
            entry.number = base + known
        grams[i] = <int32_t>(entry.number - base)
    return known


cdef inline void look_up_in_hash(
    Entry* entries, int bits, int64_t base, int32_t* begun, const int32_t* last, int64_t n
) noexcept nogil:
    cdef int64_t i
    cdef Entry* entry
    for i in range(n):
        if begun[i] == 0 or last[i] == 0:
            begun[i] = 0
            continue
        entry = entry_of(entries, bits, base, (<uint64_t>begun[i] << 32) | <uint64_t>last[i])
        begun[i] = <int32_t>(entry.number - base) if entry.number > base else 0


cdef inline int32_t taken(int32_t* left, const int32_t* begun, int64_t n) noexcept nogil:
    """How many of the hypothesis's n-grams find one left."""
    cdef int64_t i
    cdef int32_t hit
    cdef int32_t matches = 0
    for i in range(n):
        hit = left[begun[i]] > 0
        left[begun[i]] -= hit
        matches += hit
    return matches


cdef inline void raise_counts(int32_t* left, int32_t* seen, const int32_t* grams, int64_t n) noexcept nogil:
    """Raise the clipped counts to those of a further reference."""
    cdef int64_t i
    for i in range(n):
        seen[grams[i]] += 1
        left[grams[i]] = max(left[grams[i]], seen[grams[i]])
    for i in range(n):
        seen[grams[i]] = 0


cdef int32_t renumber(
    Scratch* s,
    const int32_t* tokens,
    const int64_t* offsets,
    const int64_t* references,
    int64_t count,
    int64_t hypothesis,
) noexcept nogil:
    """Copy the texts with tokens numbered from 1 as the references bring them; how many there are."""
    cdef int32_t known = 0
    cdef int64_t r, i
    cdef int64_t at = 0
    for r in range(count):
        for i in range(offsets[references[r]], offsets[references[r] + 1]):
            if s.local[tokens[i]] == 0:
                known += 1
                s.local[tokens[i]] = known
            s.words[at] = s.grams[at] = s.local[tokens[i]]
            at += 1
    at = 0
    for i in range(offsets[hypothesis], offsets[hypothesis + 1]):
        s.hypothesis[at] = s.begun[at] = s.local[tokens[i]]
        at += 1
    for r in range(count):
        for i in range(offsets[references[r]], offsets[references[r] + 1]):
            s.local[tokens[i]] = 0
    return known


cdef int32_t lengthen(
    Scratch* s,
    const int64_t* offsets,
    const int64_t* references,
    int64_t count,
    int64_t n,
    int64_t shift,
    int32_t words,
    int32_t before,
) noexcept nogil:
    """From (n-1)-grams, numbered up to `before`, to n-grams, `shift` being n - 1; how many different ones there are."""
    cdef bint by_matrix = <int64_t>(before + 1) * (words + 1) <= MATRIX
    cdef int64_t r, length
    cdef int64_t text = 0
    cdef int32_t known = 0
    if by_matrix and s.matrix_last > INT32_MAX - MATRIX:
        memset(s.matrix, 0, <size_t>s.cells * sizeof(int32_t))
        s.matrix_last = 0
    for r in range(count):
        length = offsets[references[r] + 1] - offsets[references[r]]
        if by_matrix:
            known = number_by_matrix(
                s.matrix,
                words + 1,
                <int32_t>s.matrix_last,
                known,
                s.grams + text,
                s.words + text + shift,
                length - shift,
            )
        else:
            known = number_by_hash(
                s.entries, s.bits, s.entries_last, known, s.grams + text, s.words + text + shift, length - shift
            )
        text += length
    if by_matrix:
        look_up_in_matrix(s.matrix, words + 1, <int32_t>s.matrix_last, s.begun, s.hypothesis + shift, n - shift)
        s.matrix_last += known
    else:
        look_up_in_hash(s.entries, s.bits, s.entries_last, s.begun, s.hypothesis + shift, n - shift)
        s.entries_last += known
    return known


cdef int32_t clipped(
    Scratch* s,
    const int64_t* offsets,
    const int64_t* references,
    int64_t count,
    int64_t n,
    int64_t shift,
    int32_t known,
) noexcept nogil:
    """Matches of the n-grams as they are numbered now."""
    cdef int64_t r, i, length
    cdef int64_t text = 0
    memset(s.left, 0, <size_t>(known + 1) * sizeof(int32_t))
    for r in range(count):
        length = offsets[references[r] + 1] - offsets[references[r]]
        if r == 0:
            for i in range(length - shift):
                s.left[s.grams[i]] += 1
        else:
            raise_counts(s.left, s.seen, s.grams + text, length - shift)
        text += length
    return taken(s.left, s.begun, n - shift)


cdef bint allocate(Scratch* s, int64_t vocabulary, int64_t longest, int64_t most) noexcept nogil:
    """Whether there was memory: for texts of `longest` tokens and for `most` in the references of one hypothesis."""
    cdef size_t one = sizeof(int32_t)
    s.bits = 4
    while ((<int64_t>1) << s.bits) < 2 * most:
        s.bits += 1
    s.local = <int32_t*>calloc(<size_t>(vocabulary + 1), one)
    s.words = <int32_t*>calloc(<size_t>(most + 1), one)
    s.grams = <int32_t*>calloc(<size_t>(most + 1), one)
    s.hypothesis = <int32_t*>calloc(<size_t>(longest + 1), one)
    s.begun = <int32_t*>calloc(<size_t>(longest + 1), one)
    s.left = <int32_t*>calloc(<size_t>(most + 1), one)
    s.seen = <int32_t*>calloc(<size_t>(most + 1), one)
    s.cells = min(<int64_t>MATRIX, (most + 1) * (most + 1))
    s.matrix = <int32_t*>calloc(<size_t>s.cells, one)
    s.matrix_last = 0
    s.entries = <Entry*>calloc((<size_t>1) << s.bits, sizeof(Entry))
    s.entries_last = 0
    return (
        s.local != NULL and s.words != NULL and s.grams != NULL and s.hypothesis != NULL and s.begun != NULL
        and s.left != NULL and s.seen != NULL and s.matrix != NULL and s.entries != NULL
    )


cdef void release(Scratch* s) noexcept nogil:
    free(s.local)
    free(s.words)
    free(s.grams)
    free(s.hypothesis)
    free(s.begun)
    free(s.left)
    free(s.seen)
    free(s.matrix)
    free(s.entries)


def ngram_matches(
    object[int32_t, mode="c"] tokens,
    object[int64_t, mode="c"] offsets,
    object[int64_t, mode="c"] hypotheses,
    object[int64_t, mode="c"] references,
    object[int64_t, mode="c"] first_reference,
    int64_t vocabulary,
    int64_t longest,
    int64_t most,
    object[int32_t, ndim=2, mode="c"] out,
    int64_t last=0,
):
    """Fill `out`, all 0 before, (hypotheses × orders), with clipped matches.

    Tokens lie in [0, vocabulary); no hypothesis is longer than `longest`, no one's references together than `most`.
    Numbers of n-grams begin after `last`.
    """
    cdef Scratch s
    cdef int64_t k, n, count, shift
    cdef int64_t many = len(hypotheses)
    cdef int64_t max_order = out.shape[1]
    cdef int32_t words, known
    cdef const int64_t* its
    if len(tokens) == 0 or len(references) == 0 or many == 0:
        return
    if not allocate(&s, vocabulary, longest, most):
        release(&s)
        raise MemoryError(f"no memory for the n-grams of {most} tokens")
    s.matrix_last = last
    with nogil:
        for k in range(many):
            count = first_reference[k + 1] - first_reference[k]
            n = offsets[hypotheses[k] + 1] - offsets[hypotheses[k]]
            if count == 0 or n == 0:
                continue
            its = &references[first_reference[k]]
            words = known = renumber(&s, &tokens[0], &offsets[0], its, count, hypotheses[k])
            for shift in range(max_order):
                if shift > 0:
                    known = lengthen(&s, &offsets[0], its, count, n, shift, words, known)
                out[k, shift] = clipped(&s, &offsets[0], its, count, n, shift, known)
                if out[k, shift] == 0:  # then no longer one matches
                    break
    release(&s)
