# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False
"""Edits of the translation edit rate for a whole batch of pairs, without the GIL.

`ter_fallback.py` explains the algorithm; here it runs with one machine word a row. `ter.py` checks the arguments and keeps
back pairs whose band does not fit into a word; nothing is checked here.
"""

from libc.math cimport floor
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

cdef enum:
    LONGEST = 10  # words in a block
    FARTHEST = 50  # positions between its two places
    BEAM = 25  # half the band
    MOST_TRIED = 1000  # shifts tried in all
    MOST_MASKS = 1 << 20  # 8 MB; of longer texts the window is searched instead


cdef struct Row:  # of the band: only the lengths of the texts decide
    uint64_t allowed  # bits where a match may start
    uint64_t beyond  # bits behind the band
    int32_t base  # the window's first bit is the cell behind this one
    int32_t shift  # how far the window moved since the row before
    int32_t low  # the first cell if nothing but the cell above leads there, else 0
    int32_t high  # the last cell that a diagonal step can reach


cdef struct State:  # one row of the table of distances
    uint64_t up
    uint64_t down
    int64_t value  # the distance at the window's base


cdef struct Steps:  # how one row came about
    uint64_t flat  # where diagonal steps are free
    uint64_t grows  # where the distance grows from the row above


cdef struct Best:
    int64_t distance
    int64_t start
    int64_t length  # 0 as long as no shift lowers the distance
    int64_t target


cdef struct Table:
    int64_t n  # words of the hypothesis
    int64_t m  # words of the reference
    int64_t width  # blocks of 64 places a word in `masks`; 0 where there are no masks
    int64_t distance
    int64_t common  # words that both have, repetitions counted
    int32_t* words  # of the hypothesis: numbered from 1 as in the reference, 0 if the reference lacks it
    int32_t* reference
    int32_t* numbers  # of each word in the vocabulary
    int32_t* first  # place of each numbered word in the reference
    int32_t* following  # next place of the same word, or -1
    int32_t* unused  # places of each numbered word that the hypothesis has no word for
    uint64_t* masks  # places of each numbered word
    Row* rows
    State* states
    Steps* steps
    int32_t* aligned  # last word of the hypothesis up to each word of the reference
    int32_t* next_error  # in the hypothesis
    int32_t* next_reference_error
    int32_t* moved  # words in the order after a shift
    int32_t* seen  # one a length and target: the last start that was tried with them, in this round


cdef inline int64_t count_ones(uint64_t bits) noexcept nogil:
    bits = bits - ((bits >> 1) & <uint64_t>0x5555555555555555)
    bits = (bits & <uint64_t>0x3333333333333333) + ((bits >> 2) & <uint64_t>0x3333333333333333)
    bits = (bits + (bits >> 4)) & <uint64_t>0x0F0F0F0F0F0F0F0F
    return <int64_t>((bits * <uint64_t>0x0101010101010101) >> 56)


cdef inline uint64_t lowest_bits(int64_t n) noexcept nogil:
    return ~(<uint64_t>0) if n >= 64 else ((<uint64_t>1) << n) - 1


cdef inline uint64_t places(const Table* table, int32_t word, int64_t base) noexcept nogil:
    """Where the window that begins at `base` of the reference has the word."""
    cdef const uint64_t* masks
    cdef uint64_t found = 0
    cdef int64_t k, inside = base & 63
    if word == 0:
        return 0
    if table.width > 0:
        masks = table.masks + word * table.width + (base >> 6)
        # Two shifts, since one by 64 is not defined.
        return (masks[0] >> inside) | ((masks[1] << 1) << (63 - inside))
    for k in range(min(<int64_t>64, table.m - base)):
        found |= (<uint64_t>(table.reference[base + k] == word)) << k
    return found


