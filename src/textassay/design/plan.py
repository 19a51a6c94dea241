"""The plan: for each slot, the trials of each block in order. Randomised once, stored, never recomputed.

A plan may have a million trials, whose parts are the same in many slots. So it is held as numbers that refer to lists
of distinct parts, and a slot is made when it is asked for.
"""

from __future__ import annotations

import json
import zlib
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import eq
from typing import Any, Literal, NamedTuple, TextIO, overload

import numpy as np

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


class TrialPage(NamedTuple):
    """The place of a trial, whatever it shows."""

    key: str
    block: str
    kind: TrialKind
    position: int


class TrialContent(NamedTuple):
    """What a trial shows, wherever it comes."""

    block: str
    kind: TrialKind
    item: str
    systems: tuple[str, ...]


class _CompactSlot(NamedTuple):
    """A slot, with two numbers for each of its trials."""

    number: int
    cohort: str
    pages: array[int]
    contents: array[int]
    randomised: bytes
    """What else was randomised, trial by trial, as compressed JSON; empty where nothing was."""


_KEPT = 64
"""Slots that stay made after they were asked for."""


class Slots(Sequence[Slot]):
    """The slots of a plan, each made when it is asked for; those asked for last are kept."""

    def __init__(self, stored: Iterable[str]) -> None:
        """Read slots.

        Args:
            stored: Each slot as it is stored; they need not be in memory together.

        Raises:
            ValueError: one is not laid out as a stored slot; or a `TypeError` or `LookupError`.
        """
        reader = _Reader()
        self._compact = [reader.slot(text) for text in stored]
        self.pages: Sequence[TrialPage] = reader.pages
        """The places that trials have in any slot."""
        self.contents: Sequence[TrialContent] = reader.contents
        """What trials show in any slot."""
        self.cohort_of = {slot.number: slot.cohort for slot in self._compact}
        """The cohort of each slot, by its number, in the order of the plan."""
        self.cohorts: dict[str, list[int]] = {}
        """The numbers of the slots of each cohort."""
        for number, cohort in self.cohort_of.items():
            self.cohorts.setdefault(cohort, []).append(number)
        self._recent = lru_cache(_KEPT)(self._make)

    def __len__(self) -> int:
        return len(self._compact)

    @overload
    def __getitem__(self, index: int) -> Slot: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Slot, ...]: ...
    def __getitem__(self, index: int | slice) -> Slot | tuple[Slot, ...]:
        places = range(len(self))[index]
        return self._recent(places) if isinstance(places, int) else tuple(map(self._make, places))

    def __iter__(self) -> Iterator[Slot]:
        return map(self._make, range(len(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Slots) and len(self) == len(other) and all(map(eq, self, other))

    def __hash__(self) -> int:
        return hash(tuple(self.contents))

    def __reduce__(self) -> tuple[type[Slots], tuple[list[str]]]:
        return Slots, ([*map(_slot_json, self)],)

    def trials_of(self, number: int) -> Iterator[tuple[TrialPage, TrialContent]]:
        """The trials of a slot, without making them."""
        slot = self._compact[number - 1]
        places, shown = map(self.pages.__getitem__, slot.pages), map(self.contents.__getitem__, slot.contents)
        return zip(places, shown, strict=True)

    def order_of(self, number: int) -> bytes:
        """What slots have in common if their trials come at the same places in the same order."""
        return self._compact[number - 1].pages.tobytes()

    def content_counts(self, numbers: Iterable[int]) -> Counter[TrialContent]:
        """How many trials of these slots show each content; not one of them is made."""
        shown = b"".join(self._compact[number - 1].contents for number in numbers)
        found: Counter[TrialContent] = Counter()
        for content, times in enumerate(np.bincount(np.frombuffer(shown, dtype=np.uintc)).tolist()):
            if times:
                found[self.contents[content]] += times
        return found

    def _make(self, place: int) -> Slot:
        slot = self._compact[place]
        randomised = json.loads(zlib.decompress(slot.randomised)) if slot.randomised else ({} for _ in slot.pages)
        parts = zip(slot.pages, slot.contents, randomised, strict=True)
        trials = (Trial(*self.pages[page], *self.contents[content][2:], more) for page, content, more in parts)
        return Slot(slot.number, slot.cohort, tuple(trials))


class _Reader:
    """Turns stored slots into numbers. The text of each distinct part is decoded once, for there may be a million."""

    def __init__(self) -> None:
        self.pages: list[TrialPage] = []
        self.contents: list[TrialContent] = []
        self._known: dict[str, tuple[int, dict[str, int]]] = {}
        """By the text of a page: its number, and the numbers of contents of the same block and kind."""
        self._alike: dict[tuple[str, str], dict[str, int]] = {}

    def slot(self, text: str) -> _CompactSlot:
        """The slot of this text."""
        head, _, listed = text.partition(_TRIALS)
        about = json.loads(head + "}")
        trials = _without("}]}", listed).split("},\n") if listed != "]}" else ()
        # A quotation mark inside a JSON string has a backslash before it, so this begins no part of a name.
        parts = [trial.partition(_ITEM) for trial in trials]
        places = [self._known.get(place) or self._page(place) for place, _, _ in parts]
        known = (alike.get(shown) for (_, alike), (_, _, shown) in zip(places, parts, strict=True))
        contents = [each for each in known if each is not None]
        randomised: Sequence[str] = ()
        if len(contents) < len(parts):  # some are new, or more was randomised
            both = [shown.partition(_RANDOMISED) for _, _, shown in parts]
            contents = [self._content(shown, *place) for place, (shown, _, _) in zip(places, both, strict=True)]
            randomised = [more for _, _, more in both]
        pages = array("I", [number for number, _ in places])
        return _CompactSlot(about["number"], about["cohort"], pages, array("I", contents), _compressed(randomised))

    def _page(self, text: str) -> tuple[int, dict[str, int]]:
        page = TrialPage(**json.loads(text + "}"))
        alike = self._alike.setdefault((page.block, page.kind), {})
        self._known[text] = len(self.pages), alike
        self.pages.append(page)
        return self._known[text]

    def _content(self, text: str, page: int, alike: dict[str, int]) -> int:
        if text not in alike:
            shown = json.loads(f'{{"item": {text}}}')
            if shown.keys() != {"item", "systems"}:
                raise ValueError(f"not what a trial shows: {text}")
            place = self.pages[page]
            alike[text] = len(self.contents)
            self.contents.append(TrialContent(place.block, place.kind, shown["item"], tuple(shown["systems"])))
        return alike[text]


def _compressed(randomised: Sequence[str]) -> bytes:
    if not any(randomised):
        return b""
    text = f"[{','.join(each or '{}' for each in randomised)}]"
    json.loads(text)  # raises an error now if it is none
    return zlib.compress(text.encode(), level=1)


def _without(ending: str, text: str) -> str:
    if not text.endswith(ending):
        raise ValueError(f"{ending!r} is missing")
    return text.removesuffix(ending)


class Plan:
    """All slots of a study."""

    def __init__(self, slots: Iterable[Slot], made_from: str) -> None:
        self.slots = slots if isinstance(slots, Slots) else Slots(map(_slot_json, slots))
        self.made_from = made_from
        """Digest of what the plan was made from, to detect later changes of the study file."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plan) and (self.made_from, self.slots) == (other.made_from, other.slots)

    def __hash__(self) -> int:
        return hash((self.made_from, self.slots))

    def slot(self, number: int) -> Slot:
        """The slot of that number."""
        return self.slots[number - 1]

    def numbers(self, cohort: str) -> Sequence[int]:
        """The numbers of the slots of a cohort, in order; empty where there is no such cohort."""
        return self.slots.cohorts.get(cohort, ())

    @property
    def cohorts(self) -> Sequence[str]:
        """The cohorts that have slots, in the order of the plan."""
        return tuple(self.slots.cohorts)

    def to_json(self) -> str:
        """The plan as JSON, one trial per line; the same bytes for the same plan."""
        return "".join(self.lines())

    def lines(self) -> Iterator[str]:
        """What `to_json` gives, slot by slot."""
        yield f'{{"format": {PLAN_FORMAT}, "made_from": "{self.made_from}", "slots": ['
        for place, slot in enumerate(self.slots):
            yield f"{',' if place else ''}\n{_slot_json(slot)}"
        yield "\n]}\n" if len(self.slots) else "\n\n]}\n"

    @staticmethod
    def from_file(file: TextIO) -> Plan | None:
        """A plan from its file, slot by slot; None if it is not laid out as `lines` writes it."""
        try:
            head = json.loads(file.readline() + "]}")
            if head["format"] != PLAN_FORMAT:
                return None
            return Plan(Slots(_slot_texts(file)), head["made_from"])
        except _NOT_A_PLAN:
            return None

    @staticmethod
    def from_json(text: str) -> Plan:
        """A stored plan, in whatever layout.

        Raises:
            DataError: the text is not a plan, or of a format that this release does not read.
        """
        try:
            stored = json.loads(text)
            stored_format = stored["format"]
            plan = Plan(map(_slot, stored["slots"]), stored["made_from"]) if stored_format == PLAN_FORMAT else None
        except _NOT_A_PLAN as error:
            why = "it is nested too deeply" if isinstance(error, RecursionError) else error
            raise DataError(f"not a stored plan ({why}); restore the file from a backup") from None
        if plan is None:
            raise DataError(
                f"the plan has format {stored_format}, but this release of textassay reads format {PLAN_FORMAT}; "
                "open the study with the release that made the plan"
            )
        return plan


_NOT_A_PLAN = (ValueError, TypeError, LookupError, AttributeError, RecursionError)


_SLOT, _TRIALS, _ITEM, _RANDOMISED = ' {"number": ', ', "trials": [\n', ', "item": ', ', "randomised": '
"""How the parts of a stored slot begin."""
_PIECE = 1 << 20


def _slot_texts(file: TextIO) -> Iterator[str]:
    """Each slot as it is stored, from the rest of the file after its first line."""
    begun = ""
    while piece := file.read(_PIECE):
        # No text in JSON holds the end of a line, and the lines of trials begin otherwise.
        *whole, begun = (begun + piece).split(",\n" + _SLOT)
        for text in whole:
            yield text if text.startswith(_SLOT) else _SLOT + text
    last = _without("\n]}\n", begun)
    if last:
        yield last if last.startswith(_SLOT) else _SLOT + last


def _slot_json(slot: Slot) -> str:
    trials = ",\n".join("  " + json.dumps(_trial_fields(trial), ensure_ascii=False) for trial in slot.trials)
    head = json.dumps({"number": slot.number, "cohort": slot.cohort}, ensure_ascii=False).removesuffix("}")
    return f" {head}{_TRIALS}{trials}]}}"


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
