# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False
"""Looks at whole texts, of a list at a time: whether they are strings, whether two are equal, or have equal words.

Strings are read as they are, one character after the other and only as far as needed, with the GIL. `texts.py` checks
the arguments; nothing is checked here.
"""

from libc.stdint cimport uint8_t, uint32_t

cdef extern from "Python.h":
    ctypedef struct PyObject
    PyObject* PyList_GetItem(object values, Py_ssize_t index) except NULL
    Py_ssize_t PyUnicode_GetLength(PyObject* text) except -1
    uint32_t PyUnicode_ReadChar(PyObject* text, Py_ssize_t place) except? 0xFFFFFFFF
    object PyUnicode_RichCompare(PyObject* first, PyObject* second, int operator)
    int Py_EQ

include "_white_space.pxi"


def are_strings(list values not None):
    """Whether each is of the type `str` itself."""
    cdef Py_ssize_t k
    for k in range(len(values)):
        if type(<object>PyList_GetItem(values, k)) is not str:
            return False
    return True


def equal_texts(list left not None, list right not None, object[uint8_t, mode="c"] out):
    """Fill `out` with whether both texts of each pair are equal."""
    cdef Py_ssize_t k
    for k in range(len(left)):
        out[k] = same_text(PyList_GetItem(left, k), PyList_GetItem(right, k))


def equal_words(list left not None, list right not None, object[uint8_t, mode="c"] out):
    """Fill `out` with whether both texts of each pair have the same words by white space."""
    cdef PyObject* first
    cdef PyObject* second
    cdef Py_ssize_t k
    for k in range(len(left)):
        first, second = PyList_GetItem(left, k), PyList_GetItem(right, k)
        out[k] = same_text(first, second) or same_words(first, second)


def texts_without_words(list texts not None):
    """How many have nothing but white space."""
    cdef PyObject* text
    cdef Py_ssize_t k
    cdef Py_ssize_t found = 0
    for k in range(len(texts)):
        text = PyList_GetItem(texts, k)
        found += word_from(text, 0, PyUnicode_GetLength(text)) < 0
    return found


cdef inline bint same_text(PyObject* first, PyObject* second) except -1:
    return first == second or PyUnicode_RichCompare(first, second, Py_EQ) is True


cdef inline Py_ssize_t word_from(PyObject* text, Py_ssize_t place, Py_ssize_t end) except -2:
    """Where the next word begins; -1 where there is none."""
    while place < end:
        if not is_space(PyUnicode_ReadChar(text, place)):
            return place
        place += 1
    return -1


cdef bint same_words(PyObject* first, PyObject* second) except -1:
    cdef Py_ssize_t m = PyUnicode_GetLength(first)
    cdef Py_ssize_t n = PyUnicode_GetLength(second)
    cdef Py_ssize_t i = word_from(first, 0, m)
    cdef Py_ssize_t j = word_from(second, 0, n)
    cdef uint32_t one, other
    while i >= 0 and j >= 0:
        while i < m and j < n:  # within a word
            one, other = PyUnicode_ReadChar(first, i), PyUnicode_ReadChar(second, j)
            if one != other:
                if not (is_space(one) and is_space(other)):
                    return False
                break
            i += 1
            j += 1
            if is_space(one):
                break
        if (i == m and j < n and not is_space(PyUnicode_ReadChar(second, j))) or (
            j == n and i < m and not is_space(PyUnicode_ReadChar(first, i))
        ):
            return False
        i, j = word_from(first, i, m), word_from(second, j, n)
    return i < 0 and j < 0