cdef inline void advance(const Table* table, int64_t number, int32_t word, State* state, Steps* steps) noexcept nogil:
    """From the state of one row to that of the next, whose word is given."""
    cdef const Row* row = &table.rows[number]
    cdef uint64_t up = state.up, down = state.down, same, flat, grows
    cdef int64_t shift = row.shift
    if shift == 1:
        state.value += <int64_t>(up & 1) - <int64_t>(down & 1)
        up = (up >> 1) | (<uint64_t>1 << 63)
        down >>= 1
    elif shift > 1:
        state.value += count_ones(up & lowest_bits(shift)) - count_ones(down & lowest_bits(shift))
        up = (up >> shift) | ~(~(<uint64_t>0) >> shift)
        down >>= shift
    same = places(table, word, row.base) & row.allowed
    flat = (((same & up) + up) ^ up) | same | down
    grows = down | ~(flat | up)
    steps.flat = flat
    steps.grows = grows
    grows = (grows << 1) | 1
    state.up = ((flat & up) << 1) | ~(flat | grows) | row.beyond
    state.down = grows & flat & ~row.beyond
    state.value += 1


cdef inline int64_t end_distance(const Table* table, const State* state) noexcept nogil:
    cdef uint64_t cells = lowest_bits(table.m - table.rows[table.n - 1].base)
    return state.value + count_ones(state.up & cells) - count_ones(state.down & cells)


cdef void set_band(Table* table) noexcept nogil:
    cdef double ratio = <double>table.m / <double>table.n
    cdef int64_t low = 0, base = 0, high = table.m + 1
    cdef int64_t number, middle, low_before, base_before, high_before
    cdef Row* row
    for number in range(1, table.n + 1):
        middle = <int64_t>floor(<double>number * ratio)
        low_before, base_before, high_before = low, base, high
        low = max(<int64_t>0, middle - BEAM)
        base = max(low, <int64_t>1) - 1
        high = table.m + 1 if number == table.n else min(table.m + 1, middle + BEAM)
        row = &table.rows[number - 1]
        row.base = <int32_t>base
        row.shift = <int32_t>(base - base_before)
        row.low = <int32_t>low if low > 0 and low == low_before else 0
        row.high = <int32_t>high_before
        row.allowed = lowest_bits(high_before - base)
        if row.low > 0:
            row.allowed &= ~(<uint64_t>1)
        row.beyond = ~lowest_bits(high - 1 - base)


cdef void fill(Table* table, int64_t first) noexcept nogil:
    """All rows from that word on."""
    cdef State state = table.states[first]
    cdef int64_t number
    for number in range(first, table.n):
        advance(table, number, table.words[number], &state, &table.steps[number])
        table.states[number + 1] = state
    table.distance = end_distance(table, &state)


cdef int64_t shifted(Table* table, int64_t start, int64_t length, int64_t target, int64_t* first) noexcept nogil:
    """Write to `moved` what stands from `first` on after the shift; its number of words."""
    cdef int64_t end = start + length
    cdef int64_t other
    if target < start:
        first[0] = target
        memcpy(table.moved, table.words + start, <size_t>length * sizeof(int32_t))
        memcpy(table.moved + length, table.words + target, <size_t>(start - target) * sizeof(int32_t))
        return end - target
    first[0] = start
    # A target inside the block moves it as many words to the right.
    other = (target if target > end else min(table.n, target + length)) - end
    memcpy(table.moved, table.words + end, <size_t>other * sizeof(int32_t))
    memcpy(table.moved + other, table.words + start, <size_t>length * sizeof(int32_t))
    return other + length


cdef int64_t distance_after(Table* table, int64_t start, int64_t length, int64_t target) noexcept nogil:
    """The distance if that shift were made."""
    cdef int64_t first, number, changed = shifted(table, start, length, target, &first)
    cdef State state = table.states[first]
    cdef State* before
    cdef Steps unused
    for number in range(changed):
        advance(table, first + number, table.moved[number], &state, &unused)
    for number in range(first + changed, table.n):
        before = &table.states[number]
        if state.up == before.up and state.down == before.down:
            return table.distance + state.value - before.value
        advance(table, number, table.words[number], &state, &unused)
    return end_distance(table, &state)


