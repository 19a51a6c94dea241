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

cdef extern from *:
    """
    #if (defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 12)) && !defined(TEXTASSAY_NO_VECTORS)
    #define TEXTASSAY_VECTORS 1
    #include <string.h>

    typedef uint64_t textassay_four __attribute__((vector_size(32)));

    /* GCC and glibc choose at run time between two copies of a function; others have the vectors of every processor. */
    #if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__)
    #define TEXTASSAY_CLONES __attribute__((target_clones("avx2", "default")))
    #else
    #define TEXTASSAY_CLONES
    #endif

    /* Four blocks at once, lane l at text position t - l; see run_lanes below, which does the same one by one. */
    TEXTASSAY_CLONES
    static void textassay_run_vectors(
        const int32_t* text, int64_t low, int64_t high, int64_t lanes, int64_t last,
        const uint64_t* masks, uint8_t* changes, uint64_t* kept)
    {
        textassay_four up = {~0ULL, ~0ULL, ~0ULL, ~0ULL}, down = {0, 0, 0, 0};
        textassay_four came_up = down, came_down = down;
        for (int64_t t = low; t < high + lanes - 1; t++) {
            const int middle = t >= low + 3 && t < high;
            const uint64_t change = t < high ? changes[t] : 0;
            textassay_four same, flat, grows, falls, before = down;
            came_up[0] = change & 1;
            came_down[0] = change >> 1;
            if (middle) {
                same = (textassay_four){
                    masks[4 * (int64_t)text[t]], masks[4 * (int64_t)text[t - 1] + 1],
                    masks[4 * (int64_t)text[t - 2] + 2], masks[4 * (int64_t)text[t - 3] + 3]};
            } else { /* a lane that has not begun meets no word and no change, and stays as it is */
                for (int l = 0; l < 4; l++)
                    same[l] = t - l >= low && t - l < high ? masks[4 * (int64_t)text[t - l] + l] : 0;
            }
            same |= came_down;
            flat = (((same & up) + up) ^ up) | same | down;
            grows = down | ~(flat | up);
            falls = up & flat;
            if (t - lanes + 1 >= low)
                changes[t - lanes + 1] =
                    (uint8_t)(((grows[lanes - 1] >> last) & 1) | (((falls[lanes - 1] >> last) & 1) << 1));
            down = (grows << 1) | came_up;
            up = (falls << 1) | came_down | ~(flat | down);
            down &= flat;
            came_up = __builtin_shufflevector(grows >> 63, grows, 0, 0, 1, 2);
            came_down = __builtin_shufflevector(falls >> 63, falls, 0, 0, 1, 2);
            if (kept) {
                const int by = (int)(t & 63), rest = (int)(-t & 63);
                before |= up;
                before = (before >> by) | (before << rest);
                flat = (up >> by) | (up << rest);
                memcpy(kept + 8 * t, &before, 32);
                memcpy(kept + 8 * t + 4, &flat, 32);
            }
        }
    }
    #else
    #define TEXTASSAY_VECTORS 0
    #define textassay_run_vectors(text, low, high, lanes, last, masks, changes, kept) ((void)0)
    #endif
    """
    bint VECTORS "TEXTASSAY_VECTORS"
    void run_vectors "textassay_run_vectors"(
        const int32_t* text, int64_t low, int64_t high, int64_t lanes, int64_t last,
        const uint64_t* masks, uint8_t* changes, uint64_t* kept
    ) noexcept nogil

cdef enum:
    KEPT = 1 << 18  # columns of blocks whose bits are all kept: 4 MB, or texts of 4,096 words
    SMALL = 128  # positions of a pattern whose bits stay in registers from one text position to the next
    LANES = 4  # blocks that run together
    LONG = 64  # blocks of a pattern that is worth a narrow band
    SHARED = 2048  # characters of a pair of strings for which other threads may run meanwhile
    GROWS = 1  # the change from one text position to the next: 1 for +1, 2 for -1


