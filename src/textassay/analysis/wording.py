"""Words that all recipes share: names of files, levels in per cent, lists of names, warnings of several measures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_LISTED = 5
"""How many names a warning lists."""


def slug(name: str) -> str:
    """A name for files: lower case letters and digits joined by hyphens.

    >>> slug("Clarity & Style")
    'clarity-style'
    """
    return "-".join(re.findall(r"\w+", name.lower())) or "criterion"


def per_cent(level: float) -> str:
    """A level of confidence as a reader wants it.

    >>> per_cent(0.95)
    '95 %'
    """
    return f"{100 * level:g} %"


def list_some(names: Sequence[str]) -> str:
    """The first names, and how many more there are.

    >>> list_some(["a", "b", "c", "d", "e", "f", "g"])
    'a, b, c, d, e and 2 more'
    """
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return ", ".join(names[:_LISTED]) + more


def named_warnings(found: Iterable[tuple[str, Iterable[str]]]) -> list[str]:
    """One sentence per warning, with the names of all that it is about, in the order in which they first come.

    >>> named_warnings([("P", ["the fit is singular"]), ("P_AP", ["one item only", "the fit is singular"])])
    ['P, P_AP: the fit is singular', 'P_AP: one item only']

    Args:
        found: What the warnings are about, and the warnings.
    """
    names: dict[str, list[str]] = {}
    for of, warnings in found:
        for text in warnings:
            names.setdefault(text, []).append(of)
    return [f"{', '.join(dict.fromkeys(about))}: {text}" for text, about in names.items()]
