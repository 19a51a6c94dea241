"""Which pages a participant passes, and where they stand: pure functions of the study, the slot and the answers.

Passing a page is an answer stored under the page's key. The current page is the first without an answer, so nothing
else has to be remembered: a reload, a crash or another device lands where the stored answers say.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from textassay.design.plan import Slot, Trial
from textassay.screening.questionnaire import excluded
from textassay.study.study import Block, Study

PageKind = Literal["consent", "questionnaire", "instructions", "trial", "break"]


@dataclass(frozen=True)
class Page:
    """One page that a participant passes."""

    number: int
    """Place among the participant's pages, from 1; part of the page's address."""
    key: str
    """What its answer is stored under."""
    kind: PageKind
    block: str = ""
    """The block it belongs to, if any."""
    trial: Trial | None = None
    """The trial it shows, if any."""

    @property
    def practice(self) -> bool:
        """Whether it is there to practise on."""
        return self.trial is not None and self.trial.kind == "practice"


@dataclass(frozen=True)
class Progress:
    """How far a trial page is: the `n`-th of `total`; practice counts apart, within its block."""

    n: int
    total: int


def pages(study: Study, slot: Slot) -> tuple[Page, ...]:
    """All pages of a slot in the order in which they are passed."""
    return tuple(
        Page(number, key, kind, block, trial) for number, (key, kind, block, trial) in enumerate(_all(study, slot), 1)
    )


_Planned = tuple[str, PageKind, str, Trial | None]


def _all(study: Study, slot: Slot) -> Iterator[_Planned]:
    if "consent" in study.pages:
        yield "consent", "consent", "", None
    if study.file.questionnaire:
        yield "questionnaire", "questionnaire", "", None
    for name in dict.fromkeys(trial.block for trial in slot.trials):  # in the order that the plan gives this slot
        yield from _of_block(study.block(name), [trial for trial in slot.trials if trial.block == name])


def _of_block(block: Block, trials: Sequence[Trial]) -> Iterator[_Planned]:
    if block.instructions:
        yield f"instructions:{block.name}", "instructions", block.name, None
    every = block.settings.design.break_every
    counted = sum(trial.kind != "practice" for trial in trials)
    passed = 0
    for trial in trials:
        yield trial.key, "trial", block.name, trial
        passed += trial.kind != "practice"
        # A break comes between trials: none after practice, none after the last.
        if every and trial.kind != "practice" and passed % every == 0 and passed < counted:
            yield f"break:{block.name}:{passed // every}", "break", block.name, None


def current(all_pages: Sequence[Page], answered: Container[str]) -> Page | None:
    """The first page without an answer; nothing when all are passed."""
    return next((page for page in all_pages if page.key not in answered), None)


def may_open(page: Page, now: Page | None, *, may_go_back: bool) -> bool:
    """Whether a page may be opened when `now` is the current one; a page ahead of it never may."""
    return now is not None and (page.number == now.number or (may_go_back and page.number < now.number))


def progress(all_pages: Sequence[Page], page: Page) -> Progress | None:
    """How far a trial page is; nothing for other pages."""
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
    """How many trials that count lie before a page, and how many there are."""
    counted = [other for other in all_pages if other.trial is not None and not other.practice]
    return Progress(sum(other.number < page.number for other in counted), len(counted))


def follows_practice(all_pages: Sequence[Page], page: Page) -> bool:
    """Whether this is the first trial that counts after practice, which participants should be told."""
    if page.trial is None or page.practice or page.number == 1:
        return False
    return all_pages[page.number - 2].practice


def is_excluded(study: Study, questionnaire: Mapping[str, Any]) -> bool:
    """Whether an answer in the questionnaire, as it is stored, excludes the person."""
    return any(excluded(field, questionnaire.get(field.name)) is not None for field in study.file.questionnaire)
