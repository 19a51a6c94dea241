"""What the statistics of preferences take besides the answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from textassay.analysis.options import ItemFactors


@dataclass(frozen=True)
class PreferenceOptions:
    """What is known about preferences besides the answers."""

    alpha: float = 0.05
    confidence: float = 0.95
    scales: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Ends of the scale of each criterion."""
    systems: Sequence[str] = ()
    """The order in which systems are shown; those not named follow by name."""
    item_factors: ItemFactors = field(default_factory=dict)
