"""Everybody who has begun, with what the screening rules say of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from textassay.answers.records import Participant
from textassay.screening.screen import Reason, Verdict
from textassay.serve.board.frame import page
from textassay.serve.board.overview import STANDINGS, Standing
from textassay.serve.board.parts import Part
from textassay.serve.board.state import Moment
from textassay.serve.site import Site

_A_PAGE = 100


class ReasonRow(BaseModel):
    """Why a rule leaves somebody out."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    rule: str
    """Name of the rule in the study file."""
    text: str
    """What it found, in the language of the study's pages."""


class PersonRow(BaseModel):
    """One participant, under the code that the tables have: names and links stand elsewhere, apart from codes."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    code: str
    cohort: str
    slot: int
    standing: Standing
    """As in the overview."""
    passed: int
    """Pages passed."""
    pages: int
    """Pages in all."""
    started_at: datetime
    last_seen_at: datetime
    valid: bool | None
    """Whether no rule has anything to say; nothing as long as the person is not finished."""
    reasons: list[ReasonRow]


class People(BaseModel):
    """A part of the list of participants, those seen last first."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    people: list[PersonRow]
    counts: dict[str, int]
    """How many there are of each standing."""
    part: int
    """Which part of the list this is, from 1."""
    parts: int


@dataclass(frozen=True)
class Wish:
    """Which participants are wanted."""

    standing: str = ""
    """Those who stand so; empty: everybody."""
    part: str = "1"
    size: int = _A_PAGE

    @classmethod
    def of(cls, request: Request) -> Wish:
        """What a request asks for."""
        standing = request.query_params.get("standing", "")
        return cls(standing if standing in STANDINGS else "", request.query_params.get("part", "1"))


def people_at(site: Site, seen: Moment, wish: Wish) -> People:
    """The participants who are wanted, as they stand at that moment."""
    wanted = [person for person in seen.people if wish.standing in ("", seen.standings[person.id])]
    wanted.sort(key=lambda person: person.last_seen_at, reverse=True)
    part = Part.asked(wish.part, len(wanted), wish.size)
    shown = part.of(wanted)
    verdicts = site.board.verdicts(seen, shown)
    counts = Counter(seen.standings.values())
    return People(
        people=[_row(site, seen, person, verdicts.get(person.id)) for person in shown],
        counts={standing: counts[standing] for standing in STANDINGS},
        part=part.number,
        parts=part.total,
    )


def _now(site: Site, wish: Wish) -> People:
    with site.board.moment(site.clock()) as seen:
        return people_at(site, seen, wish)


def _row(site: Site, seen: Moment, person: Participant, verdict: Verdict | None) -> PersonRow:
    pages, passed = site.pages(person.slot), seen.marks_of(person).pages
    return PersonRow(
        code=person.code,
        cohort=person.cohort,
        slot=person.slot,
        standing=seen.standings[person.id],
        passed=sum(each.key in passed for each in pages),
        pages=len(pages),
        started_at=person.started_at,
        last_seen_at=person.last_seen_at,
        valid=None if verdict is None else verdict.valid,
        reasons=[_reason(site, each) for each in verdict.reasons] if verdict else [],
    )


def _reason(site: Site, reason: Reason) -> ReasonRow:
    said = "; ".join(site.messages(each.key, **each.values) for each in reason.findings)
    return ReasonRow(rule=reason.rule, text=said)


async def people(request: Request, site: Site) -> Response:
    """Everybody, for people."""
    wish = Wish.of(request)
    found = await site.store.asynchronously(_now, site, wish)
    shown: dict[str, Any] = {"found": found, "standing": wish.standing, "standings": STANDINGS}
    return page(site, "board_people.html", "people", **shown)


async def people_json(request: Request, site: Site) -> Response:
    """Everybody, for programs."""
    found = await site.store.asynchronously(_now, site, Wish.of(request))
    return JSONResponse(found.model_dump(mode="json"))
