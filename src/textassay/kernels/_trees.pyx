# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False
"""Edit distances of whole batches of pairs of ordered labelled trees, without the GIL.

Zhang and Shasha (1989): the distances of all pairs of subtrees, from those of forests that begin at key roots, which are
the nodes that are not on the leftmost path of their parent. One table of forests is used again for each pair of key roots.
`trees.py` checks the arguments; nothing is checked here.
"""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc


cdef int64_t key_roots(const int32_t* leftmost, int64_t n, int32_t* roots, int32_t* last) noexcept nogil:
    """The highest node with each leftmost leaf, in postorder; `last` is room for one number per node."""
    cdef int64_t i
    cdef int64_t found = 0
    for i in range(n):
        last[leftmost[i]] = <int32_t>i
    for i in range(n):
        if last[leftmost[i]] == i:
            roots[found] = <int32_t>i
            found += 1
    return found


cdef void forests(
    const int32_t* a,
    const int32_t* la,
    int64_t i,
    const int32_t* b,
    const int32_t* lb,
    int64_t j,
    int64_t nb,
    int32_t substitution,
    int32_t* trees,
    int32_t* table,
) noexcept nogil:
    """The distances of all subtrees on the leftmost paths of the key roots i and j."""
    cdef int64_t width = j - lb[j] + 2
    cdef int64_t x, y, p, q
    cdef int32_t* row
    cdef int32_t* above
    cdef int32_t best, other
    cdef bint whole
    table[0] = 0
    for y in range(1, width):
        table[y] = <int32_t>y
    for x in range(la[i], i + 1):
        p = x - la[i] + 1
        row = table + p * width
        above = row - width
        row[0] = <int32_t>p
        whole = la[x] == la[i]
        for y in range(lb[j], j + 1):
            q = y - lb[j] + 1
            best = above[q] + 1
            other = row[q - 1] + 1
            if other < best:
                best = other
            if whole and lb[y] == lb[j]:
                other = above[q - 1] + (0 if a[x] == b[y] else substitution)
                if other < best:
                    best = other
                trees[x * nb + y] = best
            else:
                other = table[(la[x] - la[i]) * width + lb[y] - lb[j]] + trees[x * nb + y]
                if other < best:
                    best = other
            row[q] = best


def tree_distances(
    object[int32_t, mode="c"] labels,
    object[int32_t, mode="c"] leftmost,
    object[int64_t, mode="c"] offsets,
    object[int64_t, mode="c"] left,
    object[int64_t, mode="c"] right,
    int64_t largest,
    int32_t substitution,
    object[int32_t, mode="c"] out,
):
    """Fill `out` with the distance for each pair of trees, of which none has more nodes than `largest`."""
    cdef int64_t pairs = len(left)
    cdef int64_t k, na, nb, roots_a, roots_b, s, t
    cdef const int32_t* a
    cdef const int32_t* la
    cdef const int32_t* b
    cdef const int32_t* lb
    cdef int32_t* trees = <int32_t*>malloc(<size_t>(largest * largest + 1) * sizeof(int32_t))
    cdef int32_t* table = <int32_t*>malloc(<size_t>((largest + 1) * (largest + 1)) * sizeof(int32_t))
    cdef int32_t* room = <int32_t*>malloc(<size_t>(3 * largest + 3) * sizeof(int32_t))
    if trees == NULL or table == NULL or room == NULL:
        free(trees)
        free(table)
        free(room)
        raise MemoryError(f"no memory for two trees of {largest} nodes")
    cdef int32_t* first = room
    cdef int32_t* second = room + largest + 1
    cdef int32_t* last = room + 2 * largest + 2
    with nogil:
        for k in range(pairs):
            na = offsets[left[k] + 1] - offsets[left[k]]
            nb = offsets[right[k] + 1] - offsets[right[k]]
            if na == 0 or nb == 0:
                out[k] = <int32_t>(na + nb)
                continue
            a = &labels[offsets[left[k]]]
            la = &leftmost[offsets[left[k]]]
            b = &labels[offsets[right[k]]]
            lb = &leftmost[offsets[right[k]]]
            roots_a = key_roots(la, na, first, last)
            roots_b = key_roots(lb, nb, second, last)
            for s in range(roots_a):
                for t in range(roots_b):
                    forests(a, la, first[s], b, lb, second[t], nb, substitution, trees, table)
            out[k] = trees[(na - 1) * nb + nb - 1]
    free(trees)
    free(table)
    free(room)
