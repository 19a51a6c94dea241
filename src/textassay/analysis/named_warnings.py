"""Warnings of several measures, each said once with the names of those it is about."""

from __future__ import annotations

from collections.abc import Iterable


def named_warnings(found: Iterable[tuple[str, Iterable[str]]]) -> list[str]:
    """One sentence a warning, in the order in which they first come.

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
