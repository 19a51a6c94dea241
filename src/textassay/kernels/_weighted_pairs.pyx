# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False
"""Concordant and tied pairs of weighted things for many sets of weights, without the GIL.

Things come in the order of y, and from the highest x where y is tied. A binary indexed tree over the values of x (Fenwick
1994) holds the weights of those that came before, so that each thing costs as many steps as x has binary digits. What
weighs nothing costs none. `weighted_pairs.py` checks the arguments; nothing is checked here.
"""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset


cdef void counted(
    const int32_t* x,
    const int32_t* y,
    const int32_t* row,
    const int32_t* column,
    const double* rows,
    const double* columns,
    int64_t n,
    int64_t values,
    double* tree,
    double* level,
    double* out,
) noexcept nogil:
    """All five sums of one set of weights; `tree` and `level` have room for one number per value of x, and one more."""
    cdef double weight, below, whole = 0, same_y = 0, same = 0
    cdef double rising = 0, tied_x = 0, tied_y = 0, tied_both = 0, pairs = 0
    cdef int32_t last_x = -1, last_y = -1
    cdef int64_t i, place
    memset(tree, 0, <size_t>(values + 1) * sizeof(double))
    memset(level, 0, <size_t>(values + 1) * sizeof(double))
    for i in range(n):
        weight = rows[row[i]] * columns[column[i]]
        if weight == 0:
            continue
        if y[i] != last_y:
            same_y = 0
            same = 0
        elif x[i] != last_x:
            same = 0
        last_x = x[i]
        last_y = y[i]
        below = 0
        place = last_x  # values below x, as the tree counts from 1
        while place > 0:
            below += tree[place]
            place &= place - 1
        rising += weight * below
        pairs += weight * whole
        tied_x += weight * level[last_x]
        tied_y += weight * same_y
        tied_both += weight * same
        whole += weight
        level[last_x] += weight
        same_y += weight
        same += weight
        place = last_x + 1
        while place <= values:
            tree[place] += weight
            place += place & -place
    out[0] = rising
    out[1] = tied_x
    out[2] = tied_y
    out[3] = tied_both
    out[4] = pairs


def weighted_pairs(
    object[int32_t, mode="c"] x,
    object[int32_t, mode="c"] y,
    object[int32_t, mode="c"] row,
    object[int32_t, mode="c"] column,
    object[double, ndim=2, mode="c"] rows,
    object[double, ndim=2, mode="c"] columns,
    int64_t values,
    object[double, ndim=2, mode="c"] out,
):
    """Fill each row of `out` with the pairs where both rise, tied in x, in y, in both, and all of them."""
    cdef int64_t n = len(x)
    cdef int64_t draws = len(out)
    cdef int64_t k
    cdef double* room = <double*>malloc(<size_t>(2 * values + 2) * sizeof(double))
    if room == NULL:
        raise MemoryError(f"no memory for {values} values")
    with nogil:
        for k in range(draws):
            counted(
                &x[0], &y[0], &row[0], &column[0], &rows[k, 0], &columns[k, 0], n, values, room, room + values + 1,
                &out[k, 0],
            )
    free(room)