cdef struct Memory:
    uint64_t* masks  # one a word, or one a word and block: where the block has it; 0 between runs
    uint8_t* changes  # one a text position: 1, 2 or 0 for +1, -1 or none, along the last position of the block before
    uint64_t* kept  # two a block and text position: where the way back stops going diagonally, where the distance grows
    uint8_t* taken  # what the first block of each group took in, one row a group
    int64_t* begun  # two a group: where the band begins before its first block, and the distance there
    int64_t lag  # the band: how many positions the text may be behind the pattern
    int64_t lead  # and before it
    int64_t room_kept, room_taken, room_begun  # how much fits
    int64_t low  # where the band begins at the last position of the last block that ran
    int64_t value  # the distance there


cdef struct Pair:
    const int32_t* pattern
    int64_t m
    const int32_t* text
    int64_t n


cdef inline void shed(Pair* pair) noexcept nogil:
    """Drop the words that both have at the beginning and at the end; they are hits in some best alignment."""
    while pair.m > 0 and pair.n > 0 and pair.pattern[0] == pair.text[0]:
        pair.pattern += 1
        pair.text += 1
        pair.m -= 1
        pair.n -= 1
    while pair.m > 0 and pair.n > 0 and pair.pattern[pair.m - 1] == pair.text[pair.n - 1]:
        pair.m -= 1
        pair.n -= 1


cdef inline uint64_t step(
    uint64_t mask, uint64_t came, int64_t last, uint64_t* up, uint64_t* down
) noexcept nogil:
    """One block at one text position: from the change that comes in to the one that goes out at the `last` bit."""
    cdef uint64_t same = mask | (came >> 1)
    cdef uint64_t flat = (((same & up[0]) + up[0]) ^ up[0]) | same | down[0]  # where the diagonal step is free
    cdef uint64_t grows = down[0] | ~(flat | up[0])
    cdef uint64_t falls = up[0] & flat
    cdef uint64_t change = ((grows >> last) & 1) | (((falls >> last) & 1) << 1)
    grows = (grows << 1) | (came & 1)
    up[0] = (falls << 1) | (came >> 1) | ~(flat | grows)
    down[0] = grows & flat
    return change


cdef inline uint64_t turned(uint64_t bits, int64_t by) noexcept nogil:
    return (bits >> (by & 63)) | (bits << (-by & 63))


cdef inline void keep(uint64_t* stops, uint64_t* grows, uint64_t up, uint64_t before, int64_t by) noexcept nogil:
    """What the way back needs: it leaves the diagonal to where the distance grows, or fell one text position before."""
    stops[0] = turned(up | before, by)
    grows[0] = turned(up, by)


cdef void run_lanes(
    const int32_t* text, int64_t low, int64_t high, int64_t lanes, int64_t last, const uint64_t* masks,
    uint8_t* changes, uint64_t* kept
) noexcept nogil:
    """Up to four blocks over the words of the text from `low` to before `high`, for compilers without vectors.

    The bits of lane l at text position t go to places 8·(t + l) + l and 4 further, if there is a place.
    """
    cdef uint64_t up[LANES]
    cdef uint64_t down[LANES]
    cdef uint64_t came, before
    cdef int64_t t, l
    for l in range(LANES):
        up[l] = ~(<uint64_t>0)
        down[l] = 0
    for t in range(low, high):
        came = changes[t]
        for l in range(lanes):
            before = down[l]
            came = step(masks[4 * <int64_t>text[t] + l], came, last if l == lanes - 1 else 63, &up[l], &down[l])
            if kept != NULL:
                keep(kept + 8 * (t + l) + l, kept + 8 * (t + l) + l + 4, up[l], before, t + l)
        changes[t] = <uint8_t>came


cdef void run_four(Pair* pair, int64_t block, int64_t low, int64_t high, Memory* memory, uint64_t* kept) noexcept nogil:
    """Up to four blocks over a part of the text."""
    cdef const int32_t* words = pair.pattern + 64 * block
    cdef int64_t width = min(<int64_t>(64 * LANES), pair.m - 64 * block)
    cdef int64_t lanes = (width + 63) // 64
    cdef uint64_t* masks = memory.masks
    cdef int64_t i
    for i in range(width):
        masks[4 * <int64_t>words[i] + (i >> 6)] |= (<uint64_t>1) << (i & 63)
    if VECTORS:
        run_vectors(pair.text, low, high, lanes, (width - 1) & 63, masks, memory.changes, kept)
    else:
        run_lanes(pair.text, low, high, lanes, (width - 1) & 63, masks, memory.changes, kept)
    for i in range(width):
        masks[4 * <int64_t>words[i] + (i >> 6)] = 0


