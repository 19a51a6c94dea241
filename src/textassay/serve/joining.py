"""The start page, and joining the study. Opening a link creates no participant, since link previews open links too.

Newcomers start while people are needed, others wait on a page that looks again by itself. The form of the start page
carries a value that it sends only once: if the reply is lost and the form is sent again, it is the same participant.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, Literal
from urllib.parse import urlencode

from pydantic import BaseModel, ConfigDict
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from textassay.answers.records import Participant, Referral
from textassay.answers.store import Newcomer, PlacesTaken, RecruitingPaused, StudyFull
from textassay.serve.client_address import client_address, network_of, undeclared_proxy
from textassay.serve.forms import form_fields
from textassay.serve.platforms import Arrival
from textassay.serve.site import Site
from textassay.study.markup import markdown

LOG = logging.getLogger("textassay.serve")
_REMEMBERED = timedelta(days=60)
_LOOK_AGAIN_SECONDS = 30
_NOTICES = {
    "paused": ("paused.title", "paused.text", ""),
    "full": ("full.title", "full.text", "return.give_back"),
}
"""Messages where nobody can start: title, text, and what people sent by a platform are asked for."""


class StartForm(BaseModel):
    """What the form of the start page sends; all of it may be missing."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    start: str = ""
    """Value of this form: sent again, it leads to the same participant."""
    rehearsal: str = ""
    """Proof that a rehearsal of this study sends it; see `Recruiting.rehearsal_proof`."""


@dataclass(frozen=True)
class Entry:
    """What a visitor may do who opens a link to the study."""

    state: Literal["begin", "known", "return", "look", "paused", "waiting", "full", "taken"]
    """`known`: a participant started on this device. `return`: the participant with the platform's id, or who sent this
    form before, may continue. `look`: the platform only previews the study. `waiting`: as many take part as are needed.
    `taken`: the platform's id has been used, perhaps by someone else."""
    action: str = ""
    """Target of the form, and where a visitor who has to wait looks again."""
    known: str = ""
    """Address of the participant who started on this device, if any."""
    others: bool = True
    """Whether another person can start on this device now."""
    anywhere: bool = False
    """Whether the same link works on every device."""
    start: str = ""
    """Value of the form."""
    cookies: Mapping[str, str] = field(default_factory=dict)
    """What this device is to remember: the value of the form (`start`), or who started on it (`join`)."""


@dataclass(frozen=True)
class Visitor:
    """Who opens the link, as far as the request tells."""

    arrival: Arrival
    action: str
    """Address of the start page, with the parameters that are read."""
    started: str
    """Token of the participant who started on this device, from its cookie."""
    start: str
    """Value of the form that this device was given last, from its cookie."""
    token: str | None
    """Of the participant that this person is or becomes: by the platform's id, or by the value of the form sent now."""
    by_platform: bool
    """Whether a platform vouches for the person."""


# --- the public link -------------------------------------------------------------------------------------------------


async def start(request: Request, site: Site) -> Response:
    """The start page: what the study is about, and the button that starts it."""
    cohort = await _cohort(request, site)
    _notice(request, site)
    visitor = _visitor(request, site)
    entry = await site.store.asynchronously(_entry, site, cohort, visitor)
    return _remembering(request, site, start_page(site, cohort, entry), entry.cookies)


async def join(request: Request, site: Site) -> Response:
    """Give a new participant a slot and a link; send a returning one to theirs."""
    cohort = await _cohort(request, site)
    form = await _form(request)
    async with site.joining:
        return await _join_or_return(request, site, cohort, form)


async def _join_or_return(request: Request, site: Site, cohort: str, form: StartForm) -> Response:
    visitor = _visitor(request, site, form.start)
    earlier = await site.store.asynchronously(_returning, site, visitor)
    if earlier is not None and earlier.state != "return":
        return start_page(site, cohort, earlier)
    rehearsed = site.store.recruiting.is_rehearsal(form.start, form.rehearsal)
    if earlier is None and not rehearsed:
        seconds = site.join_limit.seconds_to_wait(network_of(client_address(request.scope, site.proxies)))
        if seconds:
            return _too_many(request, site, visitor, seconds)
    referral = replace(visitor.arrival.referral, token=visitor.token)
    newcomer = Newcomer(visitor.arrival.external_id, referral, simulated=rehearsed)
    return await _join(request, site, cohort, newcomer, action=visitor.action)


