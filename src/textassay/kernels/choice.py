"""Which loops are in use: the compiled ones or their plain-Python fallbacks.

The environment variable `TEXTASSAY_KERNELS` decides: `python` forces the fallbacks, `auto` (the default) takes the
compiled loop where there is one. It is read at each call, so that a test can run the same code both ways.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from types import ModuleType

from textassay.errors import UsageError

KERNELS = (
    "edits",
    "gtm",
    "gtm_short",
    "inversions",
    "lcs",
    "ngrams",
    "numbering",
    "signs",
    "skips",
    "ter",
    "texts",
    "tours",
    "trees",
    "weighted_pairs",
)
"""The compiled modules: `_<name>.pyx` has the loops, `<name>.py` the public functions and their fallbacks."""

VARIABLE = "TEXTASSAY_KERNELS"


def compiled() -> bool:
    """Whether every kernel runs compiled now."""
    return all(compiled_loop(name) is not None for name in KERNELS)


def compiled_loop(name: str) -> ModuleType | None:
    """The compiled module of that kernel, or None if the fallback must be used.

    Raises:
        UsageError: `TEXTASSAY_KERNELS` has an unknown value.
    """
    wanted = os.environ.get(VARIABLE) or "auto"
    if wanted not in ("auto", "python"):
        raise UsageError(f"{VARIABLE} is {wanted!r}; set it to 'python' for the plain-Python fallbacks, or to 'auto'")
    return _built(name) if wanted == "auto" else None


@cache
def _built(name: str) -> ModuleType | None:
    try:
        return import_module(f"textassay.kernels._{name}")
    except ImportError:  # built without a compiler, or for another interpreter
        return None
