# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False
"""Shortest paths through all units by Held and Karp's table, and short tours by local search; both without the GIL.

A tour is an array of nodes that closes on itself; the node in place 0 never moves. Two moves are tried: reversing a part
(2-opt), and exchanging two adjacent parts (3-opt without reversal, which includes or-opt). Costs are integers, so that
sums are exact everywhere. `tours.py` checks the arguments and says what each step does; its fallbacks do the same.
"""

from libc.math cimport INFINITY
from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint64_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

cdef enum:
    REACH = 30  # the longest part that a kick moves
    NODES = 256  # so many nodes, or
    KICKS = 16  # kicks, are worked on before the caller is asked whether to stop

ctypedef struct Tour:
    int64_t n
    bint symmetric
    const int64_t* cost  # (n, n) from the row's node
    const int64_t* cost_into  # (n, n) to the row's node, so that a scan stays in one row of memory
    int32_t* node  # (n) node in each place
    int32_t* place  # (n) place of each node
    int64_t* step  # (n) cost from each place to the next
    int64_t* there  # (n + 1) length up to each place
    int64_t* back  # (n + 1) the same, walked the other way
    int32_t* spare  # (n)
    int32_t* queue  # (n) nodes whose neighbourhood may hold a gain
    uint8_t* queued  # (n)
    int64_t head
    int64_t waiting


cdef inline int64_t arc(const Tour* tour, int64_t a, int64_t b) noexcept nogil:
    return tour.cost[a * tour.n + b]


cdef inline int64_t at(const Tour* tour, int64_t place) noexcept nogil:
    return tour.node[place - tour.n if place >= tour.n else place]


cdef inline void push(Tour* tour, int64_t node) noexcept nogil:
    cdef int64_t tail
    if tour.queued[node]:
        return
    tail = tour.head + tour.waiting
    tour.queue[tail - tour.n if tail >= tour.n else tail] = <int32_t>node
    tour.queued[node] = 1
    tour.waiting += 1


cdef inline int64_t pop(Tour* tour) noexcept nogil:
    cdef int64_t node = tour.queue[tour.head]
    tour.head = tour.head + 1 if tour.head + 1 < tour.n else 0
    tour.waiting -= 1
    tour.queued[node] = 0
    return node


cdef void measure(Tour* tour, int64_t first, int64_t last) noexcept nogil:
    """What depends on the nodes in the places from the first to the last, which have changed."""
    cdef int64_t place, a, b
    for place in range(first, last + 1):
        tour.place[tour.node[place]] = <int32_t>place
    for place in range(first - 1 if first > 0 else 0, last + 1):
        tour.step[place] = arc(tour, tour.node[place], at(tour, place + 1))
    if tour.symmetric:  # the way back has the same length
        return
    for place in range(first - 1 if first > 0 else 0, tour.n):
        a = tour.node[place]
        b = at(tour, place + 1)
        tour.there[place + 1] = tour.there[place] + tour.step[place]
        tour.back[place + 1] = tour.back[place] + arc(tour, b, a)


cdef inline int64_t turning_gain(const Tour* tour, int64_t i, int64_t j) noexcept nogil:
    """What is gained by turning the places i to j round."""
    cdef int64_t a = tour.node[i - 1]
    cdef int64_t b = tour.node[i]
    cdef int64_t c = tour.node[j]
    cdef int64_t d = at(tour, j + 1)
    cdef int64_t gain = arc(tour, a, b) + arc(tour, c, d) - arc(tour, a, c) - arc(tour, b, d)
    if not tour.symmetric:
        gain += (tour.there[j] - tour.there[i]) - (tour.back[j] - tour.back[i])
    return gain


cdef void turn(Tour* tour, int64_t i, int64_t j) noexcept nogil:
    cdef int64_t left = i
    cdef int64_t right = j
    cdef int32_t swap
    push(tour, tour.node[i - 1])
    push(tour, tour.node[i])
    push(tour, tour.node[j])
    push(tour, at(tour, j + 1))
    while left < right:
        swap = tour.node[left]
        tour.node[left] = tour.node[right]
        tour.node[right] = swap
        left += 1
        right -= 1
    measure(tour, i, j)


cdef void exchange(Tour* tour, int64_t x, int64_t y, int64_t z) noexcept nogil:
    """Exchange the places x+1 to y with the places y+1 to z."""
    cdef int64_t place
    cdef int64_t first = y - x
    cdef int64_t second = z - y
    push(tour, tour.node[x])
    push(tour, tour.node[x + 1])
    push(tour, tour.node[y])
    push(tour, tour.node[y + 1])
    push(tour, tour.node[z])
    push(tour, at(tour, z + 1))
    memcpy(tour.spare, tour.node + x + 1, <size_t>first * sizeof(int32_t))
    for place in range(second):
        tour.node[x + 1 + place] = tour.node[y + 1 + place]
    memcpy(tour.node + x + 1 + second, tour.spare, <size_t>first * sizeof(int32_t))
    measure(tour, x + 1, z)