def _visitor(request: Request, site: Site, sent: str = "") -> Visitor:
    arrival = site.platform.arrival(request.query_params)
    named = {"cohort": request.query_params["cohort"]} if "cohort" in request.query_params else {}  # an old link
    kept = {**named, **site.platform.kept(request.query_params)}
    action = request.url.path + (f"?{urlencode(kept)}" if kept else "")
    started, start = (request.cookies.get(site.cookie(purpose), "") for purpose in ("join", "start"))
    of_platform = _platform_token(site, arrival)
    token = of_platform or site.store.recruiting.token_of_start(sent)
    return Visitor(arrival, action, started, start, token, by_platform=of_platform is not None)


async def _form(request: Request) -> StartForm:
    fields = await form_fields(request)
    if fields is None:
        raise HTTPException(413)
    return StartForm(**{name: value for name, value in fields.items() if name in StartForm.model_fields})


def _entry(site: Site, cohort: str, visitor: Visitor) -> Entry:
    """What a visitor may do who opens the link."""
    earlier = _returning(site, visitor)
    if earlier is not None:
        return earlier
    recruiting = site.store.recruiting
    entry = Entry("begin", visitor.action, anywhere=True) if visitor.by_platform else _on_this_device(site, visitor)
    if recruiting.paused():
        closed: Literal["paused", "full", "waiting"] = "paused"
    else:
        vacancy = recruiting.vacancy(site.places(cohort, bounded=True), site.clock())
        if vacancy == "free":
            return entry
        closed = "full" if vacancy == "full" else "waiting"
    # Who has started must not read first that all places are taken.
    return replace(entry, others=False) if entry.known else replace(entry, state=closed)


def _returning(site: Site, visitor: Visitor) -> Entry | None:
    """What a visitor may do who has started before, or only looks; None for a newcomer."""
    if visitor.arrival.only_looks:
        return Entry("look")
    earlier = site.store.participant(visitor.token) if visitor.token else None
    if earlier is None:
        return None
    # The device that started may see its earlier answers, whatever session the platform sends now.
    looks_back = site.study.file.participants.may_go_back and visitor.started != visitor.token
    may = not visitor.by_platform or may_return(earlier, visitor.arrival.referral.session, looks_back=looks_back)
    return Entry("return" if may else "taken", visitor.action)


def _on_this_device(site: Site, visitor: Visitor) -> Entry:
    """The entry of a person who is known by this device only, if at all.

    The value of the form stays the same until somebody has started with it. If the server's reply to that was lost,
    the device still has the value, and this page leads to the participant.
    """
    recruiting, token, cookies = site.store.recruiting, visitor.started, dict[str, str]()
    started = recruiting.token_of_start(visitor.start)
    value = visitor.start
    if started is None or site.store.participant(started) is not None:
        value = cookies["start"] = recruiting.new_start()
        if started is not None and started != token:
            token = cookies["join"] = started
    person = site.store.participant(token) if token else None
    known = f"/p/{token}" if person is not None and person.status in ("active", "completed") else ""
    return Entry("known" if known else "begin", visitor.action, known, start=value, cookies=cookies)


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


async def _cohort(request: Request, site: Site) -> str:
    """The cohort that the link belongs to.

    Raises:
        HTTPException: 404 if the key is unknown, or is an old one and those were closed.
    """
    key, named = request.path_params["key"], request.query_params.get("cohort", "")
    recruiting, cohorts = site.store.recruiting, [cohort.name for cohort in site.study.cohorts]
    cohort = recruiting.cohort_of(key, cohorts)
    if cohort is not None and named in ("", cohort):
        return cohort
    is_old = named in cohorts and recruiting.is_old_key(key)
    if is_old and await site.store.asynchronously(recruiting.old_links_open):
        return named
    raise HTTPException(404)


# --- personal links --------------------------------------------------------------------------------------------------


async def invited(request: Request, site: Site) -> Response:
    """The start page of an invited person who has not started.

    Raises:
        HTTPException: 404 if there is no invitation with this link.
    """
    cohort, _ = await _invitation(request, site)
    _notice(request, site)
    paused = await site.store.asynchronously(site.store.recruiting.paused)
    entry = Entry("paused") if paused else Entry("begin", request.url.path, anywhere=True)
    return start_page(site, cohort, entry)