cdef inline int64_t count_ones(uint64_t bits) noexcept nogil:
    # In plain C because compilers do not agree on a name for the instruction; it runs a few times a pair.
    bits = bits - ((bits >> 1) & <uint64_t>0x5555555555555555)
    bits = (bits & <uint64_t>0x3333333333333333) + ((bits >> 2) & <uint64_t>0x3333333333333333)
    bits = (bits + (bits >> 4)) & <uint64_t>0x0F0F0F0F0F0F0F0F
    return <int64_t>((bits * <uint64_t>0x0101010101010101) >> 56)


cdef inline int64_t climb(uint64_t up, uint64_t down, int64_t width) noexcept nogil:
    """How much the distance grows over the first positions of a block."""
    cdef uint64_t full = (~(<uint64_t>0)) >> (64 - width)
    return count_ones(up & full) - count_ones(down & full)


cdef int64_t run_small(Pair* pair, uint64_t* masks, uint64_t* kept) noexcept nogil:
    """The distance of a pair whose pattern is one block: what comes in is always +1, and nothing has to go out."""
    cdef const int32_t* words = pair.pattern
    cdef const int32_t* text = pair.text
    cdef uint64_t up = ~(<uint64_t>0)
    cdef uint64_t down = 0
    cdef uint64_t before
    cdef int64_t i, j
    for i in range(pair.m):
        masks[words[i]] |= (<uint64_t>1) << i
    if kept == NULL:
        for j in range(pair.n):
            step(masks[text[j]], GROWS, 63, &up, &down)
    else:
        for j in range(pair.n):
            before = down
            step(masks[text[j]], GROWS, 63, &up, &down)
            keep(kept + 2 * j, kept + 2 * j + 1, up, before, j)
    for i in range(pair.m):
        masks[words[i]] = 0
    return pair.n + climb(up, down, pair.m)


cdef int64_t run_small_two(Pair* pair, uint64_t* masks, uint64_t* kept) noexcept nogil:
    """The same where the pattern is two blocks."""
    cdef const int32_t* words = pair.pattern
    cdef const int32_t* text = pair.text
    cdef uint64_t up = ~(<uint64_t>0)
    cdef uint64_t down = 0
    cdef uint64_t next_up = ~(<uint64_t>0)
    cdef uint64_t next_down = 0
    cdef uint64_t before, next_before
    cdef int64_t i, j, at
    for i in range(64):
        masks[2 * <int64_t>words[i]] |= (<uint64_t>1) << i
    for i in range(64, pair.m):
        masks[2 * <int64_t>words[i] + 1] |= (<uint64_t>1) << (i - 64)
    for j in range(pair.n):
        at = 2 * <int64_t>text[j]
        before = down
        next_before = next_down
        step(masks[at + 1], step(masks[at], GROWS, 63, &up, &down), 63, &next_up, &next_down)
        if kept != NULL:
            keep(kept + 4 * j, kept + 4 * j + 2, up, before, j)
            keep(kept + 4 * j + 1, kept + 4 * j + 3, next_up, next_before, j)
    for i in range(pair.m):
        masks[2 * <int64_t>words[i]] = 0
        masks[2 * <int64_t>words[i] + 1] = 0
    return pair.n + climb(up, down, 64) + climb(next_up, next_down, pair.m - 64)


cdef inline int64_t small_distance(Pair* pair, uint64_t* masks, uint64_t* kept) noexcept nogil:
    """The distance of a pair whose pattern has at most SMALL positions, and at least one."""
    return run_small(pair, masks, kept) if pair.m <= 64 else run_small_two(pair, masks, kept)


cdef inline int64_t change_at(Memory* memory, int64_t j) noexcept nogil:
    return <int64_t>(memory.changes[j] & 1) - <int64_t>(memory.changes[j] >> 1)


