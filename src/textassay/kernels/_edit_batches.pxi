# Four small pairs at once, one in each lane of a vector; a lane does what `step` in _edit_blocks.pxi does.

cdef extern from *:
    """
    #if TEXTASSAY_VECTORS
    typedef int64_t textassay_signed __attribute__((vector_size(32)));

    /* Patterns of one or two blocks; the texts end together, and lane l begins at position begins[l]. */
    __attribute__((always_inline)) static inline void textassay_run_lanes(
        const int words, const int keeps, const uint64_t* stream, int64_t first, int64_t end, const int64_t* begins,
        uint64_t* ups, uint64_t* downs, uint64_t* kept)
    {
        const textassay_four none = {0, 0, 0, 0};
        textassay_four up = ~none, down = none, next_up = ~none, next_down = none;
        textassay_signed begin;
        memcpy(&begin, begins, 32);
        for (int64_t t = first; t < end; t++) {
            /* All bits where a lane has begun. Before, it is left as it is by no mask and no change that comes in. */
            const textassay_signed at = {t, t, t, t};
            const textassay_four begun = (textassay_four)(begin <= at);
            textassay_four same, flat, grows, falls, change, before = down;
            memcpy(&same, stream + 4 * words * t, 32);
            same &= begun;
            flat = (((same & up) + up) ^ up) | same | down;
            grows = down | ~(flat | up);
            falls = up & flat;
            change = (grows << 1) - begun; /* what comes in grows by one */
            up = (falls << 1) | ~(flat | change);
            down = change & flat;
            if (keeps) {
                before |= up;
                memcpy(kept + 8 * words * t, &before, 32);
                memcpy(kept + 8 * words * t + 4 * words, &up, 32);
            }
            if (words == 2) {
                before = next_down;
                memcpy(&same, stream + 8 * t + 4, 32);
                same = (same & begun) | (falls >> 63);
                flat = (((same & next_up) + next_up) ^ next_up) | same | next_down;
                change = next_down | ~(flat | next_up);
                change = (change << 1) | (grows >> 63);
                next_up = ((next_up & flat) << 1) | (falls >> 63) | ~(flat | change);
                next_down = change & flat;
                if (keeps) {
                    before |= next_up;
                    memcpy(kept + 16 * t + 4, &before, 32);
                    memcpy(kept + 16 * t + 12, &next_up, 32);
                }
            }
        }
        memcpy(ups, &up, 32);
        memcpy(downs, &down, 32);
        memcpy(ups + 4, &next_up, 32);
        memcpy(downs + 4, &next_down, 32);
    }

    TEXTASSAY_CLONES
    static void textassay_run_batch(
        int words, int keeps, const uint64_t* stream, int64_t first, int64_t end, const int64_t* begins,
        uint64_t* ups, uint64_t* downs, uint64_t* kept)
    {
        if (words == 1 && !keeps)
            textassay_run_lanes(1, 0, stream, first, end, begins, ups, downs, kept);
        else if (words == 1)
            textassay_run_lanes(1, 1, stream, first, end, begins, ups, downs, kept);
        else if (!keeps)
            textassay_run_lanes(2, 0, stream, first, end, begins, ups, downs, kept);
        else
            textassay_run_lanes(2, 1, stream, first, end, begins, ups, downs, kept);
    }
    #else
    #define textassay_run_batch(words, keeps, stream, first, end, begins, ups, downs, kept) ((void)0)
    #endif
    """
    void run_batch "textassay_run_batch"(
        int words, int keeps, const uint64_t* stream, int64_t first, int64_t end, const int64_t* begins,
        uint64_t* ups, uint64_t* downs, uint64_t* kept
    ) noexcept nogil

cdef enum:
    ROWS = 128  # text positions of a pair that can be in a batch, and positions of its pattern


cdef struct Member:
    int64_t m  # without the ends that both have
    int64_t n
    int64_t reference  # the whole length of the reference
    int32_t* out


cdef struct Batch:
    Member members[LANES]
    int64_t begins[LANES]
    int64_t filled
    int64_t words  # blocks of a pattern
    uint64_t stream[2 * LANES * ROWS]  # where the pattern has the character at a text position; the text ends at the end


cdef struct Batches:
    Batch* batches  # one for patterns of one block, one for those of two; NULL where pairs run one by one
    uint64_t* kept  # what the way back needs, where kinds of edits are asked for
    bint kinds


cdef bint batch_room(Batches* batches, bint kinds, bint wanted) noexcept nogil:
    """Whether there is memory for batches, if there are to be any."""
    memset(batches, 0, sizeof(Batches))
    batches.kinds = kinds
    if not VECTORS or not wanted:
        return True
    batches.batches = <Batch*>calloc(2, sizeof(Batch))
    batches.kept = <uint64_t*>malloc(<size_t>(4 * LANES * ROWS) * sizeof(uint64_t))
    if batches.batches == NULL or batches.kept == NULL:
        return False
    batches.batches[0].words = 1
    batches.batches[1].words = 2
    return True


