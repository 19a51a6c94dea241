"""Preview of any page as participants see it: same templates, scripts and validation, but nothing is stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from textassay.errors import AnswerError
from textassay.serve import answering, assets, joining, visiting
from textassay.serve.board.pages import board_page
from textassay.serve.session import Page, PageSequence
from textassay.serve.site import Site
from textassay.study.model import EmailField, Outcome
from textassay.tasks.contract import Payload

PLACES = ("start", "withdraw", *get_args(Outcome))
"""What can be previewed besides the numbered pages."""


class PreviewReceipt(BaseModel):
    """The answer is valid; it was not stored."""

    next: str
    """Address of the page that follows."""


@dataclass(frozen=True)
class Preview(PageSequence):
    """The researcher's preview of the pages of a slot."""

    slot: int

    @property
    def end(self) -> str:
        """The page of a completed study."""
        return f"{self.base}/completed"

    def steps(self, place: str) -> dict[str, Any]:
        """Values for the bar above the page: position, previous and next page."""
        way = ["start", *(str(each.number) for each in self.pages), "completed"]
        at = way.index(place) if place in way else None
        before = f"{self.base}/{way[at - 1]}" if at else ""
        after = f"{self.base}/{way[at + 1]}" if at is not None and at + 1 < len(way) else ""
        return {"slot": self.slot, "pages": len(self.pages), "place": place, "before": before, "after": after,
                "all": self.base}  # fmt: skip


async def choose(request: Request, site: Site) -> Response:
    """Redirect to the preview of the requested slot, the first by default."""
    asked = request.query_params.get("slot", "1")
    number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 10 else 1
    return RedirectResponse(f"/board/preview/{min(max(number, 1), len(site.plan.slots))}", 303)


async def contents(request: Request, site: Site) -> Response:
    """All pages of a slot, to choose from."""
    preview = _preview(request, site)
    slot = site.plan.slot(preview.slot)
    return board_page(site, "board_preview.html", "preview", slot=slot, slots=len(site.plan.slots), preview_of=preview)


async def show(request: Request, site: Site) -> Response:
    """One page as participants see it."""
    preview, place = _preview(request, site), request.path_params["place"]
    marked = {"preview": preview.steps(place)}
    if place == "start":
        cohort = site.plan.slot(preview.slot).cohort
        return joining.start_page(site, cohort, joining.Entry("begin", preview.url(1)), **marked)
    if place == "withdraw":
        return visiting.withdrawal_page(site, preview.base, "withdraw", **marked)
    for outcome in get_args(Outcome):
        if place == outcome:
            return visiting.last_page(site, preview.base, outcome, None, **marked)
    asked = next((each for each in preview.pages if str(each.number) == place), None)
    if asked is None:
        raise HTTPException(404)
    limit = visiting.time_limit(site, asked)
    left = None if limit is None else {"seconds": limit, "remaining": limit}
    return visiting.render_page(site, preview, visiting.PageState(asked, asked.key, limit=left), **marked)


async def answer(request: Request, site: Site) -> Response:
    """Validate an answer like a participant's, without storing it."""
    preview = _preview(request, site)
    body = await answering.read_body(request, site)
    if isinstance(body, Response):
        return body
    asked = next((each for each in preview.pages if each.key == body.page), None)
    if asked is None:
        return answering.no_such_page()
    try:
        await site.store.asynchronously(_checked, site, asked, body.payload)
    except AnswerError as error:
        return answering.field_errors(site, asked, error)
    return JSONResponse(PreviewReceipt(next=preview.url(asked.number + 1)).model_dump())


def _checked(site: Site, asked: Page, payload: Payload) -> None:
    answering.validate_answer(site, asked, payload, process_email=_discard_email)


def _discard_email(_field: EmailField, _email: str) -> Mapping[str, Any]:
    """Store nothing of an e-mail address."""
    return {}


async def image(request: Request, site: Site) -> Response:
    """An image of the study."""
    _preview(request, site)
    return await assets.image(site, request.path_params["name"])


def _preview(request: Request, site: Site) -> Preview:
    """The preview of the slot in the address.

    Raises:
        HTTPException: 404 if the plan has no such slot.
    """
    asked = request.path_params["slot"]
    if asked not in map(str, range(1, len(site.plan.slots) + 1)):
        raise HTTPException(404)
    number = int(asked)
    return Preview(f"/board/preview/{number}", site.pages(number), number)
