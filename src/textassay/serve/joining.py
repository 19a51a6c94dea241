"""The start page, and becoming a participant. Looking at a link creates nobody: previews of it do that too."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Literal
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from textassay.answers.records import Participant, Referral
from textassay.answers.store import RecruitingPaused, StudyFull
from textassay.serve.platforms import Arrival
from textassay.serve.site import Site
from textassay.study.texts import markdown

_REMEMBERED = timedelta(days=60)


@dataclass(frozen=True)
class Door:
    """What somebody finds who follows a link."""

    state: Literal["begin", "known", "return", "look", "paused", "taken"]
    """`known`: somebody began on this device. `return`: the platform's id has begun and may go on. `look`: the
    platform only shows the study. `taken`: the platform's id has begun, and who asks now need not be the same."""
    action: str = ""
    """Where the form leads."""
    known: str = ""
    """The page of the person who began on this device, if any."""
    anywhere: bool = False
    """Whether the same link leads back on every device."""


# --- the link for everybody -------------------------------------------------------------------------------------------


async def start(request: Request, site: Site) -> Response:
    """What the study is about, and the button that begins it."""
    cohort = _cohort(request, site)
    return start_page(site, cohort, await _door(request, site, cohort))


async def join(request: Request, site: Site) -> Response:
    """Give a new participant a slot and a link; lead one who comes back to theirs."""
    cohort = _cohort(request, site)
    door = await _door(request, site, cohort)
    if door.state in ("look", "taken", "paused"):
        return start_page(site, cohort, door)
    arrival = site.platform.arrival(request.query_params)
    arrival = replace(arrival, referral=replace(arrival.referral, token=_platform_token(site, arrival)))
    return await _begun(request, site, cohort, arrival)


async def _door(request: Request, site: Site, cohort: str) -> Door:
    arrival = site.platform.arrival(request.query_params)
    kept = {**({"cohort": cohort} if cohort else {}), **site.platform.kept(request.query_params)}
    action = request.url.path + (f"?{urlencode(kept)}" if kept else "")
    if arrival.only_looks:
        return Door("look")
    token = _platform_token(site, arrival)
    if token is not None:
        earlier = await site.participant(token)
        if earlier is not None:
            # The device that began may see what it has answered, whatever the platform calls it this time.
            own = request.cookies.get(site.cookie("join"), "") == token
            looks_back = site.study.file.participants.may_go_back and not own
            may = may_return(earlier, arrival.referral.session, looks_back=looks_back)
            return Door("return" if may else "taken", action)
    known = "" if token else await _known(request, site)
    if await site.store.asynchronously(site.store.recruiting.paused):
        return Door("paused", known=known)
    return Door("known" if known else "begin", action, known, anywhere=token is not None)


def may_return(earlier: Participant, session: str | None, *, looks_back: bool) -> bool:
    """Whether somebody who comes with a platform's id is led to the participation that was begun under it.

    The id alone proves little: it is no secret between the platform and the person, for every study that the person
    ever took part in knows it. The session is: the platform makes it for this one submission or assignment, and sends
    the same one whenever the person opens the study again, on whatever device. So with the same session one goes on.

    With another session the person has most likely given the place back and taken it again, which must not cost the
    work that was done. Whoever should have guessed the id sees no more than the page that is due and gains nothing but
    somebody else's work. Therefore it goes on, except where there is something to see or to take: earlier answers,
    where one may go back to them, or the code of a study that has ended.

    Args:
        earlier: The participant who began under the id.
        session: The session that the link names now.
        looks_back: Whether the person could see earlier answers, and need not be the one who gave them.
    """
    if session is not None and session == earlier.platform_session:
        return True
    return earlier.status == "active" and not looks_back


def _platform_token(site: Site, arrival: Arrival) -> str | None:
    """The token of the person whom the platform has sent; nothing where it names no person or no session.

    An id that comes without a session may be anything, even a running number: it is kept, and leads nobody anywhere.
    """
    if arrival.external_id is None or arrival.referral.session is None:
        return None
    return site.store.recruiting.token_of_sent(arrival.external_id)


def _cohort(request: Request, site: Site) -> str:
    """The cohort that the link names.

    Raises:
        HTTPException: 404 where the key or the cohort is not the study's.
    """
    cohort = request.query_params.get("cohort", "")
    if not site.is_join_key(request.path_params["key"]) or cohort not in {each.name for each in site.study.cohorts}:
        raise HTTPException(404)
    return cohort


async def _known(request: Request, site: Site) -> str:
    """The page of the person who began on this device before, if any."""
    token = request.cookies.get(site.cookie("join"), "")
    person = await site.participant(token) if token else None
    return f"/p/{token}" if person is not None and person.status in ("active", "completed") else ""


# --- personal links ---------------------------------------------------------------------------------------------------


async def invited(request: Request, site: Site) -> Response:
    """The start page of somebody who was invited by name and has not begun.

    Raises:
        HTTPException: 404 where nobody was invited with this link.
    """
    cohort, _ = await _invitation(request, site)
    paused = await site.store.asynchronously(site.store.recruiting.paused)
    door = Door("paused") if paused else Door("begin", request.url.path, anywhere=True)
    return start_page(site, cohort, door)


async def join_invited(request: Request, site: Site) -> Response:
    """Somebody who was invited by name begins; one who has begun goes on."""
    cohort, name = await _invitation(request, site)
    token: str = request.path_params["token"]
    return await _begun(request, site, cohort, Arrival(name, Referral(token=token)))


async def _invitation(request: Request, site: Site) -> tuple[str, str]:
    found = await site.store.asynchronously(site.store.recruiting.invitation, request.path_params["token"])
    if found is None or found.cohort not in {each.name for each in site.study.cohorts}:
        raise HTTPException(404)
    return found.cohort, found.name


# --- what both share --------------------------------------------------------------------------------------------------


def start_page(site: Site, cohort: str, door: Door, **more: Any) -> Response:
    """The start page, with what is behind its door."""
    if door.state == "paused":
        return site.renderer.page("paused.html", title="paused.title", text="paused.text", known=door.known)
    if door.state == "taken":
        return site.renderer.page("notice.html", title="taken.title", text="taken.text")
    welcome = markdown(site.study.pages["welcome"]) if "welcome" in site.study.pages else ""
    platform = site.platform.title
    return site.renderer.page(
        "start.html", welcome=welcome, minutes=site.minutes(cohort), door=door, platform=platform, **more
    )


async def _begun(request: Request, site: Site, cohort: str, arrival: Arrival) -> Response:
    people = site.study.file.participants
    try:
        _, token = await site.store.asynchronously(
            site.store.join,
            site.plan.slots,
            cohort=cohort,
            now=site.clock(),
            release_after=timedelta(minutes=people.release_after_minutes),
            again=people.when_full == "continue",
            external_id=arrival.external_id,
            referral=arrival.referral,
        )
    except StudyFull:
        return site.renderer.page("notice.html", title="full.title", text="full.text")
    except RecruitingPaused:
        return start_page(site, cohort, Door("paused"))
    reply = RedirectResponse(f"/p/{token}", 303)
    # So that the link by which somebody came leads back to their own page. It holds nothing but that.
    reply.set_cookie(
        site.cookie("join"),
        token,
        max_age=int(_REMEMBERED.total_seconds()),
        path="/join",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="lax",
    )
    return reply