cdef inline bint joined(Batches* batches, const Pair* pair, int64_t shared, uint64_t* masks, int32_t* out) noexcept nogil:
    """Put a pair into a batch, which runs when it is full; False where it is too large, or nothing is left to run."""
    cdef const int32_t* pattern = pair.pattern
    cdef const int32_t* text = pair.text
    cdef int64_t m = pair.m
    cdef int64_t n = pair.n
    cdef Batch* batch
    if m == 0 or n == 0 or m > ROWS or n > ROWS or batches.batches == NULL:
        return False
    if not batches.kinds:
        out[1] = <int32_t>(m + shared)
        out[2] = <int32_t>(n + shared)
        if m > n:  # the distance is the same, and the shorter pattern has fewer blocks
            pattern, text, m, n = text, pattern, n, m
    batch = &batches.batches[m > 64]
    batch.members[batch.filled] = Member(m, n, m + shared, out)
    batch.begins[batch.filled] = ROWS - n
    if m > 64:
        stream_two(batch, pattern, m, text, n, masks)
    else:
        stream_one(batch, pattern, m, text, n, masks)
    batch.filled += 1
    if batch.filled == LANES:
        run_one_batch(batches, batch)
    return True


cdef inline void stream_one(
    Batch* batch, const int32_t* pattern, int64_t m, const int32_t* text, int64_t n, uint64_t* masks
) noexcept nogil:
    cdef uint64_t* stream = batch.stream + LANES * (ROWS - n) + batch.filled
    cdef int64_t i
    for i in range(m):
        masks[pattern[i]] |= (<uint64_t>1) << i
    for i in range(n):
        stream[LANES * i] = masks[text[i]]
    for i in range(m):
        masks[pattern[i]] = 0


cdef inline void stream_two(
    Batch* batch, const int32_t* pattern, int64_t m, const int32_t* text, int64_t n, uint64_t* masks
) noexcept nogil:
    cdef uint64_t* stream = batch.stream + 2 * LANES * (ROWS - n) + batch.filled
    cdef int64_t i
    for i in range(m):
        masks[2 * <int64_t>pattern[i] + (i >> 6)] |= (<uint64_t>1) << (i & 63)
    for i in range(n):
        stream[2 * LANES * i] = masks[2 * <int64_t>text[i]]
        stream[2 * LANES * i + LANES] = masks[2 * <int64_t>text[i] + 1]
    for i in range(m):
        masks[2 * <int64_t>pattern[i] + (i >> 6)] = 0


cdef inline void run_batches(Batches* batches) noexcept nogil:
    """Run what has not filled a batch."""
    if batches.batches != NULL:
        run_one_batch(batches, &batches.batches[0])
        run_one_batch(batches, &batches.batches[1])


cdef void run_one_batch(Batches* batches, Batch* batch) noexcept nogil:
    cdef uint64_t ups[2 * LANES]
    cdef uint64_t downs[2 * LANES]
    cdef Member* each
    cdef int64_t first = ROWS
    cdef int64_t width = LANES * batch.words
    cdef int64_t distance, apart, l
    for l in range(LANES):
        if l >= batch.filled:
            batch.begins[l] = ROWS
        first = min(first, batch.begins[l])
    run_batch(<int>batch.words, batches.kinds, batch.stream, first, ROWS, batch.begins, ups, downs, batches.kept)
    for l in range(batch.filled):
        each = &batch.members[l]
        distance = each.n + climb(ups[l], downs[l], min(each.m, <int64_t>64))
        if each.m > 64:
            distance += climb(ups[LANES + l], downs[LANES + l], each.m - 64)
        if not batches.kinds:
            each.out[0] = <int32_t>distance
            continue
        apart = each.n - each.m
        if distance <= max(apart, -apart) + 1:  # see `pair_counts`
            each.out[2] = <int32_t>max(-apart, <int64_t>0)
        else:
            each.out[2] = <int32_t>lane_way_back(batches.kept + 2 * width * batch.begins[l] + l, width, each.m, each.n)
        complete(each.out, each.reference, apart, distance)
    batch.filled = 0


cdef inline int64_t lane_way_back(const uint64_t* kept, int64_t width, int64_t i, int64_t j) noexcept nogil:
    """The deletions of a pair in a batch, by the rule of `way_through`; here bits are where their positions are."""
    cdef const uint64_t* row
    cdef int64_t deletions = 0
    while i > 0 and j > 0:
        row = kept + 2 * width * (j - 1) + LANES * ((i - 1) >> 6)
        if not (row[0] >> ((i - 1) & 63)) & 1:
            i -= 1
            j -= 1
        elif (row[width] >> ((i - 1) & 63)) & 1:
            deletions += 1
            i -= 1
        else:
            j -= 1
    return deletions + i
