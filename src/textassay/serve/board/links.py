"""Links for participants: public links, and personal links of people invited by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import parse_qs

from pydantic import BaseModel, ConfigDict
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from textassay.answers.records import Invitation
from textassay.answers.recruiting import RefusedNameError, clean_names
from textassay.serve.answering import limited_body
from textassay.serve.board.pages import board_page
from textassay.serve.site import Site
from textassay.tables.writer import table_lines

_FILE = Path("links.csv")
_MESSAGES = {
    "too_long": "links.too_long",
    "other_cohort": "links.other_cohort",
    "begun": "links.begun",
    "unknown": "links.unknown",
}
"""Message for each reason why a name is refused."""
_PERSONAL = "/board/links#personal"


class NewInvitations(BaseModel):
    """Names of people to invite."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    names: str
    """One per line."""
    cohort: str = ""
    """Their cohort, if the study has cohorts."""


class CancelledInvitation(BaseModel):
    """The person whose invitation is cancelled."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    name: str
    """As in the list of personal links."""


async def links(request: Request, site: Site) -> Response:
    """The page of links."""
    return await _links_page(request, site)


async def invite(request: Request, site: Site) -> Response:
    """Create personal links."""
    given = await _form_fields(request)
    if given is None:
        return await _links_page(request, site, problem=site.messages("links.too_many"))
    wanted = NewInvitations(names=given.get("names", ""), cohort=given.get("cohort", site.study.cohorts[0].name))
    if wanted.cohort not in {cohort.name for cohort in site.study.cohorts}:
        return await _links_page(
            request, site, problem=site.messages("links.no_cohort", cohort=wanted.cohort), given=wanted
        )
    try:
        names = clean_names(wanted.names.splitlines())
        await site.store.asynchronously(site.store.recruiting.invite, names, cohort=wanted.cohort, now=site.clock())
    except RefusedNameError as error:
        return await _links_page(request, site, problem=_refusal_text(site, error), given=wanted)
    return RedirectResponse(_PERSONAL, 303)


async def take_back(request: Request, site: Site) -> Response:
    """Cancel an invitation, so that its link stops working."""
    given = await _form_fields(request) or {}
    try:
        await site.store.asynchronously(site.store.recruiting.cancel_invitation, given.get("name", ""))
    except RefusedNameError as error:
        return await _links_page(request, site, problem=_refusal_text(site, error))
    return RedirectResponse(_PERSONAL, 303)


def _refusal_text(site: Site, error: RefusedNameError) -> str:
    return site.messages(_MESSAGES[error.why], **error.values)


async def _form_fields(request: Request) -> dict[str, str] | None:
    """The fields of a form; None if they are too large."""
    raw = await limited_body(request)
    if raw is None:
        return None
    return {name: values[0] for name, values in parse_qs(raw.decode("utf-8", "replace")).items()}


async def links_csv(request: Request, site: Site) -> Response:
    """The personal links as a table, for a mail merge."""
    invited = await site.store.asynchronously(site.store.recruiting.invitations)
    text = "".join(table_lines(_FILE, ("name", "cohort", "link", "status"), _rows(request, site, invited)))
    headers = {"Content-Disposition": f'attachment; filename="{_FILE.name}"'}
    return Response(text, media_type="text/csv", headers=headers)


async def _links_page(
    request: Request, site: Site, *, problem: str = "", given: NewInvitations | None = None
) -> Response:
    invited = await site.store.asynchronously(site.store.recruiting.invitations)
    host = site.base(request)
    values = {
        "joins": [{"cohort": each.name, "url": host + site.join_path(each.name)} for each in site.study.cohorts],
        "invited": list(_rows(request, site, invited)),
        "parameters": site.platform.parameters,
        "platform": site.platform.title,
        "problem": problem,
        "given": given or NewInvitations(names=""),
    }
    return board_page(site, "board_links.html", "links", status=422 if problem else 200, **values)


def _rows(request: Request, site: Site, invited: Sequence[Invitation]) -> Iterator[dict[str, str]]:
    host = site.base(request)
    for each in invited:
        link = f"{host}/p/{site.store.recruiting.token_of_invited(each.name)}"
        yield {"name": each.name, "cohort": each.cohort, "link": link, "status": each.status or ""}
