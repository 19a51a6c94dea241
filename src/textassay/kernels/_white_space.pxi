# White space, for the kernels that read strings.

cdef inline bint is_space(uint32_t code) noexcept nogil:
    """What Python's `str.isspace` takes for white space."""
    if code < 0x85:
        return code == 32 or 9 <= code <= 13 or 28 <= code <= 31
    if code < 0x1680:
        return code == 0x85 or code == 0xA0
    if code > 0x3000:
        return False
    return (
        code == 0x3000 or 0x2000 <= code <= 0x200A or code == 0x2028 or code == 0x2029 or code == 0x202F
        or code == 0x205F or code == 0x1680
    )
