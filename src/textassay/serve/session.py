"""Which pages a participant sees, and which one is current: pure functions of the study, the slot and the answers.

Each completed page has an answer stored under the page's key. The current page is the first without an answer, so
nothing else has to be remembered: after a reload or a crash, or on another device, the stored answers decide.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from textassay.design.plan import Slot, Trial
from textassay.screening.questionnaire import exclusion
from textassay.study.study import Block, Study

PageKind = Literal["consent", "questionnaire", "instructions", "trial", "break", "sitting"]
"""`sitting` is the page between two of them: it is passed when the participant comes back for the next."""


@dataclass(frozen=True)
class Page:
    """One page of a participant."""

    number: int
    """Position among the participant's pages, from 1; part of the page's address."""
    key: str
    """What its answer is stored under."""
    kind: PageKind
    block: str = ""
    """The block it belongs to, if any."""
    trial: Trial | None = None
    """The trial it shows, if any."""

    @property
    def practice(self) -> bool:
        """Whether it shows a practice trial."""
        return self.trial is not None and self.trial.kind == "practice"


@dataclass(frozen=True)
class Progress:
    """The `n`-th trial of `total`; practice trials are counted separately, within their block."""

    n: int
    total: int


@dataclass(frozen=True)
class PageSequence:
    """The pages of a participant, or of the researcher's preview, with their addresses."""

    base: str
    """Address under which the pages are."""
    pages: tuple[Page, ...]

    @property
    def end(self) -> str:
        """The address that follows the last page."""
        return self.base

    def url(self, number: int) -> str:
        """The address of a page; for a number after the last page, that of the end."""
        return f"{self.base}/{number}" if number <= len(self.pages) else self.end


def pages(study: Study, slot: Slot) -> tuple[Page, ...]:
    """All pages of a slot in order."""
    return tuple(
        Page(number, key, kind, block, trial) for number, (key, kind, block, trial) in enumerate(_all(study, slot), 1)
    )


_Planned = tuple[str, PageKind, str, Trial | None]


def _all(study: Study, slot: Slot) -> Iterator[_Planned]:
    if "consent" in study.pages:
        yield "consent", "consent", "", None
    if study.file.questionnaire:
        yield "questionnaire", "questionnaire", "", None
    for name in dict.fromkeys(trial.block for trial in slot.trials):  # in the order of the slot's plan
        yield from _of_block(study.block(name), [trial for trial in slot.trials if trial.block == name])


def _of_block(block: Block, trials: Sequence[Trial]) -> Iterator[_Planned]:
    if block.instructions:
        yield f"instructions:{block.name}", "instructions", block.name, None
    every = block.settings.design.break_every
    counted = sum(trial.kind != "practice" for trial in trials)
    sittings = block.settings.design.sittings
    ends = [counted * part // sittings for part in range(1, sittings)]
    passed = 0
    for trial in trials:
        yield trial.key, "trial", block.name, trial
        passed += trial.kind != "practice"
        # A break comes between trials: not after practice, not after the last trial, not where a sitting ends.
        if trial.kind != "practice" and passed in ends:
            yield f"sitting:{block.name}:{ends.index(passed) + 1}", "sitting", block.name, None
        elif every and trial.kind != "practice" and passed % every == 0 and passed < counted:
            yield f"break:{block.name}:{passed // every}", "break", block.name, None


@dataclass(frozen=True, slots=True)
class Answered:
    """Which of a participant's pages are answered: nearly always the first so many, and no others."""

    first: int
    """How many pages are answered before the first that is not."""
    further: frozenset[str] = frozenset()
    """Keys of later pages that are answered: the study has got new pages since."""

    @staticmethod
    def of(all_pages: Sequence[Page], keys: Container[str]) -> Answered:
        """From the keys of the answered pages."""
        due = current(all_pages, keys)
        first = len(all_pages) if due is None else due.number - 1
        return Answered(first, frozenset(page.key for page in all_pages[first:] if page.key in keys))

    def includes(self, page: Page) -> bool:
        """Whether the page is answered."""
        return page.number <= self.first or page.key in self.further

    def with_answer(self, all_pages: Sequence[Page], page: Page) -> Answered:
        """The same after an answer to the page."""
        if page.number != self.first + 1:
            return self
        first = page.number
        while self.further and first < len(all_pages) and all_pages[first].key in self.further:
            first += 1
        return Answered(first, self.further)

    def due(self, all_pages: Sequence[Page]) -> Page | None:
        """The current page; None after the last."""
        return all_pages[self.first] if self.first < len(all_pages) else None


def current(all_pages: Sequence[Page], answered: Container[str]) -> Page | None:
    """The first page without an answer; None if all have one."""
    return next((page for page in all_pages if page.key not in answered), None)


def sitting(all_pages: Sequence[Page], page: Page) -> Progress:
    """The sitting that a page belongs to, or that it ends, and how many there are."""
    ends = [other.number for other in all_pages if other.kind == "sitting"]
    return Progress(sum(end < page.number for end in ends) + 1, len(ends) + 1)


def waits(all_pages: Sequence[Page], answered: int) -> bool:
    """Whether a participant with answers to so many pages, in their order, is between two sittings."""
    return answered < len(all_pages) and all_pages[answered].kind == "sitting"


def hours_left(last_answer: datetime, wanted: float, now: datetime) -> float:
    """Hours until the next sitting may begin; 0 where it may."""
    return max(0.0, wanted - (now - last_answer).total_seconds() / 3600)


def may_open(page: Page, now: Page | None, *, may_go_back: bool) -> bool:
    """Whether a page may be opened when `now` is the current one; later pages may not."""
    return now is not None and (page.number == now.number or (may_go_back and page.number < now.number))


def progress(all_pages: Sequence[Page], page: Page) -> Progress | None:
    """Number of a trial page among the trials; None for other pages."""
    if page.trial is None:
        return None
    alike = [
        other
        for other in all_pages
        if other.trial is not None
        and other.practice == page.practice
        and (not page.practice or other.block == page.block)
    ]
    return Progress(alike.index(page) + 1, len(alike))


def passed_trials(all_pages: Sequence[Page], page: Page) -> Progress:
    """How many main trials come before a page, and how many there are."""
    counted = [other for other in all_pages if other.trial is not None and not other.practice]
    return Progress(sum(other.number < page.number for other in counted), len(counted))


def follows_practice(all_pages: Sequence[Page], page: Page) -> bool:
    """Whether this is the first main trial after practice, which participants should be told."""
    if page.trial is None or page.practice or page.number == 1:
        return False
    return all_pages[page.number - 2].practice


def is_excluded(study: Study, questionnaire: Mapping[str, Any]) -> bool:
    """Whether a stored answer of the questionnaire excludes the participant."""
    return any(exclusion(field, questionnaire.get(field.name)) is not None for field in study.file.questionnaire)
