# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False
"""The General Text Matcher's greedy matching for a whole batch of hypotheses, without the GIL.

Runs are found length by length without a table of all matches. Stretches of 2, 4, 8, … words are numbered, equal ones
alike; two overlapping stretches of that kind make a stretch of any length, known by the pair of their numbers. A hash
table that compares whole keys leads from there to the references' places. `gtm.py` checks the arguments; nothing is
checked here. What is added is never also multiplied, so that compilers can't fuse the two and round otherwise.
"""

from libc.math cimport ceil, pow
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset


cdef enum:
    SHORT = 16  # up to this length every length is tried; above it the next one is searched by halving

cdef uint64_t NOTHING = ~(<uint64_t>0)

ctypedef struct Side:
    int64_t n
    int64_t stride
    int32_t* ranks  # (powers × stride) the number of the stretch of 2**power words from each place on; -1: no match
    uint8_t* used  # (stride)
    int32_t* free  # (stride) how many words from each place on were not used when it was last looked at

ctypedef struct Table:
    uint64_t* keys
    int32_t* values
    int bits  # of the part of the table that the present hypothesis uses

ctypedef struct Matcher:
    Side rows
    Side cols
    Table table
    int32_t* next  # (cols.stride) the place before with an equal stretch, -1 before the first
    uint8_t* met  # (cols.stride) whether the rows have a stretch of the columns, by its number
    int32_t* counts  # (vocabulary) all 0 between uses
    double cap
    double exponent
    double total


cdef inline int64_t slot(const Table* table, uint64_t key) noexcept nogil:
    """Where the key is, or the free place where it would be."""
    cdef uint64_t place = (key * <uint64_t>0x9E3779B97F4A7C15) >> (64 - table.bits)
    cdef uint64_t last = ((<uint64_t>1) << table.bits) - 1
    while table.keys[place] != key and table.keys[place] != NOTHING:
        place = (place + 1) & last
    return <int64_t>place


cdef inline void empty(Table* table) noexcept nogil:
    memset(table.keys, 0xFF, (<size_t>1 << table.bits) * sizeof(uint64_t))


cdef inline uint64_t pair_key(int32_t a, int32_t b) noexcept nogil:
    """Both numbers in one; NOTHING where one of them says that there is no match."""
    if a < 0 or b < 0:
        return NOTHING
    return (<uint64_t>a << 32) | <uint64_t>b


cdef inline uint64_t stretch(const Side* side, int power, int64_t shift, int64_t place) noexcept nogil:
    cdef const int32_t* ranks = side.ranks + power * side.stride
    return pair_key(ranks[place], ranks[place + shift])


cdef inline int power_of(int64_t length) noexcept nogil:
    """The highest power of two that is no more than the length."""
    cdef int power = 0
    while (length >> (power + 1)) > 0:
        power += 1
    return power


cdef int64_t look(Side* side) noexcept nogil:
    """Bring `free` up to date; the longest stretch that is free."""
    cdef int32_t run = 0
    cdef int32_t longest = 0
    cdef int64_t p
    for p in range(side.n - 1, -1, -1):
        run = 0 if side.used[p] else run + 1
        side.free[p] = run
        longest = max(longest, run)
    return longest


cdef bint number_power(Matcher* m, int power) noexcept nogil:
    """Number the stretches of twice the width; whether both sides have one in common."""
    cdef int64_t width = <int64_t>1 << power
    cdef int32_t* ranks = m.cols.ranks + (power + 1) * m.cols.stride
    cdef int32_t* found = m.rows.ranks + (power + 1) * m.rows.stride
    cdef int32_t known = 0
    cdef bint common = False
    cdef uint64_t key
    cdef int64_t p, place
    empty(&m.table)
    for p in range(m.cols.n - 2 * width + 1):
        key = stretch(&m.cols, power, width, p)
        ranks[p] = -1
        if key != NOTHING:
            place = slot(&m.table, key)
            if m.table.keys[place] == NOTHING:
                m.table.keys[place] = key
                m.table.values[place] = known
                m.met[known] = 0
                known += 1
            ranks[p] = m.table.values[place]
    for p in range(m.rows.n - 2 * width + 1):
        key = stretch(&m.rows, power, width, p)
        found[p] = -1
        if key != NOTHING:
            place = slot(&m.table, key)
            if m.table.keys[place] == key:
                found[p] = m.table.values[place]
                m.met[found[p]] = 1
                common = True
    for p in range(m.cols.n - 2 * width + 1):
        if ranks[p] >= 0 and not m.met[ranks[p]]:
            ranks[p] = -1
    return common