async def join_invited(request: Request, site: Site) -> Response:
    """Start with a personal link, or continue."""
    cohort, name = await _invitation(request, site)
    token: str = request.path_params["token"]
    return await _join(request, site, cohort, Newcomer(name, Referral(token=token)), bounded=False)


async def _invitation(request: Request, site: Site) -> tuple[str, str]:
    found = await site.store.asynchronously(site.store.recruiting.invitation, request.path_params["token"])
    if found is None or found.cohort not in {each.name for each in site.study.cohorts}:
        raise HTTPException(404)
    return found.cohort, found.name


# --- both kinds of link ----------------------------------------------------------------------------------------------


def start_page(site: Site, cohort: str, entry: Entry, **more: Any) -> Response:
    """The start page, or a notice why the study cannot be started."""
    platform = site.platform.title
    if entry.state == "waiting":
        return _waiting_page(site, entry)
    if entry.state in ("paused", "full"):
        title, text, gives_back = _NOTICES[entry.state]
        return site.renderer.page("paused.html", title=title, text=text, gives_back=gives_back, platform=platform)
    if entry.state == "taken":
        return site.renderer.page("notice.html", title="taken.title", text="taken.text")
    welcome = markdown(site.study.pages["welcome"]) if "welcome" in site.study.pages else ""
    return site.renderer.page(
        "start.html",
        welcome=welcome,
        minutes=site.minutes(cohort),
        sittings=site.study.sittings,
        entry=entry,
        platform=platform,
        **more,
    )


def _waiting_page(site: Site, entry: Entry) -> Response:
    """It looks again after about half a minute, not everybody at the same moment."""
    seconds = round(_LOOK_AGAIN_SECONDS * random.uniform(0.8, 1.2))  # noqa: S311 -- no secret
    page = site.renderer.page(
        "waiting.html",
        title="waiting.title",
        text="waiting.text",
        gives_back="waiting.give_back",
        platform=site.platform.title,
        again=entry.action,
        seconds=seconds,
    )
    page.headers["Retry-After"] = str(seconds)
    return page


def _too_many(request: Request, site: Site, visitor: Visitor, seconds: int) -> Response:
    """More people have started from this address than is usual."""
    if undeclared_proxy(request.scope, site.proxies) is not None and not site.join_limit.proxy_reported:
        site.join_limit.proxy_reported = True
        LOG.warning(
            "joins are being limited, and requests come through a proxy: unless the study file declares it under "
            "'proxy:', all visitors count as one"
        )
    page = site.renderer.page("busy.html", status=429, title="busy.title", text="busy.text", again=visitor.action)
    page.headers["Retry-After"] = str(seconds)
    return page


def _notice(request: Request, site: Site) -> None:
    """Look at a request whether it came by the way that was declared.

    Only an address of the researcher's own network is told: another one may be a visitor's, who sent such a header.
    """
    site.address.notice(request.headers)
    proxy = undeclared_proxy(request.scope, site.proxies)
    if proxy is not None and proxy.is_private and site.study.file.participants.joins_per_minute is not None:
        site.address.came_through(str(proxy))


async def _join(
    request: Request, site: Site, cohort: str, newcomer: Newcomer, *, bounded: bool = True, action: str = ""
) -> Response:
    places = site.places(cohort, bounded=bounded)
    try:
        _, token = await site.store.asynchronously(site.store.admit, places, newcomer, site.clock())
    except StudyFull:
        return start_page(site, cohort, Entry("full"))
    except PlacesTaken:
        return start_page(site, cohort, Entry("waiting", action))
    except RecruitingPaused:
        return start_page(site, cohort, Entry("paused"))
    # So that the public link leads back to the participant's own page on this device.
    return _remembering(request, site, RedirectResponse(f"/p/{token}", 303), {"join": token})


def _remembering(request: Request, site: Site, reply: Response, cookies: Mapping[str, str]) -> Response:
    for purpose, value in cookies.items():
        reply.set_cookie(
            site.cookie(purpose),
            value,
            max_age=int(_REMEMBERED.total_seconds()),
            path="/join",
            secure=site.is_secure(request),
            httponly=True,
            samesite="lax",
        )
    return reply