cdef void exchange_in_any_order(Tour* tour, int64_t p, int64_t q, int64_t r) noexcept nogil:
    cdef int64_t low = min(p, min(q, r))
    cdef int64_t high = max(p, max(q, r))
    exchange(tour, low, p + q + r - low - high, high)


cdef bint improved_after(Tour* tour, int64_t a, const int32_t* near, int64_t width) noexcept nogil:
    """Look for a better node than now to stand after a."""
    cdef int64_t n = tour.n
    cdef int64_t p = tour.place[a]
    cdef int64_t a1 = at(tour, p + 1)
    cdef int64_t old = arc(tour, a, a1)
    cdef int64_t k, c, q, before, gain, best, best_r, r, b, b1, turned, gained
    cdef const int64_t* to_a1 = tour.cost_into + a1 * n
    cdef const int64_t* from_before
    for k in range(width):
        c = near[k]
        gain = old - arc(tour, a, c)
        if gain <= 0:
            return False
        q = tour.place[c]
        turned = turning_gain(tour, p + 1, q) if q > p else turning_gain(tour, q + 1, p)
        before = at(tour, q - 1 if q > 0 else n - 1)
        from_before = tour.cost + before * n
        gain += from_before[c]
        best = 0
        best_r = -1
        r = q
        b = c
        while b != a:  # b: the last node of the part that c begins
            b1 = at(tour, r + 1)
            gained = gain + tour.step[r] - to_a1[b] - from_before[b1]
            if gained > best:
                best = gained
                best_r = r
            r = r + 1 if r + 1 < n else 0
            b = b1
        if turned > best:
            if q > p:
                turn(tour, p + 1, q)
            else:
                turn(tour, q + 1, p)
            return True
        if best_r >= 0:
            exchange_in_any_order(tour, p, q - 1 if q > 0 else n - 1, best_r)
            return True
    return False


cdef bint improved_before(Tour* tour, int64_t a, const int32_t* near, int64_t width) noexcept nogil:
    """Look for a better node than now to stand before a, by turning alone."""
    cdef int64_t p = tour.place[a]
    cdef int64_t old = arc(tour, at(tour, p - 1 if p > 0 else tour.n - 1), a)
    cdef int64_t k, c, q
    cdef int64_t end = p if p > 0 else tour.n  # place 0 is also the place after the last
    for k in range(width):
        c = near[k]
        if old - arc(tour, c, a) <= 0:
            return False
        q = tour.place[c] if tour.place[c] > 0 else tour.n
        if q > end:
            if turning_gain(tour, end, q - 1) > 0:
                turn(tour, end, q - 1)
                return True
        elif turning_gain(tour, q, end - 1) > 0:
            turn(tour, q, end - 1)
            return True
    return False


cdef int64_t length(const Tour* tour) noexcept nogil:
    cdef int64_t total = 0
    cdef int64_t place
    for place in range(tour.n):
        total += tour.step[place]
    return total


cdef void settle(
    Tour* tour, const int32_t* after, const int32_t* before, int64_t width, int64_t most
) noexcept nogil:
    """Improve until no node in the queue finds a gain, or so many nodes were tried."""
    cdef int64_t a
    while tour.waiting > 0 and most > 0:
        most -= 1
        a = pop(tour)
        while improved_after(tour, a, after + a * width, width) or improved_before(tour, a, before + a * width, width):
            pass