cdef void run(
    Pair* pair, int64_t first, int64_t end, int64_t start, int64_t n, Memory* memory, bint keep_all
) noexcept nogil:
    """Blocks from `first` to before `end`, four at a time, over the band in the words from `start` to before n."""
    cdef int64_t block = first
    cdef int64_t low, high
    while block < end:
        # A block more on either side, so that the way back never looks beyond the edge.
        low = max(start, min(n, 64 * block - memory.lag - 64))
        high = min(n, 64 * (block + LANES + 1) + memory.lead)
        while memory.low < low:
            memory.value += change_at(memory, memory.low)
            memory.low += 1
        run_four(pair, block, low, high, memory, kept_of(memory, block - first, n) if keep_all else NULL)
        memory.value += min(<int64_t>(64 * LANES), pair.m - 64 * block)
        block += LANES


cdef inline uint64_t* kept_of(Memory* memory, int64_t block, int64_t n) noexcept nogil:
    """Where the bits of a block and the three after it begin."""
    return memory.kept + 2 * block * (n + LANES - 1)


cdef inline void begin(Pair* pair, int64_t k, Memory* memory) noexcept nogil:
    """A band for at most k edits; before the first position of the pattern the distance grows with each word."""
    cdef int64_t spare = (k - max(pair.m, pair.n) + min(pair.m, pair.n)) // 2
    memory.lag = spare + max(pair.m - pair.n, <int64_t>0)
    memory.lead = spare + max(pair.n - pair.m, <int64_t>0)
    memory.low = memory.value = 0
    memset(memory.changes, GROWS, <size_t>pair.n)


cdef inline int64_t distance_from(int64_t n, Memory* memory) noexcept nogil:
    """The distance, once the last block has run."""
    cdef int64_t distance = memory.value
    cdef int64_t j
    for j in range(memory.low, n):
        distance += change_at(memory, j)
    return distance


cdef bint hopeless(Pair* pair, int64_t blocks, int64_t k, Memory* memory) noexcept nogil:
    """Whether, after so many blocks, no way through the band can end with at most k edits."""
    cdef int64_t high = min(pair.n, 64 * blocks + 64 + memory.lead)
    cdef int64_t left = pair.m - 64 * blocks  # positions of the pattern to come
    cdef int64_t value = memory.value
    cdef int64_t j
    if left <= 0:
        return False
    for j in range(memory.low, high + 1):
        if value + max(left - pair.n + j, pair.n - j - left) <= k:
            return False
        if j < high:
            value += change_at(memory, j)
    return True


cdef inline int64_t first_band(Pair* pair) noexcept nogil:
    """The edits to try first: few for long texts, else as many as there can be."""
    cdef int64_t longer = max(pair.m, pair.n)
    cdef int64_t k = longer // 64 if min(pair.m, pair.n) > 64 * LONG else longer
    while k < longer - min(pair.m, pair.n):
        k = next_band(pair, k)
    return k


cdef inline int64_t next_band(Pair* pair, int64_t k) noexcept nogil:
    """Four times as many, or as many as there can be; what a band for half of those would save, it may cost as well."""
    cdef int64_t longer = max(pair.m, pair.n)
    return 4 * k if 16 * k <= 5 * longer else longer


cdef int64_t banded_distance(Pair* pair, int64_t k, Memory* memory) noexcept nogil:
    """The distance if it is at most k, else more than k."""
    cdef int64_t blocks = (pair.m + 63) // 64
    cdef int64_t block = 0
    begin(pair, k, memory)
    while block < blocks:
        run(pair, block, min(blocks, block + LONG), 0, pair.n, memory, False)
        block += LONG
        if blocks > LONG and hopeless(pair, block, k, memory):
            return k + 1
    return distance_from(pair.n, memory)


