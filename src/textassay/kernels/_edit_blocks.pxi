# Distances: blocks of 64 positions, one by one or four at once, in a band; the idea is told in _edits.pyx.

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
    NARROW = 256  # characters that have masks before others are met: those of Latin-1
    MANY = 200  # pairs for which all characters have masks from the beginning
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
