"""The plan: for each slot, the trials of each block in order. Drawn once, stored, never drawn again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

TrialKind = Literal["main", "repeat", "check", "practice"]

PLAN_FORMAT = 1


@dataclass(frozen=True)
class Trial:
    """One thing that a participant is asked to do."""

    key: str
    """Unique in its slot; says nothing about system or condition, for browsers see it."""
    block: str
    kind: TrialKind
    position: int
    """Place in the block as the participant sees it, from 1; practice counts separately."""
    item: str
    systems: tuple[str, ...] = ()
    """One for a rating, two for a preference …; none for practice and checks without a system."""
    drawn: Mapping[str, Any] = field(default_factory=dict)
    """What else the design drew for this trial, for example which text stands left."""


@dataclass(frozen=True)
class Slot:
    """What one participant gets to see."""

    number: int
    """From 1."""
    cohort: str
    trials: tuple[Trial, ...]
    """All trials in the order in which they are shown, block after block, practice first in each."""


@dataclass(frozen=True)
class Plan:
    """All slots of a study."""

    slots: tuple[Slot, ...]
    made_from: str
    """Digest of what the plan was drawn from, to notice when the study file has changed since."""

    def slot(self, number: int) -> Slot:
        """The slot of that number."""
        return self.slots[number - 1]

    def to_json(self) -> str:
        """The plan as JSON, the same bytes for the same plan."""
        return json.dumps({"format": PLAN_FORMAT, **asdict(self)}, ensure_ascii=False, indent=1) + "\n"

    @staticmethod
    def from_json(text: str) -> Plan:
        """A stored plan."""
        stored = json.loads(text)
        slots = tuple(
            Slot(
                slot["number"],
                slot["cohort"],
                tuple(Trial(**{**trial, "systems": tuple(trial["systems"])}) for trial in slot["trials"]),
            )
            for slot in stored["slots"]
        )
        return Plan(slots, stored["made_from"])
