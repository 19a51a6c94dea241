"""The researcher's board: how the study is getting on, links to pass on, the data. It needs the researcher's token."""

from __future__ import annotations

import io
import tempfile
import zipfile
from datetime import timedelta
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from textassay.answers.dataset import make_dataset
from textassay.answers.export import export_study
from textassay.screening.screen import screen
from textassay.serve.overview import Overview, overview
from textassay.serve.site import Site


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


async def board(request: Request, site: Site) -> Response:
    """How the study is getting on, for people."""
    host = str(request.base_url).rstrip("/")
    cohorts = [cohort.name for cohort in site.study.cohorts]
    links = [{"cohort": cohort, "url": host + site.join_path(cohort)} for cohort in cohorts]
    now = await site.store.asynchronously(_now, site)
    return site.renderer.page("board.html", now=now, links=links, cohorts=any(cohorts))


async def status(_request: Request, site: Site) -> Response:
    """How the study is getting on, for programs."""
    now = await site.store.asynchronously(_now, site)
    return JSONResponse(now.model_dump(mode="json"))


def _now(site: Site) -> Overview:
    people = site.store.participants()
    return overview(
        site.plan.slots,
        {person.slot: site.pages(person.slot) for person in people},
        people,
        site.store.all_answers(),
        site.clock(),
        timedelta(minutes=site.study.file.participants.release_after_minutes),
    )


async def export(_request: Request, site: Site) -> Response:
    """All tables and their codebook, without personal columns."""
    content = await site.store.asynchronously(_zipped, site)
    headers = {"Content-Disposition": 'attachment; filename="export.zip"'}
    return Response(content, media_type="application/zip", headers=headers)


def _zipped(site: Site) -> bytes:
    dataset = make_dataset(site.study, site.plan, site.store)
    packed = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        verdicts = screen(dataset.cases, site.study)
        for path in export_study(site.study, dataset, Path(folder), verdicts=verdicts):
            archive.write(path, path.relative_to(folder))
    return packed.getvalue()