cdef int64_t pair_distance(Pair pair, Memory* memory) noexcept nogil:
    cdef int64_t k, distance
    shed(&pair)
    # Words left out of 64 in the last block cost as much as if they were there: take the cheaper of the two ways.
    if ((pair.m + 63) // 64) * pair.n > ((pair.n + 63) // 64) * pair.m:
        pair = Pair(pair.text, pair.n, pair.pattern, pair.m)
    if pair.m == 0 or pair.n == 0:
        return pair.m + pair.n
    if pair.m <= SMALL:
        return small_distance(&pair, memory.masks, NULL)
    k = first_band(&pair)
    distance = banded_distance(&pair, k, memory)
    while distance > k:
        k = next_band(&pair, k)
        distance = banded_distance(&pair, k, memory)
    return distance


cdef inline int64_t group_size(int64_t blocks, int64_t n) noexcept nogil:
    """How many blocks' bits are kept at a time: all, or about where 16 bytes a block and 1 byte a group are least."""
    return blocks if blocks * n <= KEPT else LANES * max(<int64_t>1, <int64_t>(sqrt(<double>blocks) / (4 * LANES)))


cdef inline int64_t way_through(
    int64_t above, int64_t lane, int64_t stride, const uint64_t* kept, int64_t* col, int64_t* row
) noexcept nogil:
    """Follow the alignment back through the block after position `above`; the number of deletions there.

    A deletion goes before an insertion and that before a diagonal step, as in RapidFuzz. At text position t, stops are
    at stride·t from where the block's bits begin, and where the distance grows half a stride further.
    """
    cdef int64_t deletions = 0
    cdef int64_t i = col[0]
    cdef int64_t j = row[0]
    cdef int64_t end
    cdef uint64_t bit
    while i > above and j > 0:
        bit = (<uint64_t>1) << ((i - j - lane) & 63)
        end = max(<int64_t>0, j - (i - above))
        i -= j
        while j > end and not kept[stride * (j - 1)] & bit:
            j -= 1
        i += j
        if j == end:
            break
        if kept[stride * (j - 1) + stride // 2] & bit:
            deletions += 1
            i -= 1
        else:
            j -= 1
    col[0] = i
    row[0] = j
    return deletions


cdef int64_t way_back(int64_t first, int64_t width, int64_t* col, int64_t* row, Memory* memory) noexcept nogil:
    """The deletions in the blocks from `first` on, whose bits at `width` text positions are kept."""
    cdef int64_t deletions = 0
    cdef int64_t block, lane
    while row[0] > 0 and col[0] > 64 * first:
        block = (col[0] - 1) // 64
        lane = (block - first) % LANES
        deletions += way_through(
            64 * block, lane, 2 * LANES, kept_of(memory, block - first - lane, width) + (2 * LANES + 1) * lane, col, row
        )
    return deletions


cdef int64_t small_way_back(int64_t m, int64_t n, const uint64_t* kept) noexcept nogil:
    """The deletions of a pair with a small pattern."""
    cdef int64_t deletions = 0
    if m > 64:
        deletions = way_through(64, 0, 4, kept + 1, &m, &n)
        deletions += way_through(0, 0, 4, kept, &m, &n)
    else:
        deletions = way_through(0, 0, 2, kept, &m, &n)
    return deletions + m


cdef int64_t run_groups(Pair* pair, int64_t k, int64_t size, int64_t groups, Memory* memory) noexcept nogil:
    """All blocks, with what the way back needs; the distance if it is at most k, else more than k."""
    cdef int64_t blocks = (pair.m + 63) // 64
    cdef int64_t group
    begin(pair, k, memory)
    for group in range(groups):
        if groups > 1:
            memcpy(memory.taken + group * pair.n, memory.changes, <size_t>pair.n)
            memory.begun[2 * group] = memory.low
            memory.begun[2 * group + 1] = memory.value
            if hopeless(pair, size * group, k, memory):
                return k + 1
        run(pair, size * group, min(blocks, size * (group + 1)), 0, pair.n, memory, groups == 1)
    return distance_from(pair.n, memory)


cdef int64_t leftmost(
    Pair* pair, int64_t group, int64_t rows, int64_t row, int64_t distance, Memory* memory
) noexcept nogil:
    """The first text position from which a way through so many rows of the group can get to `row` at this distance.

    It needs at least as many edits as the two parts differ in length. No best alignment passes to the left of what
    comes out, so that all that the way back asks is the same without it.
    """
    cdef const uint8_t* taken = memory.taken + group * pair.n
    cdef int64_t j = memory.begun[2 * group]
    cdef int64_t value = memory.begun[2 * group + 1]
    while j < row and value + max(row - j - rows, rows - row + j) > distance:
        value += <int64_t>(taken[j] & 1) - <int64_t>(taken[j] >> 1)
        j += 1
    return j


cdef int64_t distance_before(Pair* pair, int64_t group, int64_t row, Memory* memory) noexcept nogil:
    """The distance where the group begins, at this text position."""
    cdef const uint8_t* taken = memory.taken + group * pair.n
    cdef int64_t value = memory.begun[2 * group + 1]
    cdef int64_t j
    for j in range(memory.begun[2 * group], row):
        value += <int64_t>(taken[j] & 1) - <int64_t>(taken[j] >> 1)
    return value


cdef int64_t deletions_of(Pair* pair, int64_t distance, int64_t size, int64_t groups, Memory* memory) noexcept nogil:
    """The deletions of the alignment, once all blocks have run."""
    cdef int64_t blocks = (pair.m + 63) // 64
    cdef int64_t deletions = 0
    cdef int64_t col = pair.m
    cdef int64_t row = pair.n
    cdef int64_t group, start, width
    if groups == 1:
        return way_back(0, pair.n, &col, &row, memory) + col
    for group in range(groups - 1, -1, -1):
        if row == 0:
            break
        width = row  # the way back never turns to the right
        start = leftmost(pair, group, col - 64 * size * group, row, distance, memory)
        memcpy(memory.changes + start, memory.taken + group * pair.n + start, <size_t>(width - start))
        run(pair, size * group, min(blocks, size * (group + 1)), start, width, memory, True)
        deletions += way_back(size * group, width, &col, &row, memory)
        distance = distance_before(pair, group, row, memory)
    return deletions + col


cdef inline bint fit(Memory* memory, int64_t kept, int64_t taken, int64_t begun) noexcept nogil:
    """Whether there is memory for the bits, rows and groups of a pair; more is asked for where it is too little."""
    if kept > memory.room_kept:
        free(memory.kept)
        memory.kept = <uint64_t*>malloc(<size_t>kept * sizeof(uint64_t))
        memory.room_kept = kept if memory.kept != NULL else 0
    if taken > memory.room_taken:
        free(memory.taken)
        memory.taken = <uint8_t*>malloc(<size_t>taken)
        memory.room_taken = taken if memory.taken != NULL else 0
    if begun > memory.room_begun:
        free(memory.begun)
        memory.begun = <int64_t*>malloc(<size_t>begun * sizeof(int64_t))
        memory.room_begun = begun if memory.begun != NULL else 0
    return kept <= memory.room_kept and taken <= memory.room_taken and begun <= memory.room_begun


cdef bint pair_counts(Pair pair, Memory* memory, int32_t* out) noexcept nogil:
    """Hits, substitutions, deletions, insertions; whether there was memory for it."""
    cdef int64_t m = pair.m
    cdef int64_t distance, blocks, size, groups, k, apart
    cdef bint small
    shed(&pair)
    apart = pair.n - pair.m
    blocks = (pair.m + 63) // 64
    size = group_size(blocks, pair.n)
    groups = (blocks + size - 1) // size if blocks > 0 else 0
    small = pair.m <= SMALL and groups == 1
    # Four blocks begin at different text positions.
    if not fit(
        memory, 2 * (size + LANES) * (pair.n + LANES), groups * pair.n if groups > 1 else 0, 2 * groups
    ):
        return False
    if pair.m == 0 or pair.n == 0:
        distance = pair.m + pair.n
    elif small:
        distance = small_distance(&pair, memory.masks, memory.kept)
    else:
        k = first_band(&pair) if groups > 1 else max(pair.m, pair.n)
        distance = run_groups(&pair, k, size, groups, memory)
        while distance > k:
            k = next_band(&pair, k)
            distance = run_groups(&pair, k, size, groups, memory)
    # Insertions less deletions are known. Where at most one edit is left beside them, that is a substitution.
    if distance <= max(apart, -apart) + 1:
        out[2] = <int32_t>max(-apart, <int64_t>0)
    elif small:
        out[2] = <int32_t>small_way_back(pair.m, pair.n, memory.kept)
    else:
        out[2] = <int32_t>deletions_of(&pair, distance, size, groups, memory)
    out[3] = <int32_t>(out[2] + apart)
    out[1] = <int32_t>(distance - out[2] - out[3])
    out[0] = <int32_t>(m - out[1] - out[2])
    return True


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
    int64_t longest,
    bint words,
    bint kinds,
    object[int32_t, ndim=2, mode="c"] out,
):
    """Fill `out` with what is asked for of each pair of strings, none longer than `longest` characters.

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
