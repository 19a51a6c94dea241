"""What simulated participants react to: differences between systems, and between single texts.

The scale is that of quality: in a rehearsal about which the study file says nothing, systems lie between -1 (the worst)
and 1 (the best), and each kind of trial turns that into its own unit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class TrueEffects:
    """The effects that a rehearsal puts in."""

    texts: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """By item and system what properties of the text add to its quality; 0 for texts not named."""
    systems: Mapping[str, float] | None = None
    """Quality by system, 0 for those not named; nothing: drawn from the study's seed."""
    named: Mapping[str, float] = field(default_factory=dict)
    """Effects as they were given, by name."""
