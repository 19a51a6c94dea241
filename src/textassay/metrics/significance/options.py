"""What can be asked of a paired test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, get_args

from textassay.errors import UsageError
from textassay.stats.distributions import check_choice
from textassay.stats.resampling.resamples import check_draws
from textassay.stats.samples import check_share

Form = Literal["valid", "sacrebleu"]
"""`valid`: two-sided, ties count against the difference; `sacrebleu`: p as that package has it."""


@dataclass(frozen=True, kw_only=True)
class PairedOptions:
    """Options of a paired test.

    Raises:
        UsageError: an impossible value.
    """

    baseline: str | None = None
    """The system that the others are compared with; by default the first."""
    all_pairs: bool = False
    """Compare every system with every other instead."""
    draws: int = 1000
    """Resamples, or random ways to swap segments."""
    seed: int = 0
    """Of the draws: the same seed gives the same p anywhere."""
    confidence: float = 0.95
    """Of intervals."""
    form: Form = "valid"
    """How p is counted."""

    def __post_init__(self) -> None:
        check_draws(self.draws)
        check_share("confidence", self.confidence)
        check_choice("form", self.form, get_args(Form))
        if self.all_pairs and self.baseline is not None:
            raise UsageError(f"all pairs have no baseline; leave out either all_pairs or baseline ({self.baseline})")

    def pairs(self, systems: Sequence[str]) -> list[tuple[str, str]]:
        """What is compared: baseline and system.

        Raises:
            UsageError: there are no two systems, or the baseline is none of them.
        """
        if len(systems) < 2:
            raise UsageError(f"a paired test compares systems; got {len(systems)} ({', '.join(systems) or 'none'})")
        if self.all_pairs:
            return list(combinations(systems, 2))
        baseline = systems[0] if self.baseline is None else self.baseline
        if baseline not in systems:
            raise UsageError(f"there is no system {baseline!r} to compare with; there are: {', '.join(systems)}")
        return [(baseline, system) for system in systems if system != baseline]
