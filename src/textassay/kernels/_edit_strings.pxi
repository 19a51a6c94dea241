# Strings as pairs of numbers: characters as their code points, words numbered for one pair alone.

cdef struct Word:
    const int32_t* start
    int64_t length


cdef struct Slot:
    uint64_t hashed
    Word word
    int32_t number
    int32_t pair  # the pair that it is of; the word of another one does not count


cdef struct Strings:
    int32_t* characters  # of both texts of a pair, one after the other
    Word* words  # the same of their words
    int32_t* numbers
    Slot* table
    int32_t pair  # counted from 1
    int64_t longest  # the characters of a text that there is room for
    bint wide  # whether there are masks for all characters, and not for the narrow ones only


cdef bint string_room(Strings* strings, Memory* memory, int64_t longest, bint words) noexcept nogil:
    """Whether there is memory for pairs of texts of so many characters."""
    cdef int64_t slots = 8
    while slots <= 2 * (longest + 1):  # each text may have one word more than half its characters
        slots *= 2
    memset(strings, 0, sizeof(Strings))
    strings.longest = longest
    strings.characters = <int32_t*>malloc(<size_t>(2 * longest + 2) * sizeof(int32_t))
    if words:
        strings.words = <Word*>malloc(<size_t>(longest + 2) * sizeof(Word))
        strings.numbers = <int32_t*>malloc(<size_t>(longest + 2) * sizeof(int32_t))
        strings.table = <Slot*>calloc(<size_t>slots, sizeof(Slot))
    return reserve(memory, longest + 2 if words else NARROW, longest) and strings.characters != NULL and (
        not words or (strings.words != NULL and strings.numbers != NULL and strings.table != NULL)
    )


cdef bint more_room(Strings* strings, Memory* memory, int64_t longest, bint words) noexcept nogil:
    """Room for a text that is longer than all before, and for somewhat longer ones."""
    cdef bint wide = strings.wide
    string_release(strings)
    release(memory)
    if not string_room(strings, memory, longest + longest // 2, words):
        return False
    return widen(strings, memory) if wide else True


cdef void string_release(Strings* strings) noexcept nogil:
    free(strings.characters)
    free(strings.words)
    free(strings.numbers)
    free(strings.table)


cdef inline bint is_wide(const int32_t* text, int64_t n) noexcept nogil:
    """Whether a character is not among the first NARROW; all are looked at, which a compiler does many at a time."""
    cdef uint32_t bits = 0
    cdef int64_t i
    for i in range(n):
        bits |= <uint32_t>text[i]
    return bits >= NARROW


cdef inline bint widen(Strings* strings, Memory* memory) noexcept nogil:
    """Masks for all characters; the system gives only those pages that are used."""
    strings.wide = True
    free(memory.masks)
    memory.masks = <uint64_t*>calloc(<size_t>LANES * 0x110000, sizeof(uint64_t))
    return memory.masks != NULL


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


cdef inline int64_t cut(const int32_t* text, int64_t n, Word* words) noexcept nogil:
    """Find the words of a text; how many there are."""
    cdef int64_t found = 0
    cdef int64_t i = 0
    cdef int64_t begin
    while True:
        while i < n and is_space(text[i]):
            i += 1
        if i == n:
            return found
        begin = i
        while i < n and not is_space(text[i]):
            i += 1
        words[found] = Word(text + begin, i - begin)
        found += 1


cdef inline bint same_word(const Word* first, const Word* second) noexcept nogil:
    if first.length != second.length or first.start[0] != second.start[0]:
        return False
    return memcmp(first.start, second.start, <size_t>first.length * sizeof(int32_t)) == 0


cdef inline uint64_t hash_of(const Word* word) noexcept nogil:
    """Two characters at a time."""
    cdef uint64_t hashed = <uint64_t>word.length
    cdef int64_t k = 0
    while k + 1 < word.length:
        hashed ^= <uint64_t>word.start[k] | (<uint64_t>word.start[k + 1] << 32)
        hashed *= <uint64_t>0x9E3779B97F4A7C15ULL
        hashed ^= hashed >> 32
        k += 2
    if k < word.length:
        hashed = (hashed ^ <uint64_t>word.start[k]) * <uint64_t>0x9E3779B97F4A7C15ULL
        hashed ^= hashed >> 32
    return hashed


cdef inline int32_t number_of(Strings* strings, uint64_t mask, const Word* word, int32_t* known) noexcept nogil:
    """The number of a word in its pair; a new one gets the next."""
    cdef uint64_t hashed = hash_of(word)
    cdef Slot* slot = &strings.table[hashed & mask]
    while slot.pair == strings.pair:
        if slot.hashed == hashed and same_word(&slot.word, word):
            return slot.number
        hashed += 1  # the next slot; equal words pass the same ones
        slot = &strings.table[hashed & mask]
    slot.hashed = hashed
    slot.word = word[0]
    slot.number = known[0]
    slot.pair = strings.pair
    known[0] += 1
    return slot.number


cdef inline Pair words_of(
    Strings* strings, const int32_t* first, int64_t m, const int32_t* second, int64_t n, int64_t* shared
) noexcept nogil:
    """The words of both as numbers, without those that both have at the beginning and at the end."""
    cdef Word* ours = strings.words
    cdef int64_t i
    m = cut(first, m, ours)
    cdef Word* theirs = ours + m
    n = cut(second, n, theirs)
    shared[0] = m
    while m > 0 and n > 0 and same_word(ours, theirs):
        ours += 1
        theirs += 1
        m -= 1
        n -= 1
    while m > 0 and n > 0 and same_word(ours + m - 1, theirs + n - 1):
        m -= 1
        n -= 1
    shared[0] -= m
    if m == 1 or n == 1:  # then only the words that equal this one matter
        for i in range(m):
            strings.numbers[i] = same_word(ours + i, theirs) if n == 1 else 1
        for i in range(n):
            strings.numbers[m + i] = same_word(ours, theirs + i) if m == 1 and n > 1 else 1
    elif m > 0 and n > 0:
        number(strings, ours, m, theirs, n)
    return Pair(strings.numbers, m, strings.numbers + m, n)


cdef inline void number(Strings* strings, const Word* ours, int64_t m, const Word* theirs, int64_t n) noexcept nogil:
    """Number the words of both: equal ones alike."""
    cdef uint64_t mask = 7
    cdef int32_t known = 0
    cdef int64_t i
    while mask < <uint64_t>(2 * (m + n)):  # no more than half of the slots are taken
        mask = 2 * mask + 1
    strings.pair += 1
    for i in range(m):
        strings.numbers[i] = number_of(strings, mask, ours + i, &known)
    for i in range(n):
        strings.numbers[m + i] = number_of(strings, mask, theirs + i, &known)