cdef bint has_run(Matcher* m, int64_t length) noexcept nogil:
    """Whether a run of that length can be taken."""
    cdef int power = power_of(length)
    cdef int64_t shift = length - (<int64_t>1 << power)
    cdef uint64_t key
    cdef int64_t p
    empty(&m.table)
    for p in range(m.cols.n - length + 1):
        if m.cols.free[p] >= length:
            key = stretch(&m.cols, power, shift, p)
            if key != NOTHING:
                m.table.keys[slot(&m.table, key)] = key
    for p in range(m.rows.n - length + 1):
        if m.rows.free[p] >= length:
            key = stretch(&m.rows, power, shift, p)
            if key != NOTHING and m.table.keys[slot(&m.table, key)] == key:
                return True
    return False


cdef int64_t next_length(Matcher* m, int64_t highest) noexcept nogil:
    """A length, at most `highest`, above which no run can be taken.

    With less than a run's length left to take, its beginning counts, which is a run itself, of just that length.
    """
    cdef int64_t low = 1
    cdef int64_t high = min(highest, <int64_t>ceil(m.cap))
    cdef int64_t middle
    high = min(high, look(&m.rows))
    high = min(high, look(&m.cols))
    while high > SHORT and low < high:
        middle = (low + high + 1) // 2
        if has_run(m, middle):
            low = middle
        else:
            high = middle - 1
    return high


cdef inline void count(Matcher* m, int64_t length) noexcept nogil:
    cdef double worth = min(<double>length, m.cap)
    m.cap -= worth
    m.total += pow(worth, m.exponent)


cdef void fill_places(Matcher* m, int64_t length, int power, int64_t shift) noexcept nogil:
    """The references' places by stretch, the last first."""
    cdef uint64_t key
    cdef int64_t p, place
    empty(&m.table)
    for p in range(m.cols.n - length + 1):
        if m.cols.free[p] >= length:
            key = stretch(&m.cols, power, shift, p)
            if key != NOTHING:
                place = slot(&m.table, key)
                m.next[p] = -1 if m.table.keys[place] == NOTHING else m.table.values[place]
                m.table.keys[place] = key
                m.table.values[place] = <int32_t>p


cdef bint take(Matcher* m, int64_t length) noexcept nogil:
    """Take runs of that length, the last first; whether there was one."""
    cdef bint taken = False
    cdef int power = power_of(length)
    cdef int64_t shift = length - (<int64_t>1 << power)
    cdef int64_t row = m.rows.n - length
    cdef int64_t place, column
    cdef uint64_t key
    while row >= 0 and (m.rows.free[row] < length or stretch(&m.rows, power, shift, row) == NOTHING):
        row -= 1
    if row < 0:
        return False
    fill_places(m, length, power, shift)
    while row >= 0 and m.cap > length - 1:  # rounded up, as much as a run is left to take
        key = stretch(&m.rows, power, shift, row) if m.rows.free[row] >= length else NOTHING
        row -= 1
        if key == NOTHING:
            continue
        place = slot(&m.table, key)
        if m.table.keys[place] != key:
            continue
        column = m.table.values[place]
        # What this call has used came in stretches of the same length, so a stretch that meets it begins or ends there.
        while column >= 0 and (m.cols.used[column] or m.cols.used[column + length - 1]):
            column = m.next[column]
        m.table.values[place] = <int32_t>column
        if column >= 0:
            memset(m.cols.used + column, 1, <size_t>length)
            memset(m.rows.used + row + 1, 1, <size_t>length)
            count(m, length)
            row -= length - 1  # what overlaps the run just taken
            taken = True
    return taken


cdef void take_words(Matcher* m) noexcept nogil:
    """Take the remaining words one by one; their order no longer matters."""
    cdef int64_t p
    for p in range(m.cols.n):
        if not m.cols.used[p]:
            m.counts[m.cols.ranks[p]] += 1
    for p in range(m.rows.n):
        if not m.rows.used[p] and m.rows.ranks[p] >= 0 and m.counts[m.rows.ranks[p]] > 0 and m.cap > 0:
            m.counts[m.rows.ranks[p]] -= 1
            count(m, 1)
    for p in range(m.cols.n):
        if m.cols.ranks[p] >= 0:
            m.counts[m.cols.ranks[p]] = 0


cdef void greedy(Matcher* m) noexcept nogil:
    """Take all runs; both sides' words are in place."""
    cdef int power = 0
    cdef int64_t length
    m.table.bits = 4
    while (<int64_t>1 << m.table.bits) < 2 * m.cols.n:
        m.table.bits += 1
    while number_power(m, power):
        power += 1
    length = next_length(m, (<int64_t>2 << power) - 1)
    while length >= 2:
        if take(m, length) or length > SHORT:
            length = next_length(m, length - 1)
        else:
            length -= 1
    take_words(m)


