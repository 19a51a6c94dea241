# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False
"""Edit distances and the kinds of edits, 64 positions at a time, for a whole batch of pairs, without the GIL.

One bit stands for one position of the pattern: where the distance grows (`up`) or falls (`down`) from one position to
the next (Myers 1999; Hyyrö 2003, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances"). The
pattern is cut into blocks of 64 positions. A block, or two side by side, runs over the whole text before the next
one begins and leaves behind how the distance at its last position changes from one text position to the next.

The alignment is read off the bits from the end (Hyyrö 2004, "A note on bit-parallel alignment computation"). The bits
of a small pair are all kept. Of a large one, only what some of the blocks took in is kept, and the blocks between are
run a second time when the way back reaches them, so that memory grows with n·√m instead of n·m.

An alignment of at most k edits stays in a band of k + 1 diagonals (Ukkonen 1985, "Algorithms for approximate string
matching"). A block runs over the part of the text in the band only. Outside it distances are taken to grow by one from
position to position, as some real alignment has it, so that no distance becomes too small; one of at most k is right,
and so is each step on the way back. Long texts are tried with narrow bands first, and a band is given up as soon as
no way through it can stay within k. `edits.py` checks the arguments; nothing is checked here.
"""

from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

cdef enum:
    KEPT = 1 << 18  # columns of blocks whose bits are all kept: 4 MB, or texts of 4,096 words
    LONG = 64  # blocks of a pattern that is worth a narrow band
    GROWS = 1  # the change from one text position to the next: 1 for +1, 2 for -1


cdef struct Memory:
    uint64_t* masks  # one a word, or two for two blocks: where the block has it; 0 between runs
    uint8_t* changes  # one a text position: 1, 2 or 0 for +1, -1 or none, along the last position of the block before
    uint64_t* kept  # two a block and text position: where the distance grows, where it falls
    uint8_t* taken  # what the first block of each group took in, one row a group
    int64_t lag  # the band: how many positions the text may be behind the pattern
    int64_t lead  # and before it
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


cdef void run_block(
    Pair* pair, int64_t block, int64_t low, int64_t high, Memory* memory, uint64_t* kept
) noexcept nogil:
    """One block over the words of the text from `low` to before `high`; its bits are kept if there is a place."""
    cdef const int32_t* words = pair.pattern + 64 * block
    cdef const int32_t* text = pair.text
    cdef int64_t width = min(<int64_t>64, pair.m - 64 * block)
    cdef uint64_t up = ~(<uint64_t>0)
    cdef uint64_t down = 0
    cdef uint64_t* masks = memory.masks
    cdef uint8_t* changes = memory.changes
    cdef int64_t i, j
    for i in range(width):
        masks[words[i]] |= (<uint64_t>1) << i
    for j in range(low, high):
        changes[j] = <uint8_t>step(masks[text[j]], changes[j], width - 1, &up, &down)
        if kept != NULL:
            kept[2 * j] = up
            kept[2 * j + 1] = down
    for i in range(width):
        masks[words[i]] = 0


cdef void run_two(
    Pair* pair, int64_t block, int64_t low, int64_t high, int64_t n, Memory* memory, uint64_t* kept
) noexcept nogil:
    """Two blocks side by side, as `run_block` does one: while one waits for its step before, the other goes on."""
    cdef const int32_t* words = pair.pattern + 64 * block
    cdef const int32_t* text = pair.text
    cdef int64_t width = min(<int64_t>128, pair.m - 64 * block)
    cdef uint64_t up = ~(<uint64_t>0)
    cdef uint64_t down = 0
    cdef uint64_t next_up = ~(<uint64_t>0)
    cdef uint64_t next_down = 0
    cdef uint64_t* masks = memory.masks  # two a word
    cdef uint8_t* changes = memory.changes
    cdef uint64_t came
    cdef int64_t i, j, at
    for i in range(width):
        masks[2 * <int64_t>words[i] + (i >> 6)] |= (<uint64_t>1) << (i & 63)
    for j in range(low, high):
        at = 2 * <int64_t>text[j]
        came = step(masks[at], changes[j], 63, &up, &down)
        changes[j] = <uint8_t>step(masks[at + 1], came, width - 65, &next_up, &next_down)
        if kept != NULL:
            kept[2 * j] = up
            kept[2 * j + 1] = down
            kept[2 * (n + j)] = next_up
            kept[2 * (n + j) + 1] = next_down
    for i in range(width):
        masks[2 * <int64_t>words[i] + (i >> 6)] = 0