cdef void align(Table* table) noexcept nogil:
    """Fill `aligned` and the two lists of errors; the fallback says how ties are broken."""
    cdef int64_t i = table.n, j = table.m
    cdef int32_t error = <int32_t>(table.n + LONGEST), reference_error = <int32_t>(table.m + LONGEST)
    cdef const Row* row
    cdef uint64_t bit
    cdef bint up, back, match
    while i > 0 or j > 0:
        match = False
        up = i > 0
        back = j > 0
        if up and back:
            row = &table.rows[i - 1]
            bit = (<uint64_t>1) << (j - 1 - row.base)
            if j == row.low:
                back = False
            elif j > row.high:
                up = False
            elif table.words[i - 1] == table.reference[j - 1]:
                match = True
            elif table.steps[i - 1].flat & bit:
                up = (table.steps[i - 1].grows & bit) != 0
                back = not up
        if back:
            j -= 1
            table.aligned[j] = <int32_t>(i - 1)
            if not match:
                reference_error = <int32_t>j
            table.next_reference_error[j] = reference_error
        if up:
            i -= 1
            if not match:
                error = <int32_t>i
            table.next_error[i] = error


cdef int64_t try_block(
    Table* table, int64_t start, int64_t place, int64_t length, int64_t least, Best* best
) noexcept nogil:
    """Try the block at each target that its words of the reference give; how many those are."""
    cdef int64_t tried = 0, last = -1, offset, target, distance
    cdef int32_t* seen
    for offset in range(-1, length):
        target = 0 if place + offset < 0 else table.aligned[place + offset] + 1
        if target == last:
            continue
        last = target
        tried += 1
        seen = &table.seen[(length - 1) * (table.n + 1) + target]
        if best.distance == least or seen[0] == start + 1:
            continue
        seen[0] = <int32_t>(start + 1)
        distance = distance_after(table, start, length, target)
        if distance < best.distance or (
            distance == best.distance and best.length > 0 and (
                length > best.length or (length == best.length and start == best.start and target < best.target)
            )
        ):
            best[0] = Best(distance, start, length, target)
    return tried


cdef int64_t best_shift(Table* table, int64_t tried, int64_t least, Best* best) noexcept nogil:
    """Find the shift that lowers the distance most; how many have been tried by now."""
    cdef int64_t start, place, length, shortest, longest
    align(table)
    memset(table.seen, 0, <size_t>(LONGEST * (table.n + 1)) * sizeof(int32_t))
    for start in range(table.n):
        if table.words[start] == 0 or table.next_error[start] - start >= LONGEST:
            continue
        place = table.first[table.words[start]]
        while place >= 0 and place <= start + FARTHEST:
            if place >= start - FARTHEST:
                shortest = max(table.next_error[start] - start, table.next_reference_error[place] - place) + 1
                longest = min(<int64_t>LONGEST, min(table.n - start, table.m - place))
                if table.aligned[place] >= start:
                    longest = min(longest, table.aligned[place] - start)
                for length in range(1, longest + 1):
                    if table.words[start + length - 1] != table.reference[place + length - 1]:
                        break
                    if length >= shortest:
                        tried += try_block(table, start, place, length, least, best)
                        if tried >= MOST_TRIED:
                            return tried
            place = table.following[place]
    return tried


cdef void apply(Table* table, const Best* best) noexcept nogil:
    cdef int64_t first, changed = shifted(table, best.start, best.length, best.target, &first)
    memcpy(table.words + first, table.moved, <size_t>changed * sizeof(int32_t))
    fill(table, first)


cdef void open_table(Table* table, const int32_t* hypothesis, const int32_t* reference) noexcept nogil:
    """Number the words by the reference, note where it has them, count what both have, and fill the rows."""
    cdef int64_t place, word
    cdef int32_t number, distinct = 0
    for place in range(table.m):
        if table.numbers[reference[place]] == 0:
            distinct += 1
            table.numbers[reference[place]] = distinct
            table.first[distinct] = -1
            table.unused[distinct] = 0
    table.width = (table.m + 63) // 64 + 1  # one more, always empty, for a window at the end
    if table.width * (distinct + 1) > MOST_MASKS:
        table.width = 0
    else:
        memset(table.masks, 0, <size_t>(table.width * (distinct + 1)) * sizeof(uint64_t))
    for place in range(table.m - 1, -1, -1):
        number = table.numbers[reference[place]]
        table.reference[place] = number
        table.following[place] = table.first[number]
        table.first[number] = <int32_t>place
        table.unused[number] += 1
        if table.width > 0:
            table.masks[number * table.width + (place >> 6)] |= (<uint64_t>1) << (place & 63)
    table.common = 0
    for word in range(table.n):
        number = table.numbers[hypothesis[word]]
        table.words[word] = number
        if number > 0 and table.unused[number] > 0:
            table.unused[number] -= 1
            table.common += 1
    for place in range(table.m):
        table.numbers[reference[place]] = 0
    set_band(table)
    table.states[0] = State(~(<uint64_t>0), 0, 0)
    fill(table, 0)


