"""The start page, and joining the study. Opening a link creates no participant, since link previews open links too."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Literal
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from textassay.answers.records import Participant, Referral
from textassay.answers.store import RecruitingPaused, Reserved, StudyFull
from textassay.serve.platforms import Arrival
from textassay.serve.site import Site
from textassay.study.markup import markdown

_REMEMBERED = timedelta(days=60)


@dataclass(frozen=True)
class Entry:
    """What a visitor may do who opens a link to the study."""

    state: Literal["begin", "known", "return", "look", "paused", "taken"]
    """`known`: a participant started on this device. `return`: the participant with the platform's id may continue.
    `look`: the platform only previews the study. `taken`: the platform's id has been used, perhaps by someone else."""
    action: str = ""
    """Target of the form."""
    known: str = ""
    """Address of the participant who started on this device, if any."""
    anywhere: bool = False
    """Whether the same link works on every device."""


# --- the public link -------------------------------------------------------------------------------------------------


async def start(request: Request, site: Site) -> Response:
    """The start page: what the study is about, and the button that starts it."""
    cohort = _cohort(request, site)
    site.address.notice(request.headers)
    return start_page(site, cohort, await _entry(request, site, cohort))


async def join(request: Request, site: Site) -> Response:
    """Give a new participant a slot and a link; send a returning one to theirs."""
    cohort = _cohort(request, site)
    entry = await _entry(request, site, cohort)
    if entry.state in ("look", "taken", "paused"):
        return start_page(site, cohort, entry)
    arrival = site.platform.arrival(request.query_params)
    arrival = replace(arrival, referral=replace(arrival.referral, token=_platform_token(site, arrival)))
    return await _join(request, site, cohort, arrival)


async def _entry(request: Request, site: Site, cohort: str) -> Entry:
    arrival = site.platform.arrival(request.query_params)
    kept = {**({"cohort": cohort} if cohort else {}), **site.platform.kept(request.query_params)}
    action = request.url.path + (f"?{urlencode(kept)}" if kept else "")
    if arrival.only_looks:
        return Entry("look")
    token = _platform_token(site, arrival)
    if token is not None:
        earlier = await site.participant(token)
        if earlier is not None:
            # The device that started may see its earlier answers, whatever session the platform sends now.
            own = request.cookies.get(site.cookie("join"), "") == token
            looks_back = site.study.file.participants.may_go_back and not own
            may = may_return(earlier, arrival.referral.session, looks_back=looks_back)
            return Entry("return" if may else "taken", action)
    known = "" if token else await _earlier_visit(request, site)
    if await site.store.asynchronously(site.store.recruiting.paused):
        return Entry("paused", known=known)
    return Entry("known" if known else "begin", action, known, anywhere=token is not None)


def may_return(earlier: Participant, session: str | None, *, looks_back: bool) -> bool:
    """Whether a visitor with a platform's id may continue the participation that was started under it.

    The id alone proves little: every study that the person has ever taken part in knows it. The session is a secret:
    the platform makes it for this one submission or assignment and sends it whenever the person opens the study
    again, on any device. So the same session may continue.

    With another session the person has most likely returned the place and taken it again, which must not lose the work
    done so far. A stranger who guessed the id would see only the current page. Therefore another session may continue
    too, unless there is something to see or to gain: earlier answers, if participants may go back, or the completion
    code of a finished study.

    Args:
        earlier: The participant with this id.
        session: The session in the link.
        looks_back: Whether the visitor could see earlier answers, and may be a different person.
    """
    if session is not None and session == earlier.platform_session:
        return True
    return earlier.status == "active" and not looks_back


def _platform_token(site: Site, arrival: Arrival) -> str | None:
    """The token of the person sent by the platform; None if the link names no person or no session.

    An id without a session may be anything, even a running number: it is stored, but gives no access.
    """
    if arrival.external_id is None or arrival.referral.session is None:
        return None
    return site.store.recruiting.token_of_sent(arrival.external_id)


def _cohort(request: Request, site: Site) -> str:
    """The cohort that the link names.

    Raises:
        HTTPException: 404 if the key or the cohort is unknown.
    """
    cohort = request.query_params.get("cohort", "")
    if not site.is_join_key(request.path_params["key"]) or cohort not in {each.name for each in site.study.cohorts}:
        raise HTTPException(404)
    return cohort


async def _earlier_visit(request: Request, site: Site) -> str:
    """The address of the participant who started on this device earlier, if any."""
    token = request.cookies.get(site.cookie("join"), "")
    person = await site.participant(token) if token else None
    return f"/p/{token}" if person is not None and person.status in ("active", "completed") else ""


# --- personal links --------------------------------------------------------------------------------------------------


async def invited(request: Request, site: Site) -> Response:
    """The start page of an invited person who has not started.

    Raises:
        HTTPException: 404 if there is no invitation with this link.
    """
    cohort, _ = await _invitation(request, site)
    site.address.notice(request.headers)
    paused = await site.store.asynchronously(site.store.recruiting.paused)
    entry = Entry("paused") if paused else Entry("begin", request.url.path, anywhere=True)
    return start_page(site, cohort, entry)


async def join_invited(request: Request, site: Site) -> Response:
    """Start with a personal link, or continue."""
    cohort, name = await _invitation(request, site)
    token: str = request.path_params["token"]
    return await _join(request, site, cohort, Arrival(name, Referral(token=token)))


async def _invitation(request: Request, site: Site) -> tuple[str, str]:
    found = await site.store.asynchronously(site.store.recruiting.invitation, request.path_params["token"])
    if found is None or found.cohort not in {each.name for each in site.study.cohorts}:
        raise HTTPException(404)
    return found.cohort, found.name


# --- both kinds of link ----------------------------------------------------------------------------------------------


def start_page(site: Site, cohort: str, entry: Entry, **more: Any) -> Response:
    """The start page, or a notice why the study cannot be started."""
    if entry.state == "paused":
        return site.renderer.page("paused.html", title="paused.title", text="paused.text", known=entry.known)
    if entry.state == "taken":
        return site.renderer.page("notice.html", title="taken.title", text="taken.text")
    welcome = markdown(site.study.pages["welcome"]) if "welcome" in site.study.pages else ""
    platform = site.platform.title
    return site.renderer.page(
        "start.html",
        welcome=welcome,
        minutes=site.minutes(cohort),
        sittings=site.study.sittings,
        entry=entry,
        platform=platform,
        **more,
    )


async def _join(request: Request, site: Site, cohort: str, arrival: Arrival) -> Response:
    people = site.study.file.participants
    try:
        _, token = await site.store.asynchronously(
            site.store.join,
            site.plan.slots,
            cohort=cohort,
            now=site.clock(),
            release_after=timedelta(minutes=people.release_after_minutes),
            again=people.when_full == "continue",
            reserved=Reserved(site.waits, timedelta(days=people.days_reserved)) if site.study.sittings > 1 else None,
            external_id=arrival.external_id,
            referral=arrival.referral,
        )
    except StudyFull:
        return site.renderer.page("notice.html", title="full.title", text="full.text")
    except RecruitingPaused:
        return start_page(site, cohort, Entry("paused"))
    reply = RedirectResponse(f"/p/{token}", 303)
    # So that the public link leads back to the participant's own page on this device.
    reply.set_cookie(
        site.cookie("join"),
        token,
        max_age=int(_REMEMBERED.total_seconds()),
        path="/join",
        secure=site.is_secure(request),
        httponly=True,
        samesite="lax",
    )
    return reply
