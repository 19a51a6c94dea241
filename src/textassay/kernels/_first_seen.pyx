# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Numbers labels, any Python objects, in the order in which they are first met.

A dictionary decides which labels are equal, as in plain Python. Most columns hold few objects over and over, so the
last object of each slot is remembered with its number: the same object has the same number, and no hash is needed. It
needs the GIL. `first_seen.py` checks everything; nothing is checked here.
"""

from libc.stdint cimport int32_t, uintptr_t
from libc.string cimport memset

cdef extern from "Python.h":
    ctypedef struct PyObject
    PyObject* PyDict_GetItemWithError(object mapping, object key) except? NULL
    PyObject* PyTuple_GetItem(object values, Py_ssize_t index) except NULL

cdef enum:
    SLOTS = 4096


def first_seen(tuple labels not None, dict seen not None, int32_t[::1] out):
    """The number of each label to `out`, and of each new one to `seen`. The tuple keeps all of its objects alive."""
    cdef PyObject* last[SLOTS]
    cdef int32_t number[SLOTS]
    cdef Py_ssize_t i
    cdef PyObject* label
    cdef PyObject* found
    cdef uintptr_t slot
    memset(last, 0, sizeof(last))
    for i in range(out.shape[0]):
        label = PyTuple_GetItem(labels, i)
        slot = (<uintptr_t>label >> 4) & (SLOTS - 1)  # objects lie on multiples of 16 bytes
        if last[slot] != label:
            found = PyDict_GetItemWithError(seen, <object>label)
            if found == NULL:
                number[slot] = <int32_t>len(seen)
                seen[<object>label] = number[slot]
            else:
                number[slot] = <object>found
            last[slot] = label
        out[i] = number[slot]