cdef void put_texts(
    Matcher* m, const int32_t* tokens, const int64_t* offsets, int64_t hypothesis, const int64_t* references, int64_t many
) noexcept nogil:
    """Copy the words; -1 ends a reference and stands for a word that the other side has not."""
    cdef int64_t r, i
    m.rows.n = m.cols.n = 0
    for r in range(many):
        for i in range(offsets[references[r]], offsets[references[r] + 1]):
            m.cols.ranks[m.cols.n] = tokens[i]
            m.cols.used[m.cols.n] = 0
            m.counts[tokens[i]] = 1
            m.cols.n += 1
        m.cols.ranks[m.cols.n] = -1
        m.cols.used[m.cols.n] = 1
        m.cols.n += 1
    for i in range(offsets[hypothesis], offsets[hypothesis + 1]):
        m.rows.ranks[m.rows.n] = tokens[i] if m.counts[tokens[i]] > 0 else -1
        m.rows.used[m.rows.n] = m.counts[tokens[i]] == 0
        if m.counts[tokens[i]] > 0:
            m.counts[tokens[i]] = 2
        m.rows.n += 1
    for i in range(m.cols.n):
        if m.cols.ranks[i] >= 0 and m.counts[m.cols.ranks[i]] < 2:
            m.cols.ranks[i] = -1
            m.cols.used[i] = 1
    for r in range(many):
        for i in range(offsets[references[r]], offsets[references[r] + 1]):
            m.counts[tokens[i]] = 0
    m.total = 0
    m.cap = min(<double>m.rows.n, <double>(m.cols.n - many) / <double>many)


cdef bint allocate_side(Side* side, int64_t most, int powers) noexcept nogil:
    side.stride = most + 1
    side.ranks = <int32_t*>malloc(<size_t>(powers * side.stride) * sizeof(int32_t))
    side.used = <uint8_t*>malloc(<size_t>side.stride)
    side.free = <int32_t*>malloc(<size_t>side.stride * sizeof(int32_t))
    return side.ranks != NULL and side.used != NULL and side.free != NULL


cdef bint allocate(Matcher* m, int64_t vocabulary, int64_t longest, int64_t most) noexcept nogil:
    cdef size_t slots = 16
    cdef int powers = power_of(longest + 1) + 2
    cdef bint ready = allocate_side(&m.rows, longest, powers)
    ready = allocate_side(&m.cols, most, powers) and ready
    while slots < 2 * <size_t>most:
        slots *= 2
    m.table.keys = <uint64_t*>malloc(slots * sizeof(uint64_t))
    m.table.values = <int32_t*>malloc(slots * sizeof(int32_t))
    m.next = <int32_t*>malloc(<size_t>(most + 1) * sizeof(int32_t))
    m.met = <uint8_t*>malloc(<size_t>(most + 1))
    m.counts = <int32_t*>calloc(<size_t>(vocabulary + 1), sizeof(int32_t))
    ready = ready and m.table.keys != NULL and m.table.values != NULL
    return ready and m.next != NULL and m.met != NULL and m.counts != NULL


cdef void release(Matcher* m) noexcept nogil:
    free(m.rows.ranks)
    free(m.rows.used)
    free(m.rows.free)
    free(m.cols.ranks)
    free(m.cols.used)
    free(m.cols.free)
    free(m.table.keys)
    free(m.table.values)
    free(m.next)
    free(m.met)
    free(m.counts)


def gtm_sums(
    object[int32_t, mode="c"] tokens,
    object[int64_t, mode="c"] offsets,
    object[int64_t, mode="c"] hypotheses,
    object[int64_t, mode="c"] references,
    object[int64_t, mode="c"] first_reference,
    double exponent,
    int64_t vocabulary,
    int64_t longest,
    int64_t most,
    object[double, mode="c"] out,
):
    """Fill `out`, all 0 before, with the sum of each hypothesis.

    Tokens lie in [0, vocabulary); no hypothesis is longer than `longest`, no hypothesis's references together with
    their ends longer than `most`.
    """
    cdef Matcher m
    cdef int64_t k, many
    cdef int64_t many_hypotheses = len(hypotheses)
    cdef bint ready
    if len(tokens) == 0 or len(references) == 0 or many_hypotheses == 0:
        return
    ready = allocate(&m, vocabulary, longest, most)
    if ready:
        m.exponent = exponent
        with nogil:
            for k in range(many_hypotheses):
                many = first_reference[k + 1] - first_reference[k]
                if many > 0:
                    put_texts(&m, &tokens[0], &offsets[0], hypotheses[k], &references[first_reference[k]], many)
                    greedy(&m)
                    out[k] = m.total
    release(&m)
    if not ready:
        raise MemoryError(f"no memory for the runs of {most} words")
