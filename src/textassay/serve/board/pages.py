"""The board's first page, its way in, and the switch of recruiting."""

from __future__ import annotations

from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from textassay.serve.board.downloads import table_names
from textassay.serve.board.frame import page
from textassay.serve.board.overview import Overview, SlotState
from textassay.serve.board.parts import Part
from textassay.serve.board.people import People, Wish, people_at
from textassay.serve.site import Site

_NEWEST = Wish(size=8)
_SLOTS_A_PAGE = 200


async def enter(request: Request, site: Site) -> Response:
    """Exchange the researcher's link for a cookie, so that the token stands in no further address."""
    token = request.path_params["token"]
    if not site.is_board_token(token):
        raise HTTPException(404)
    # A browser that comes from another site would not send the cookie along with the redirection.
    elsewhere = request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
    reply = site.renderer.page("board_enter.html") if elsewhere else RedirectResponse("/board", 303)
    reply.set_cookie(
        site.cookie("board"), token, secure=request.url.scheme == "https", httponly=True, samesite="strict"
    )
    return reply


async def board(_request: Request, site: Site) -> Response:
    """How the study is getting on, for people."""
    now, newest = await site.store.asynchronously(_both, site)
    shown: dict[str, Any] = {
        "several": len(site.study.blocks) > 1,
        "tables": table_names(site.study),
        "changes": site.changes,
    }
    return page(site, "board.html", "overview", now=now, newest=newest, **shown)


async def status(_request: Request, site: Site) -> Response:
    """How the study is getting on, for programs."""
    now = await site.store.asynchronously(_now, site)
    return JSONResponse(now.model_dump(mode="json"))


async def slots(request: Request, site: Site) -> Response:
    """How far each slot of the plan is."""
    states = await site.store.asynchronously(_slots, site)
    part = Part.asked(request.query_params.get("part", "1"), len(states), _SLOTS_A_PAGE)
    return page(site, "board_slots.html", "slots", slots=part.of(states), part=part.number, parts=part.total)


def _now(site: Site) -> Overview:
    with site.board.moment(site.clock()) as seen:
        return site.board.overview(seen, site.pages)


def _both(site: Site) -> tuple[Overview, People]:
    with site.board.moment(site.clock()) as seen:
        return site.board.overview(seen, site.pages), people_at(site, seen, _NEWEST)


def _slots(site: Site) -> list[SlotState]:
    with site.board.moment(site.clock()) as seen:
        return site.board.slots(seen)


async def pause(_request: Request, site: Site) -> Response:
    """Let nobody new begin."""
    await site.store.asynchronously(site.store.recruiting.pause)
    return RedirectResponse("/board", 303)


async def resume(_request: Request, site: Site) -> Response:
    """Let people begin again."""
    await site.store.asynchronously(site.store.recruiting.resume)
    return RedirectResponse("/board", 303)
