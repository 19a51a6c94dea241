"""Links for participants: those for everybody, and those of people who are invited by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import parse_qs

from pydantic import BaseModel, ConfigDict
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from textassay.answers.records import Invitation
from textassay.answers.recruiting import RefusedNameError, clean_names
from textassay.serve.board.frame import page
from textassay.serve.body import limited_body
from textassay.serve.site import Site
from textassay.tables.writer import table_lines

_FILE = Path("links.csv")
_WORDS = {
    "too_long": "links.too_long",
    "other_cohort": "links.other_cohort",
    "begun": "links.begun",
    "unknown": "links.unknown",
}
"""Messages for each reason why a name is refused."""
_PERSONAL = "/board/links#personal"


class NewNames(BaseModel):
    """People to be invited."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    names: str
    """One a line."""
    cohort: str = ""
    """The group that they belong to, where the study has groups."""


class OldName(BaseModel):
    """Somebody whose invitation is taken back."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    name: str
    """As the list of personal links has it."""


async def links(request: Request, site: Site) -> Response:
    """All links that can be passed on."""
    return await _shown(request, site)


async def invite(request: Request, site: Site) -> Response:
    """Give people links of their own."""
    given = await _given(request)
    if given is None:
        return await _shown(request, site, problem=site.messages("links.too_many"))
    wanted = NewNames(names=given.get("names", ""), cohort=given.get("cohort", site.study.cohorts[0].name))
    if wanted.cohort not in {cohort.name for cohort in site.study.cohorts}:
        return await _shown(request, site, problem=site.messages("links.no_cohort", cohort=wanted.cohort), given=wanted)
    try:
        names = clean_names(wanted.names.splitlines())
        await site.store.asynchronously(site.store.recruiting.invite, names, cohort=wanted.cohort, now=site.clock())
    except RefusedNameError as error:
        return await _shown(request, site, problem=_said(site, error), given=wanted)
    return RedirectResponse(_PERSONAL, 303)


async def take_back(request: Request, site: Site) -> Response:
    """Make somebody's personal link lead nowhere."""
    given = await _given(request) or {}
    try:
        await site.store.asynchronously(site.store.recruiting.take_back, given.get("name", ""))
    except RefusedNameError as error:
        return await _shown(request, site, problem=_said(site, error))
    return RedirectResponse(_PERSONAL, 303)


def _said(site: Site, error: RefusedNameError) -> str:
    return site.messages(_WORDS[error.why], **error.values)


async def _given(request: Request) -> dict[str, str] | None:
    """The fields of a form, or nothing where they are too much."""
    raw = await limited_body(request)
    if raw is None:
        return None
    return {name: values[0] for name, values in parse_qs(raw.decode("utf-8", "replace")).items()}


async def links_csv(request: Request, site: Site) -> Response:
    """The links of those who were invited, as a table for a mail merge."""
    invited = await site.store.asynchronously(site.store.recruiting.invitations)
    text = "".join(table_lines(_FILE, ("name", "cohort", "link", "status"), _rows(request, site, invited)))
    headers = {"Content-Disposition": f'attachment; filename="{_FILE.name}"'}
    return Response(text, media_type="text/csv", headers=headers)


async def _shown(request: Request, site: Site, *, problem: str = "", given: NewNames | None = None) -> Response:
    invited = await site.store.asynchronously(site.store.recruiting.invitations)
    host = _host(request)
    values = {
        "joins": [{"cohort": each.name, "url": host + site.join_path(each.name)} for each in site.study.cohorts],
        "invited": list(_rows(request, site, invited)),
        "parameters": site.platform.parameters,
        "platform": site.platform.title,
        "problem": problem,
        "given": given or NewNames(names=""),
    }
    return page(site, "board_links.html", "links", status=422 if problem else 200, **values)


def _rows(request: Request, site: Site, invited: Sequence[Invitation]) -> Iterator[dict[str, str]]:
    host = _host(request)
    for each in invited:
        link = f"{host}/p/{site.store.recruiting.token_of_invited(each.name)}"
        yield {"name": each.name, "cohort": each.cohort, "link": link, "status": each.status or ""}


def _host(request: Request) -> str:
    return str(request.base_url).rstrip("/")
