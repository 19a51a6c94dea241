"""The start page, and becoming a participant. Looking at the link creates nobody: previews of it do that too."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from textassay.answers.store import StudyFull
from textassay.serve.site import Site
from textassay.study.texts import markdown

_REMEMBERED = timedelta(days=60)
_LONGEST_ID = 200


async def start(request: Request, site: Site) -> Response:
    """What the study is about, and the button that begins it."""
    cohort = _cohort(request, site)
    welcome = markdown(site.study.pages["welcome"]) if "welcome" in site.study.pages else ""
    return site.renderer.page(
        "start.html",
        welcome=welcome,
        minutes=site.minutes(cohort),
        action=_action(request, site, cohort),
        known=await _known(request, site),
    )


async def join(request: Request, site: Site) -> Response:
    """Give a new participant a slot and a link."""
    cohort = _cohort(request, site)
    people = site.study.file.participants
    try:
        _, token = await site.store.asynchronously(
            site.store.join,
            site.plan.slots,
            cohort=cohort,
            now=site.clock(),
            release_after=timedelta(minutes=people.release_after_minutes),
            again=people.when_full == "continue",
            external_id=_external_id(request, site),
        )
    except StudyFull:
        return site.renderer.page("notice.html", title="full.title", text="full.text")
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


def _cohort(request: Request, site: Site) -> str:
    """The cohort that the link names.

    Raises:
        HTTPException: 404 where the key or the cohort is not the study's.
    """
    cohort = request.query_params.get("cohort", "")
    if not site.is_join_key(request.path_params["key"]) or cohort not in {each.name for each in site.study.cohorts}:
        raise HTTPException(404)
    return cohort


def _external_id(request: Request, site: Site) -> str | None:
    parameter = site.study.file.participants.id_parameter
    given = request.query_params.get(parameter, "") if parameter else ""
    return given[:_LONGEST_ID] or None


def _action(request: Request, site: Site, cohort: str) -> str:
    """Where the form goes: this address with what matters of its parameters."""
    parameter, external = site.study.file.participants.id_parameter, _external_id(request, site)
    kept = {name: value for name, value in (("cohort", cohort), (parameter, external)) if name and value}
    return request.url.path + (f"?{urlencode(kept)}" if kept else "")


async def _known(request: Request, site: Site) -> str:
    """The page of the person who began on this device before, if any."""
    token = request.cookies.get(site.cookie("join"), "")
    person = await site.participant(token) if token else None
    return f"/p/{token}" if person is not None and person.status in ("active", "completed") else ""
