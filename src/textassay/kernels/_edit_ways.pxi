# Kinds of edits: the way back through the bits of the blocks; the idea is told in _edits.pyx.

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
    complete(out, m, apart, distance)
    return True


cdef inline void complete(int32_t* out, int64_t m, int64_t apart, int64_t distance) noexcept nogil:
    """All four counts, once that of deletions is there, from the length of the reference and by how much it differs."""
    out[3] = <int32_t>(out[2] + apart)
    out[1] = <int32_t>(distance - out[2] - out[3])
    out[0] = <int32_t>(m - out[1] - out[2])
