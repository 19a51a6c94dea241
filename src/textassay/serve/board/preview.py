"""Any page as a participant would see it: the same templates and scripts, checked as usual, and nothing is stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from textassay.errors import AnswerError
from textassay.serve import answering, joining, media, visiting
from textassay.serve.board.frame import page
from textassay.serve.session import Page
from textassay.serve.site import Site, Walk
from textassay.study.model import EmailField, Outcome
from textassay.tasks.contract import Payload

PLACES = ("start", "withdraw", *get_args(Outcome))
"""What can be looked at beside the numbered pages."""


class Checked(BaseModel):
    """The answer would be taken; it was not."""

    next: str
    """Address of the page that follows."""


@dataclass(frozen=True)
class Preview(Walk):
    """The researcher's way through the pages of a slot."""

    slot: int

    @property
    def end(self) -> str:
        """See `Walk.end`."""
        return f"{self.base}/completed"

    def steps(self, place: str) -> dict[str, Any]:
        """What the strip above the page shows: where one is, and what comes before and after."""
        way = ["start", *(str(each.number) for each in self.pages), "completed"]
        at = way.index(place) if place in way else None
        before = f"{self.base}/{way[at - 1]}" if at else ""
        after = f"{self.base}/{way[at + 1]}" if at is not None and at + 1 < len(way) else ""
        return {"slot": self.slot, "pages": len(self.pages), "place": place, "before": before, "after": after,
                "all": self.base}  # fmt: skip


async def choose(request: Request, site: Site) -> Response:
    """On to the pages of the slot that was asked for, the first if none was."""
    asked = request.query_params.get("slot", "1")
    number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 10 else 1
    return RedirectResponse(f"/board/preview/{min(max(number, 1), len(site.plan.slots))}", 303)


async def contents(request: Request, site: Site) -> Response:
    """All pages of a slot, to choose from."""
    preview = _preview(request, site)
    slot = site.plan.slot(preview.slot)
    return page(site, "board_preview.html", "preview", slot=slot, slots=len(site.plan.slots), preview_of=preview)


async def look(request: Request, site: Site) -> Response:
    """One page as a participant would see it."""
    preview, place = _preview(request, site), request.path_params["place"]
    marked = {"preview": preview.steps(place)}
    if place == "start":
        cohort = site.plan.slot(preview.slot).cohort
        return joining.start_page(site, cohort, joining.Door("begin", preview.url(1)), **marked)
    if place == "withdraw":
        return visiting.withdrawal_page(site, preview.base, "withdraw", **marked)
    for outcome in get_args(Outcome):
        if place == outcome:
            return visiting.last_page(site, preview.base, outcome, None, **marked)
    asked = next((each for each in preview.pages if str(each.number) == place), None)
    if asked is None:
        raise HTTPException(404)
    limit = visiting.limit_of(site, asked)
    left = None if limit is None else {"seconds": limit, "remaining": limit}
    return visiting.shown_page(site, preview, asked, left, **marked)


async def answer(request: Request, site: Site) -> Response:
    """Check an answer as a participant's would be checked, and show the way on; it is not stored."""
    preview = _preview(request, site)
    body = await answering.received(request, site)
    if isinstance(body, Response):
        return body
    asked = next((each for each in preview.pages if each.key == body.page), None)
    if asked is None:
        return answering.no_such_page()
    try:
        await site.store.asynchronously(_checked, site, asked, body.payload)
    except AnswerError as error:
        return answering.wrong_fields(site, asked, error)
    return JSONResponse(Checked(next=preview.url(asked.number + 1)).model_dump())


def _checked(site: Site, asked: Page, payload: Payload) -> None:
    answering.checked(site, asked, payload, keep=_forget)


def _forget(_field: EmailField, _email: str) -> Mapping[str, Any]:
    """Nothing is kept of an address."""
    return {}


async def image(request: Request, site: Site) -> Response:
    """An image of the study."""
    _preview(request, site)
    return await media.image(site, request.path_params["name"])


def _preview(request: Request, site: Site) -> Preview:
    """The way through the slot that the address names.

    Raises:
        HTTPException: 404 where the plan has no such slot.
    """
    asked = request.path_params["slot"]
    if not any(str(slot.number) == asked for slot in site.plan.slots):
        raise HTTPException(404)
    number = int(asked)
    return Preview(f"/board/preview/{number}", site.pages(number), {}, number)