cdef inline uint64_t draw(uint64_t* state, uint64_t below) noexcept nogil:
    """splitmix64; the remainder's bias is no matter for a choice of kicks."""
    cdef uint64_t mixed
    state[0] += <uint64_t>0x9E3779B97F4A7C15
    mixed = state[0]
    mixed = (mixed ^ (mixed >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    mixed = (mixed ^ (mixed >> 27)) * <uint64_t>0x94D049BB133111EB
    return (mixed ^ (mixed >> 31)) % below


cdef void kick(Tour* tour, uint64_t* state) noexcept nogil:
    """Turn the order of three random parts that lie side by side: a double bridge, which no single move undoes."""
    cdef int64_t reach = min(<int64_t>REACH, (tour.n - 1) // 3)
    cdef int64_t first, second, third, x
    if reach == 0:
        return
    first = 1 + <int64_t>draw(state, <uint64_t>reach)
    second = 1 + <int64_t>draw(state, <uint64_t>reach)
    third = 1 + <int64_t>draw(state, <uint64_t>reach)
    x = <int64_t>draw(state, <uint64_t>(tour.n - first - second - third))
    exchange(tour, x, x + first, x + first + second + third)
    exchange(tour, x, x + second, x + second + third)


cdef void restore(Tour* tour, const int32_t* best) noexcept nogil:
    memcpy(tour.node, best, <size_t>tour.n * sizeof(int32_t))
    measure(tour, 0, tour.n - 1)


def tour_search(
    object[int64_t, ndim=2, mode="c"] cost,
    object[int64_t, ndim=2, mode="c"] cost_into,
    object[int32_t, ndim=2, mode="c"] after,
    object[int32_t, ndim=2, mode="c"] before,
    object[int32_t, mode="c"] best,
    int64_t kicks,
    uint64_t seed,
    int64_t target,
    bint symmetric,
    stop,
):
    """Make the tour in `best` shorter; returns its length. `stop` is None, or says from time to time whether to stop."""
    cdef int64_t n = len(cost)
    cdef int64_t width = after.shape[1]
    cdef int64_t done, upto, now, shortest
    cdef bint stopped = False
    cdef uint64_t state = seed
    cdef Tour tour
    cdef size_t size = <size_t>n
    # One block: three arrays of up to n + 1 long numbers, four of n short ones, one of n bytes.
    cdef char* block = <char*>malloc(3 * (size + 1) * sizeof(int64_t) + 4 * size * sizeof(int32_t) + size)
    if block == NULL:
        raise MemoryError(f"no memory for a tour of {n} nodes")
    with nogil:
        tour.n = n
        tour.symmetric = symmetric
        tour.cost = &cost[0, 0]
        tour.cost_into = &cost_into[0, 0]
        tour.there = <int64_t*>block
        tour.back = tour.there + n + 1
        tour.step = tour.back + n + 1
        tour.node = <int32_t*>(tour.step + n + 1)
        tour.place = tour.node + n
        tour.spare = tour.place + n
        tour.queue = tour.spare + n
        tour.queued = <uint8_t*>(tour.queue + n)
        tour.head = 0
        tour.waiting = 0
        tour.there[0] = 0
        tour.back[0] = 0
        for done in range(n):
            tour.queued[done] = 0
        restore(&tour, &best[0])
        for done in range(n):
            push(&tour, tour.node[done])
    try:
        while tour.waiting > 0 and not stopped:
            with nogil:
                settle(&tour, &after[0, 0], &before[0, 0], width, NODES)
            stopped = stop is not None and stop()
        shortest = length(&tour)
        memcpy(&best[0], tour.node, size * sizeof(int32_t))
        done = 0
        while done < kicks and shortest > target and not stopped:
            with nogil:
                upto = min(done + KICKS, kicks)
                while done < upto and shortest > target:
                    done += 1
                    kick(&tour, &state)
                    settle(&tour, &after[0, 0], &before[0, 0], width, INT64_MAX)
                    now = length(&tour)
                    if now <= shortest:  # a tour of the same length is taken too: it leads on
                        shortest = now
                        memcpy(&best[0], tour.node, size * sizeof(int32_t))
                    else:
                        restore(&tour, &best[0])
            stopped = stop is not None and stop()
    finally:
        free(block)
    return shortest


def held_karp(object[double, ndim=2, mode="c"] into, object[double, ndim=2, mode="c"] table):
    """Fill the table, subset by subset: a subset comes after all that are part of it.

    `into[j, k]` is the distance from unit k to unit j among those that are not the first; its last column has the
    distance from the first. A place that means nothing, since the last unit is not in the subset, is infinite.
    """
    cdef int64_t m = table.shape[1]
    cdef int64_t subset, rest, j, k
    cdef double least, other
    cdef const double* before
    cdef const double* steps
    with nogil:
        for subset in range(<int64_t>1 << m):
            for j in range(m):
                if not (subset >> j) & 1:
                    table[subset, j] = INFINITY
                    continue
                rest = subset ^ (<int64_t>1 << j)
                steps = &into[j, 0]
                if rest == 0:
                    table[subset, j] = steps[m]
                    continue
                before = &table[rest, 0]
                least = before[m - 1] + steps[m - 1]
                other = INFINITY
                k = 0
                while k + 1 < m:  # two at a time: neither least number waits for the other
                    least = min(least, before[k] + steps[k])
                    other = min(other, before[k + 1] + steps[k + 1])
                    k += 2
                table[subset, j] = min(least, other)