cdef inline int64_t change_at(Memory* memory, int64_t j) noexcept nogil:
    return <int64_t>(memory.changes[j] & 1) - <int64_t>(memory.changes[j] >> 1)


cdef void run(Pair* pair, int64_t first, int64_t end, int64_t n, Memory* memory, bint keep) noexcept nogil:
    """Blocks from `first` to before `end`, one or two after the other, over the band in the first n words."""
    cdef int64_t block = first
    cdef int64_t low, high
    cdef uint64_t* kept
    while block < end:
        kept = memory.kept + 2 * (block - first) * n if keep else NULL
        # A block more on either side, so that the way back never looks beyond the edge.
        low = max(<int64_t>0, min(n, 64 * block - memory.lag - 64))
        high = min(n, 64 * block + 192 + memory.lead)
        while memory.low < low:
            memory.value += change_at(memory, memory.low)
            memory.low += 1
        if block + 1 < end:
            run_two(pair, block, low, high, n, memory, kept)
        else:
            run_block(pair, block, low, high, memory, kept)
        memory.value += min(<int64_t>128 if block + 1 < end else <int64_t>64, pair.m - 64 * block)
        block += 2


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
        run(pair, block, min(blocks, block + LONG), pair.n, memory, False)
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
    k = first_band(&pair)
    distance = banded_distance(&pair, k, memory)
    while distance > k:
        k = next_band(&pair, k)
        distance = banded_distance(&pair, k, memory)
    return distance


cdef inline int64_t group_size(int64_t blocks, int64_t n) noexcept nogil:
    """How many blocks' bits are kept at a time: all, or where 16 bytes a block and 1 byte a group are least."""
    return blocks if blocks * n <= KEPT else max(<int64_t>1, <int64_t>(sqrt(<double>blocks) / 4))


cdef inline int64_t way_back(
    int64_t first, int64_t width, int64_t* col, int64_t* row, Memory* memory
) noexcept nogil:
    """Follow the alignment back through the blocks from `first` on; the number of deletions there.

    A deletion goes before an insertion and that before a diagonal step, as in RapidFuzz.
    """
    cdef int64_t above = 64 * first
    cdef int64_t deletions = 0
    cdef int64_t i = col[0]
    cdef int64_t j = row[0]
    cdef uint64_t bit
    cdef int64_t at
    while j > 0 and i > above:
        bit = (<uint64_t>1) << ((i - 1) & 63)
        at = 2 * (((i - 1 - above) >> 6) * width + j - 1)
        if memory.kept[at] & bit:
            deletions += 1
            i -= 1
        else:
            j -= 1
            if j == 0 or not memory.kept[at - 1] & bit:
                i -= 1
    col[0] = i
    row[0] = j
    return deletions


cdef int64_t run_groups(Pair* pair, int64_t k, int64_t size, int64_t groups, Memory* memory) noexcept nogil:
    """All blocks, with what the way back needs; the distance if it is at most k, else more than k."""
    cdef int64_t blocks = (pair.m + 63) // 64
    cdef int64_t group
    begin(pair, k, memory)
    for group in range(groups):
        if groups > 1:
            memcpy(memory.taken + group * pair.n, memory.changes, <size_t>pair.n)
            if hopeless(pair, size * group, k, memory):
                return k + 1
        run(pair, size * group, min(blocks, size * (group + 1)), pair.n, memory, groups == 1)
    return distance_from(pair.n, memory)


