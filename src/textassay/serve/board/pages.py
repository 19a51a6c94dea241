"""Pages of the board: overview, participants and slots; login, and pausing of recruiting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from textassay.answers.records import Participant
from textassay.screening.verdicts import RuleReason, Verdict
from textassay.serve.board.downloads import table_names
from textassay.serve.board.overview import STANDINGS, BoardOverview, SlotState, Standing
from textassay.serve.board.state import BoardSnapshot
from textassay.serve.site import Site

T = TypeVar("T")


@dataclass(frozen=True)
class ListPage:
    """One page of a long list.

    >>> ListPage.asked("2", 250, 100)
    ListPage(number=2, total=3, size=100)
    >>> ListPage.asked("99", 250, 100).number, ListPage.asked("x", 0, 100).total
    (3, 1)
    """

    number: int
    """From 1."""
    total: int
    """Number of pages."""
    size: int
    """Entries per page."""

    @classmethod
    def asked(cls, number: str, entries: int, size: int) -> ListPage:
        """The page with that number, or the nearest existing one."""
        total = max(1, -(-entries // size))
        asked = int(number) if number.isascii() and number.isdigit() and len(number) < 10 else 1
        return cls(min(max(asked, 1), total), total, size)

    def of(self, entries: Sequence[T]) -> Sequence[T]:
        """The entries on this page."""
        return entries[(self.number - 1) * self.size : self.number * self.size]


def board_page(site: Site, template: str, here: str, *, status: int = 200, **values: Any) -> Response:
    """A page of the board; `here` is its entry in the navigation."""
    cohorts = [cohort.name for cohort in site.study.cohorts if cohort.name]
    return site.renderer.page(template, status=status, here=here, cohorts=cohorts, **values)


_A_PAGE = 100


class ExclusionReason(BaseModel):
    """Why a rule excludes a participant."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    rule: str
    """Name of the rule in the study file."""
    text: str
    """What the rule found, in the language of the interface."""


class ParticipantRow(BaseModel):
    """One participant, with the code used in the tables; names and links are never shown together with codes."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    code: str
    cohort: str
    slot: int
    standing: Standing
    """As in the overview."""
    passed: int
    """Answered pages."""
    pages: int
    """All pages."""
    started_at: datetime
    last_seen_at: datetime
    valid: bool | None
    """Whether the participant passed all rules; null until finished."""
    simulated: bool
    """Whether a program answered in place of a person."""
    reasons: list[ExclusionReason]


class ParticipantList(BaseModel):
    """One page of the list of participants, most recently active first."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    people: list[ParticipantRow]
    counts: dict[str, int]
    """Number of participants by standing."""
    part: int
    """Page of the list, from 1."""
    parts: int


@dataclass(frozen=True)
class ParticipantQuery:
    """Which participants to list."""

    standing: str = ""
    """Only those with this standing; empty for all."""
    part: str = "1"
    size: int = _A_PAGE

    @classmethod
    def of(cls, request: Request) -> ParticipantQuery:
        """Read the query of a request."""
        standing = request.query_params.get("standing", "")
        return cls(standing if standing in STANDINGS else "", request.query_params.get("part", "1"))


def people_at(site: Site, seen: BoardSnapshot, query: ParticipantQuery) -> ParticipantList:
    """The requested participants at that moment."""
    wanted = [person for person in seen.people if query.standing in ("", seen.standings[person.id])]
    wanted.sort(key=lambda person: person.last_seen_at, reverse=True)
    part = ListPage.asked(query.part, len(wanted), query.size)
    shown = part.of(wanted)
    verdicts = site.board.verdicts(seen, shown)
    counts = Counter(seen.standings.values())
    return ParticipantList(
        people=[_row(site, seen, person, verdicts.get(person.id)) for person in shown],
        counts={standing: counts[standing] for standing in STANDINGS},
        part=part.number,
        parts=part.total,
    )


def _people_now(site: Site, query: ParticipantQuery) -> ParticipantList:
    with site.board.moment(site.clock()) as seen:
        return people_at(site, seen, query)


