"""The plan: for each slot, the trials of each block in order. Randomised once, stored, never recomputed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from textassay.errors import DataError

TrialKind = Literal["main", "repeat", "check", "practice"]

PLAN_FORMAT = 2


@dataclass(frozen=True, slots=True)
class Trial:
    """One thing that a participant is asked to do."""

    key: str
    """Unique in its slot; it reveals nothing about system or condition, since the browser sees it."""
    block: str
    kind: TrialKind
    position: int
    """Position in the block as the participant sees it, from 1; practice trials are counted separately."""
    item: str
    systems: tuple[str, ...] = ()
    """One for a rating, two for a preference …; none for practice and checks without a system."""
    randomised: Mapping[str, Any] = field(default_factory=dict)
    """What else was randomised for this trial, for example which text is shown on the left."""


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
    """Digest of what the plan was made from, to detect later changes of the study file."""

    def slot(self, number: int) -> Slot:
        """The slot of that number."""
        return self.slots[number - 1]

    def to_json(self) -> str:
        """The plan as JSON, one trial per line; the same bytes for the same plan."""
        slots = ",\n".join(_slot_json(slot) for slot in self.slots)
        return f'{{"format": {PLAN_FORMAT}, "made_from": "{self.made_from}", "slots": [\n{slots}\n]}}\n'

    @staticmethod
    def from_json(text: str) -> Plan:
        """A stored plan.

        Raises:
            DataError: the text is not a plan, or of a format that this release does not read.
        """
        try:
            stored = json.loads(text)
            stored_format = stored["format"]
            plan = (
                Plan(tuple(map(_slot, stored["slots"])), stored["made_from"]) if stored_format == PLAN_FORMAT else None
            )
        except (ValueError, TypeError, LookupError) as error:
            raise DataError(f"not a stored plan ({error}); restore the file from a backup") from None
        if plan is None:
            raise DataError(
                f"the plan has format {stored_format}, but this release of textassay reads format {PLAN_FORMAT}; "
                "open the study with the release that made the plan"
            )
        return plan


def _slot_json(slot: Slot) -> str:
    trials = ",\n".join("  " + json.dumps(_trial_fields(trial), ensure_ascii=False) for trial in slot.trials)
    head = json.dumps({"number": slot.number, "cohort": slot.cohort}, ensure_ascii=False).removesuffix("}")
    return f' {head}, "trials": [\n{trials}]}}'


def _trial_fields(trial: Trial) -> dict[str, Any]:
    fields = {
        "key": trial.key,
        "block": trial.block,
        "kind": trial.kind,
        "position": trial.position,
        "item": trial.item,
        "systems": trial.systems,
    }
    return {**fields, "randomised": trial.randomised} if trial.randomised else fields


def _slot(stored: Mapping[str, Any]) -> Slot:
    trials = tuple(Trial(**{**trial, "systems": tuple(trial["systems"])}) for trial in stored["trials"])
    return Slot(stored["number"], stored["cohort"], trials)
