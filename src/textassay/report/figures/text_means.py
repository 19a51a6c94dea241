"""Means with their intervals of what are no systems, such as texts: drawn as means of systems, all in one colour.

Data: as of the kind `means`, with the name of a text as `system`.
"""

from __future__ import annotations

from collections.abc import Sequence

from textassay.report.figures.means import describe, draw
from textassay.results import Figure

__all__ = ["describe", "draw", "systems"]


def systems(figure: Figure) -> Sequence[str]:
    """None: a text has no colour of its own."""
    del figure
    return ()