def _row(site: Site, seen: BoardSnapshot, person: Participant, verdict: Verdict | None) -> ParticipantRow:
    pages, passed = site.pages(person.slot), seen.progress_of(person).pages
    return ParticipantRow(
        code=person.code,
        cohort=person.cohort,
        slot=person.slot,
        standing=seen.standings[person.id],
        passed=sum(each.key in passed for each in pages),
        pages=len(pages),
        started_at=person.started_at,
        last_seen_at=person.last_seen_at,
        valid=None if verdict is None else verdict.valid,
        simulated=person.simulated,
        reasons=[_reason(site, each) for each in verdict.reasons] if verdict else [],
    )


def _reason(site: Site, reason: RuleReason) -> ExclusionReason:
    said = "; ".join(site.messages(each.key, **each.values) for each in reason.findings)
    return ExclusionReason(rule=reason.rule, text=said)


async def people(request: Request, site: Site) -> Response:
    """The page of participants."""
    query = ParticipantQuery.of(request)
    found = await site.store.asynchronously(_people_now, site, query)
    shown: dict[str, Any] = {"found": found, "standing": query.standing, "standings": STANDINGS}
    return board_page(site, "board_people.html", "people", **shown)


async def people_json(request: Request, site: Site) -> Response:
    """The participants as JSON."""
    found = await site.store.asynchronously(_people_now, site, ParticipantQuery.of(request))
    return JSONResponse(found.model_dump(mode="json"))


_NEWEST = ParticipantQuery(size=8)
_SLOTS_A_PAGE = 200


async def enter(request: Request, site: Site) -> Response:
    """Exchange the researcher's link for a cookie, so that the token appears in no further address."""
    token = request.path_params["token"]
    if not site.is_board_token(token):
        raise HTTPException(404)
    # After a link on another site the browser would not send the cookie with a redirection.
    elsewhere = request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
    reply = site.renderer.page("board_enter.html") if elsewhere else RedirectResponse("/board", 303)
    site.address.notice(request.headers)
    reply.set_cookie(site.cookie("board"), token, secure=site.is_secure(request), httponly=True, samesite="strict")
    return reply


async def board(_request: Request, site: Site) -> Response:
    """The overview page."""
    now, newest = await site.store.asynchronously(_both, site)
    shown: dict[str, Any] = {
        "several": len(site.study.blocks) > 1,
        "tables": table_names(site.study),
        "changes": site.changes,
        "trouble": site.store.trouble,
        "unread": site.unread,
        "address": site.address,
    }
    return board_page(site, "board.html", "overview", now=now, newest=newest, **shown)


async def status(_request: Request, site: Site) -> Response:
    """The overview as JSON."""
    now = await site.store.asynchronously(_now, site)
    return JSONResponse(now.model_dump(mode="json"))


async def slots(request: Request, site: Site) -> Response:
    """The page of slots."""
    states = await site.store.asynchronously(_slots, site)
    part = ListPage.asked(request.query_params.get("part", "1"), len(states), _SLOTS_A_PAGE)
    return board_page(site, "board_slots.html", "slots", slots=part.of(states), part=part.number, parts=part.total)


def _now(site: Site) -> BoardOverview:
    with site.board.moment(site.clock()) as seen:
        return site.board.overview(seen, site.pages)


def _both(site: Site) -> tuple[BoardOverview, ParticipantList]:
    with site.board.moment(site.clock()) as seen:
        return site.board.overview(seen, site.pages), people_at(site, seen, _NEWEST)


def _slots(site: Site) -> list[SlotState]:
    with site.board.moment(site.clock()) as seen:
        return site.board.slots(seen)


async def pause(_request: Request, site: Site) -> Response:
    """Pause recruiting."""
    await site.store.asynchronously(site.store.recruiting.pause)
    return RedirectResponse("/board", 303)


async def resume(_request: Request, site: Site) -> Response:
    """Resume recruiting."""
    await site.store.asynchronously(site.store.recruiting.resume)
    return RedirectResponse("/board", 303)