cdef void pair_counts(Pair pair, Memory* memory, int32_t* out) noexcept nogil:
    """Hits, substitutions, deletions, insertions."""
    cdef int64_t m = pair.m
    cdef int64_t distance, blocks, size, groups, group, col, row, width, k
    cdef int64_t deletions = 0
    shed(&pair)
    blocks = (pair.m + 63) // 64
    size = group_size(blocks, pair.n)
    groups = (blocks + size - 1) // size if blocks > 0 else 0
    if pair.m > 0 and pair.n > 0:
        k = first_band(&pair) if groups > 1 else max(pair.m, pair.n)
        distance = run_groups(&pair, k, size, groups, memory)
        while distance > k:
            k = next_band(&pair, k)
            distance = run_groups(&pair, k, size, groups, memory)
    else:
        distance = pair.m + pair.n
    if pair.m > 0 and pair.n > 0 and distance != max(pair.m, pair.n) - min(pair.m, pair.n):
        col = pair.m
        row = width = pair.n
        for group in range(groups - 1, -1, -1):
            if row == 0:
                break
            if groups > 1:
                width = row  # the way back never turns to the right
                memcpy(memory.changes, memory.taken + group * pair.n, <size_t>width)
                run(&pair, size * group, min(blocks, size * (group + 1)), width, memory, True)
            deletions += way_back(size * group, width, &col, &row, memory)
        deletions += col
    else:  # nothing but insertions or nothing but deletions
        deletions = max(pair.m - pair.n, <int64_t>0)
    out[2] = <int32_t>deletions
    out[3] = <int32_t>(deletions + pair.n - pair.m)
    out[1] = <int32_t>(distance - out[2] - out[3])
    out[0] = <int32_t>(m - out[1] - out[2])


cdef inline Pair paired(
    const int32_t* tokens, const int64_t* offsets, int64_t left, int64_t right
) noexcept nogil:
    return Pair(
        tokens + offsets[left], offsets[left + 1] - offsets[left],
        tokens + offsets[right], offsets[right + 1] - offsets[right],
    )


cdef bint reserve(Memory* memory, int64_t vocabulary, int64_t longest, int64_t kept, int64_t taken) noexcept nogil:
    memory.masks = <uint64_t*>calloc(<size_t>(2 * vocabulary + 1), sizeof(uint64_t))
    memory.changes = <uint8_t*>malloc(<size_t>(longest + 1))
    memory.kept = <uint64_t*>malloc(<size_t>(2 * kept + 1) * sizeof(uint64_t))
    memory.taken = <uint8_t*>malloc(<size_t>(taken + 1))
    return not (memory.masks == NULL or memory.changes == NULL or memory.kept == NULL or memory.taken == NULL)


cdef void release(Memory* memory) noexcept nogil:
    free(memory.masks)
    free(memory.changes)
    free(memory.kept)
    free(memory.taken)


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
    if not reserve(&memory, vocabulary, longest, 0, 0):
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
    cdef Pair pair
    cdef int64_t k, blocks, size
    cdef int64_t kept = 0
    cdef int64_t taken = 0
    cdef int64_t pairs = len(left)
    if len(tokens) == 0 or pairs == 0:
        return
    with nogil:
        for k in range(pairs):
            pair = paired(&tokens[0], &offsets[0], left[k], right[k])
            shed(&pair)
            blocks = (pair.m + 63) // 64
            size = group_size(blocks, pair.n)
            kept = max(kept, size * pair.n)
            if size < blocks:
                taken = max(taken, ((blocks + size - 1) // size) * pair.n)
    if not reserve(&memory, vocabulary, longest, kept, taken):
        release(&memory)
        raise MemoryError(f"no memory to align texts of {longest} words")
    with nogil:
        for k in range(pairs):
            pair_counts(paired(&tokens[0], &offsets[0], left[k], right[k]), &memory, &out[k, 0])
    release(&memory)