cdef int64_t pair_edits(Table* table, const int32_t* hypothesis, const int32_t* reference) noexcept nogil:
    cdef int64_t shifts = 0, tried = 0, least
    cdef Best best
    if table.n == 0 or table.m == 0:
        return table.n + table.m
    open_table(table, hypothesis, reference)
    least = max(table.n, table.m) - table.common  # no shift changes it
    # With one edit more than the least, a last shift would cost what it saves.
    while table.distance > least + 1:
        best = Best(table.distance, 0, 0, 0)
        tried = best_shift(table, tried, least, &best)
        if best.length == 0 or tried >= MOST_TRIED:
            break
        shifts += 1
        apply(table, &best)
    return shifts + table.distance


cdef bint reserve(Table* table, int64_t vocabulary, int64_t longest) noexcept:
    """Memory for texts up to that length; whether there is enough."""
    cdef size_t size = <size_t>(longest + 2)
    cdef int64_t masks = min(<int64_t>MOST_MASKS, ((longest + 63) // 64 + 1) * (longest + 1))
    table.numbers = <int32_t*>calloc(<size_t>(vocabulary + 1), sizeof(int32_t))
    # One piece for all lists of int32: nine as long as a text, and the targets of each length.
    table.words = <int32_t*>malloc((9 + LONGEST) * size * sizeof(int32_t))
    table.masks = <uint64_t*>malloc(<size_t>masks * sizeof(uint64_t))
    table.rows = <Row*>malloc(size * sizeof(Row))
    table.states = <State*>malloc(size * sizeof(State))
    table.steps = <Steps*>malloc(size * sizeof(Steps))
    if (table.numbers == NULL or table.words == NULL or table.masks == NULL or table.rows == NULL
            or table.states == NULL or table.steps == NULL):
        return False
    table.reference = table.words + size
    table.first = table.words + 2 * size
    table.following = table.words + 3 * size
    table.unused = table.words + 4 * size
    table.aligned = table.words + 5 * size
    table.next_error = table.words + 6 * size
    table.next_reference_error = table.words + 7 * size
    table.moved = table.words + 8 * size
    table.seen = table.words + 9 * size
    return True


def ter_edits(
    object[int32_t, mode="c"] tokens,
    object[int64_t, mode="c"] offsets,
    object[int64_t, mode="c"] hypotheses,
    object[int64_t, mode="c"] references,
    int64_t vocabulary,
    int64_t longest,
    object[int32_t, mode="c"] out,
):
    """Fill `out` with each pair's edits; tokens lie in [0, vocabulary), no text is longer than `longest`."""
    cdef Table table
    cdef int64_t k, pairs = len(hypotheses)
    cdef bint ready
    if len(tokens) == 0 or pairs == 0:  # no text has a word
        return
    ready = reserve(&table, vocabulary, longest)
    if ready:
        with nogil:
            for k in range(pairs):
                table.n = offsets[hypotheses[k] + 1] - offsets[hypotheses[k]]
                table.m = offsets[references[k] + 1] - offsets[references[k]]
                out[k] = <int32_t>pair_edits(
                    &table, &tokens[0] + offsets[hypotheses[k]], &tokens[0] + offsets[references[k]]
                )
    free(table.numbers)
    free(table.words)
    free(table.masks)
    free(table.rows)
    free(table.states)
    free(table.steps)
    if not ready:
        raise MemoryError(f"no memory to align texts of {longest} words")
